"""Every core ATen op through TOSA 1.0, judged by MLIR's validator and run on Arm's reference model."""

import re

import pytest
import torch

from tests.EndToEnd import aten_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.tosa import VALIDATE, run_reference_model

# What TOSA 1.0 cannot say, as the error that the user gets.
_COMPLEX = "TOSA has no tensors of 'complex<f32>'"
LIMITS = {
    "aten.mul.Tensor-3": "TOSA has no tensors without elements",
    "aten.nonzero-0": "as many rows as elements are not 0",
    **dict.fromkeys(["aten.complex-0", "aten.complex-1", "aten.imag-0", "aten.real-0"], _COMPLEX),
    **dict.fromkeys(["aten.complex-2", "aten.imag-1", "aten.real-1"], "TOSA has no tensors of 'complex<f64>'"),
    "aten.real-2": "TOSA has no complex numbers",  # left to torch-decompose-complex-ops, which drops it
    "aten.slice.Tensor-5": "TOSA has no tensors without elements",
    "prims.convert_element_type-23": "TOSA has no tensors of 'ui64'",
}


@pytest.mark.parametrize("case", aten_cases.CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case):
    limit = LIMITS.get(case.id)
    if limit is None and torch.float64 in case.dtypes():
        limit = "TOSA has no f64"
    if limit is None and case.op == "aten.view.dtype":
        limit = "TOSA has no op that reads the bits of a number as another dtype"
    if limit is not None:
        with pytest.raises(RuntimeError, match=re.escape(limit)):
            isthmus_opt(case.program(), "--convert-torch-to-tosa")
        return
    text = isthmus_opt(case.program(), "--convert-torch-to-tosa", *VALIDATE)
    case.check(run_reference_model(text, *case.inputs))
