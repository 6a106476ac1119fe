"""No input makes compiled code read or write memory out of bounds.

Programs of hostile_inputs.py run with `check_bounds`, which checks each access to memory, and with buffers between
protected pages. A run must end with results or with an error of the program's own checks. An error of `check_bounds`
means that the program lacks a check. A test takes every n-th program of an op. To run all of them:
    cd bazel-bin/tests/EndToEnd/hostile_inputs_test.runfiles/isthmus
    PYTHONPATH=.:python EVERY=1 python tests/EndToEnd/hostile_inputs_test.py [OP ...]
"""

import collections
import os
import sys

import pytest

import isthmus
from tests.EndToEnd import hostile_inputs
from tests.support import contained

# Limits for compiling a program and all its runs.
SECONDS, MEBIBYTES = 120, 6000
EVERY = int(os.environ.get("EVERY", 37))
OFFSET = int(os.environ.get("OFFSET", 0))
MISSED = "Runtime op verification failed"


def programs_by_op():
    by_op = collections.defaultdict(list)
    for number, program in enumerate(hostile_inputs.programs()):
        if number % EVERY == OFFSET:
            by_op[program.op].append(program)
    return by_op


PROGRAMS = programs_by_op()


def outcomes(program):
    """Counts how the runs of a program end, and lists the errors that its own checks missed."""
    try:
        module = program.lower()
        module.run(*program.inputs, check_bounds=True, optimize=False)
    except isthmus.IsthmusError as error:
        if MISSED in str(error):
            return collections.Counter(), [f"{program.name}: {error}"]
        return collections.Counter(["not run"]), []
    counts, missed = collections.Counter(), []
    for name, inputs in hostile_inputs.hostile(program.inputs):
        try:
            module.run(*inputs, check_bounds=True, optimize=False)
            counts["ran"] += 1
        except isthmus.IsthmusError as error:
            if MISSED in str(error):
                missed.append(f"{program.name}, {name}: {error}")
            else:
                counts["refused"] += 1
    return counts, missed


def faults(programs):
    return contained.faults_of(programs, outcomes, seconds=SECONDS, mebibytes=MEBIBYTES)


@pytest.mark.parametrize("op", sorted(PROGRAMS))
def test_op(op):
    found, _ = faults(PROGRAMS[op])
    assert not found, "\n".join(found)


if __name__ == "__main__":
    contained.print_faults(PROGRAMS, faults, sys.argv[1:])
