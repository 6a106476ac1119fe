"""No invalid operand of an op ends the process.

Each mutant of mutated_operands.py is lowered to all targets. That must end with a program or with an error, within
the limits of hostile_programs.py. A test takes every n-th mutant of an op. To run all of them:
    cd bazel-bin/tests/EndToEnd/mutated_operands_test.runfiles/isthmus
    PYTHONPATH=.:python EVERY=1 python tests/EndToEnd/mutated_operands_test.py [OP ...]
"""

import sys

import pytest

from tests.EndToEnd import hostile_programs, mutated_operands

# How many results of a program may get another type, because type inference rejects the declared one.
MOST_CORRECTIONS = 4


def lower(mutant):
    """Lowers a mutant to all targets; returns the error of each, "" where there is none."""
    program = mutant.make()
    if isinstance(program, bytes):
        return hostile_programs.lower(program)
    for _ in range(MOST_CORRECTIONS):
        errors = hostile_programs.lower(program.text())
        if not program.correct(errors.get("torch", "")):
            break
    return errors


TEST = hostile_programs.Test(
    hostile_programs.Variants(
        mutated_operands.onnx_mutants, mutated_operands.onnxruntime_mutants, mutated_operands.aten_mutants
    ),
    lower,
    every=89,
)


@pytest.mark.parametrize("op", TEST.ops)
def test_op(op):
    found, _ = TEST.faults(op)
    assert not found, "\n".join(found)


# Mutants that once ended their process: op, name, and the error that MHLO gives now.
FOUND = [
    (
        "functions",
        "test_affine_grid_2d_expanded: Concat_16 with operand 1 twice",
        "expected tensors of one size in dim 1, got 5 and 1",
    ),
]


@pytest.mark.parametrize("op, name, error", FOUND)
def test_found(op, name, error, monkeypatch):
    monkeypatch.delenv("ISTHMUS_VERIFY_EACH", raising=False)  # it finds another error, between two passes
    (mutant,) = (mutant for mutants, case in TEST.cases[op] for mutant in mutants(case) if mutant.name == name)
    assert error in lower(mutant)["mhlo"]


if __name__ == "__main__":
    TEST.main(sys.argv[1:])
