"""Runs a module lowered to any target: Linalg and TOSA in the embedded JIT, MHLO and StableHLO in XLA."""

import functools

from tests.support import xla

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]

# Errors about programs that a target's specification cannot express, as regular expressions.
OUTSIDE = {
    "linalg": [],
    "mhlo": ["which XLA cannot compile"],
    "stablehlo": [],
    "tosa": [
        "TOSA has no f64",
        "TOSA has no tensors of 'complex",
        "TOSA has no tensors without elements",
        "TOSA convolves floats",
        "TOSA pools floats",
        "which TOSA cannot say",
        "expected integers that fit int32",
    ],
}


def runner(module, target, optimize=False, emitters="new"):
    """Lowers an isthmus.Module to `target` once; returns a function from arrays to results."""
    return lowered_runner(module.lower(target), target, optimize, emitters)


def lowered_runner(lowered, target, optimize=False, emitters="new"):
    """Returns a function from arrays to results for a lowered module. For XLA, its weights become parameters.

    Most programs run once, so the JIT's machine code is not optimised without `optimize`; XLA's never is. `emitters`
    are those of `xla.program`.
    """
    if target in ("linalg", "tosa"):
        return functools.partial(lowered.run, optimize=optimize)
    weights = lowered.hoist_weights(min_bytes=64)
    text = lowered.text()
    run = xla.run_mhlo if target == "mhlo" else xla.run_stablehlo
    return lambda *inputs: run(text, *inputs, *weights, emitters=emitters)
