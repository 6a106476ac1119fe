"""Compiles a PyTorch model to every target, runs it and compares with PyTorch."""

import time

import torch

import isthmus
from tests.support import xla

TOLERANCE = 1e-4


def run(module, target, inputs):
    """Returns the leaves of the output: Linalg and TOSA from the JIT of Isthmus, MHLO and StableHLO from XLA."""
    if target in ("linalg", "tosa"):
        return module.run(*inputs, threads=0)
    weights = module.hoist_weights(min_bytes=1024)  # XLA takes them as arguments
    arrays = [*(tensor.numpy() for tensor in inputs), *weights]
    return xla.program(module.text(), target, arrays)(*arrays)


def compare(model, *inputs):
    """Prints each target's largest error, relative to PyTorch's largest value, and returns the exit status."""
    with torch.no_grad():
        expected, _ = torch.utils._pytree.tree_flatten(model(*inputs))
    program = torch.export.export(model, inputs)
    print("target      compile s  largest error")
    passed = True
    for target in isthmus.output_types():
        if target == "torch":
            continue
        start = time.perf_counter()
        module = isthmus.compile(program, output_type=target)
        seconds = time.perf_counter() - start
        results = run(module, target, inputs)
        error = max(
            abs(result - value.numpy()).max() / abs(value.numpy()).max()
            for result, value in zip(results, expected, strict=True)
        )
        passed &= error <= TOLERANCE
        print(f"{target:<10}{seconds:11.2f}{error:15.1e}", flush=True)
    return 0 if passed else 1
