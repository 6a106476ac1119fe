"""Programs in which every op is a custom op, run with PyTorch's own kernels."""

import collections
import dataclasses
import re

import pytest
import torch

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases, aten_quantization_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches
from tests.support.kernels import register_pytorch

# Kernels return the dtypes that a program declares, which those of some PyTorch ops do not. They return PyTorch's own
# elements, also where those are wrong. A case with a reference is of an op that has no kernel on a CPU.
CASES = [
    dataclasses.replace(case, exact=None)
    for case in [*aten_cases.CASES, *aten_composite_cases.CASES]
    if not isinstance(case, aten_quantization_cases.DeclaredCase) and not case.reference
]
register_pytorch(
    {case.op for case in CASES}
    # Ops that the programs use beside the op that they test.
    | {"aten.Bool.Tensor", "aten.Float.Tensor", "aten.Int.Tensor", "aten.full", "prim.NumToTensor.Scalar"}
)

# Why a program is not carried. tests/EndToEnd/custom_ops_round_trip_test.py checks the reasons for all ops.
REFUSED = re.compile(r"TOSA has no |TOSA's level 8k has |expected a result of known rank and dtype, got ")


def batches(cases, target, dynamic=False, encoding="attributes"):
    def run(some):
        module = isthmus.parse(program(some, dynamic)).lower(target, custom_ops="all", custom_op_encoding=encoding)
        carried = collections.Counter(module.custom_ops())
        assert carried >= collections.Counter(f"torch.{case.op}" for case in some)
        return module.run(*inputs_of(some), optimize=False)

    return Batches(cases, run)


def check(case, batches):
    try:
        results = batches.results(case)
    except isthmus.UnsupportedError as error:
        assert all(REFUSED.search(message) for message in error.messages)
        pytest.skip(error.messages[0])
    case.check(results)


ON_LINALG = {dynamic: batches(CASES, "linalg", dynamic) for dynamic in (False, True)}
ON_OPERANDS = batches(CASES, "linalg", encoding="operands")


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_on_linalg(case, dynamic):
    check(case, ON_LINALG[dynamic])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_kernels_on_operands(case):
    check(case, ON_OPERANDS)


def is_wide(result):
    """Whether a result does not fit TOSA, where i64 becomes i32."""
    return result.dtype == torch.int64 and bool((result != result.to(torch.int32)).any())


WIDE = [case for case in CASES if any(map(is_wide, case.expected))]
ON_TOSA = batches([case for case in CASES if case not in WIDE], "tosa")


@pytest.mark.parametrize("case", ON_TOSA.cases, ids=lambda case: case.id)
def test_kernels_on_tosa(case):
    check(case, ON_TOSA)


@pytest.mark.parametrize("case", WIDE, ids=lambda case: case.id)
def test_wide_results_on_tosa(case):
    with pytest.raises(isthmus.KernelError, match="expected integers that fit into int32"):
        check(case, batches([case], "tosa"))
