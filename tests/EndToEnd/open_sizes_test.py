"""Programs that lower to TOSA with open sizes compute the same there as on Linalg.

TOSA has no sizes as values: if a lowering confuses two sizes, the result has wrong numbers or a wrong shape, but there
is no error. The programs are those of hostile_inputs.py that lower with open sizes. They run on their own inputs and
on inputs of other sizes. A test takes every n-th program of an op. To run all of them:
    cd bazel-bin/tests/EndToEnd/open_sizes_test.runfiles/isthmus
    PYTHONPATH=.:python EVERY=1 python tests/EndToEnd/open_sizes_test.py [OP ...]
"""

import collections
import os
import sys

import numpy as np
import pytest

import isthmus
from tests.EndToEnd import hostile_inputs
from tests.support import contained

SECONDS, MEBIBYTES = 60, 6000
EVERY = int(os.environ.get("EVERY", 11))
OFFSET = int(os.environ.get("OFFSET", 0))
# TOSA divides by multiplying with reciprocals, so a quantised number may differ by one.
TOLERANCES = {"bfloat16": {"rtol": 2e-2, "atol": 1e-2}, "int8": {"atol": 1}, "uint8": {"atol": 1}}
TOLERANCE = {"rtol": 2e-3, "atol": 1e-4}
# Ops with random results.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormalLike", "RandomUniformLike"}


def programs_by_op():
    by_op = collections.defaultdict(list)
    for number, program in enumerate(hostile_inputs.open_programs()):
        if number % EVERY == OFFSET and program.op not in RANDOM:
            by_op[program.op].append(program)
    return by_op


PROGRAMS = programs_by_op()


def other_sizes(inputs):
    """Yields the inputs, and then, for each size greater than 1, the inputs with that size one larger everywhere."""
    yield inputs
    for size in sorted({size for array in inputs for size in np.shape(array) if size > 1}):
        changed = []
        for array in inputs:
            array = np.asarray(array)
            shape = [own + 1 if own == size else own for own in array.shape]
            changed.append(np.resize(array, shape))
        yield changed


def outcomes(program):
    """Runs one program; returns (counts, faults)."""
    counts, faults = collections.Counter(), []
    try:
        tosa, linalg = (program.make().lower(target) for target in ("tosa", "linalg"))
    except isthmus.IsthmusError:
        return collections.Counter(["refused"]), []
    for arrays in other_sizes(program.inputs):
        try:
            expected = linalg.run(*arrays, optimize=False)
            results = tosa.run(*arrays, optimize=False)
        except isthmus.IsthmusError:
            counts["not run"] += 1  # one of the programs checks its sizes and rejects these
            continue
        counts["ran"] += 1
        for result, other in zip(results, expected, strict=True):
            try:
                assert result.shape == other.shape, f"shapes {result.shape} and {other.shape}"
                tolerance = TOLERANCES.get(str(other.dtype), TOLERANCE)
                np.testing.assert_allclose(result.astype(np.float64), other.astype(np.float64), **tolerance)
            except AssertionError as error:
                sizes = [np.shape(array) for array in arrays]
                faults.append(f"{program.name}, sizes {sizes}: {' '.join(str(error).split())[:300]}")
    return counts, faults


def faults(programs):
    return contained.faults_of(programs, outcomes, seconds=SECONDS, mebibytes=MEBIBYTES)


@pytest.mark.parametrize("op", sorted(PROGRAMS))
def test_op(op):
    found, _ = faults(PROGRAMS[op])
    assert not found, "\n".join(found)


if __name__ == "__main__":
    contained.print_faults(PROGRAMS, faults, sys.argv[1:])
