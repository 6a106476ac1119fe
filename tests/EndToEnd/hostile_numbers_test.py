"""No number in a model crashes a conversion, or makes it compute or allocate without bound.

Each variant of hostile_numbers.py is lowered to all targets. That must end with a program, or with an error that
names a place, within the limits of hostile_programs.py. A test takes every n-th variant of an op. To run all of them:
    cd bazel-bin/tests/EndToEnd/hostile_numbers_test.runfiles/isthmus
    PYTHONPATH=.:python EVERY=1 python tests/EndToEnd/hostile_numbers_test.py [OP ...]
After `bazel build --config=traps`, undefined behaviour of C++ ends the process as well.
"""

import sys

import pytest

from tests.EndToEnd import hostile_numbers, hostile_programs


def says_where(error, variant):
    """Whether an error names a node, an input or an output, or a literal. MLIR drops locations of folded constants."""
    named = any(f"'{name}'" in error for name in variant.names)
    return named or "node '" in error or "graph input" in error or "'torch.vtensor.literal'" in error


def fault_in(variant, errors):
    """The fault in the errors of a variant, or "" if there is none."""
    for target, error in errors.items():
        if error and variant.names and not says_where(error, variant):
            return f"{target}: the error does not say where: {error.splitlines()[0]}"
    return ""


TEST = hostile_programs.Test(
    hostile_programs.Variants(
        hostile_numbers.onnx_variants, hostile_numbers.onnxruntime_variants, hostile_numbers.aten_variants
    ),
    lambda variant: hostile_programs.lower(variant.make()),
    every=17,
    fault_in=fault_in,
)


@pytest.mark.parametrize("op", TEST.ops)
def test_op(op):
    found, _ = TEST.faults(op)
    assert not found, "\n".join(found)


if __name__ == "__main__":
    TEST.main(sys.argv[1:])
