"""Runs a module lowered to any target: Linalg and TOSA in the embedded JIT, MHLO and StableHLO in XLA."""

from tests.support import xla

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]


def runner(module, target):
    """Returns a function from arrays to results, over the isthmus.Module lowered to `target` once."""
    return lowered_runner(module.lower(target), target)


def lowered_runner(lowered, target):
    """The same of a module that is lowered. Its weights become parameters, as XLA takes them so."""
    if target in ("linalg", "tosa"):
        return lowered.run
    weights = lowered.hoist_weights(min_bytes=64)
    text = lowered.text()
    run = xla.run_mhlo if target == "mhlo" else xla.run_stablehlo
    return lambda *inputs: run(text, *inputs, *weights)
