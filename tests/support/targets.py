"""Runs a module lowered to any target: Linalg and TOSA in the embedded JIT, MHLO and StableHLO in XLA."""

from tests.support import xla

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]


def runner(module, target):
    """Returns a function from arrays to results, over the isthmus.Module lowered to `target` once."""
    lowered = module.lower(target)
    if target in ("linalg", "tosa"):
        return lowered.run
    weights = lowered.hoist_weights(min_bytes=1024)  # XLA takes weights as arguments
    text = lowered.text()
    run = xla.run_mhlo if target == "mhlo" else xla.run_stablehlo
    return lambda *inputs: run(text, *inputs, *weights)
