"""Programs of which every op is a custom op, run by kernels that are PyTorch's own."""

import re

import pytest
import torch

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.support.kernels import register_pytorch

CASES = [*aten_cases.CASES, *aten_composite_cases.CASES]
register_pytorch(
    {case.op for case in CASES}
    # What the programs are made of around the op that they are about.
    | {"aten.Bool.Tensor", "aten.Float.Tensor", "aten.Int.Tensor", "aten.full", "prim.NumToTensor.Scalar"}
)

# Why a program is not carried; tests/EndToEnd/custom_ops_round_trip_test.py holds the reasons against all ops.
REFUSED = re.compile(r"TOSA has no |TOSA's level 8k has |expected a result of known rank and dtype, got ")


def run(case, target, dynamic, encoding="attributes"):
    try:
        module = isthmus.parse(case.program(dynamic)).lower(target, custom_ops="all", custom_op_encoding=encoding)
    except isthmus.UnsupportedError as error:
        assert all(REFUSED.search(message) for message in error.messages)
        pytest.skip(error.messages[0])
    assert f"torch.{case.op}" in module.custom_ops()
    case.check(module.run(*case.inputs))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_on_linalg(case, dynamic):
    run(case, "linalg", dynamic)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_on_operands(case):
    run(case, "linalg", dynamic=False, encoding="operands")


def is_wide(result):
    """Whether TOSA, which has i64 as i32, cannot hold a result."""
    return result.dtype == torch.int64 and bool((result != result.to(torch.int32)).any())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_on_tosa(case):
    if not any(map(is_wide, case.expected)):
        return run(case, "tosa", dynamic=False)
    with pytest.raises(isthmus.KernelError, match="expected integers that fit into int32"):
        run(case, "tosa", dynamic=False)
