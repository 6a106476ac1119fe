"""Every ATen op, lowered to TOSA 1.0, passes MLIR's validator and runs on Arm's reference model."""

import re

import pytest
import torch

from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches
from tests.support.isthmus_opt import isthmus_opt
from tests.support.tosa import VALIDATE, run_reference_model

# Cases that TOSA 1.0 cannot express, with the error that the user gets.
_EMPTY = "TOSA has no tensors without elements"
_ROWS = "as many rows as elements are not 0"
_START = "expected a start that is known while compiling"
_BOUNDS = "expected bounds that are known while compiling"
LIMITS = {
    "aten._native_batch_norm_legit-f32[2x3x4]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-False-0.1-1e-05": _EMPTY,
    "aten._native_batch_norm_legit_functional-f32[4x3x5]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-False-0.3-0.001": _EMPTY,
    "aten._native_batch_norm_legit_no_training-f32[2x3x4]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-fixed:f32[3]-0.1-1e-05": _EMPTY,
    **dict.fromkeys(
        [
            "aten._linalg_eigh-f32[2x4x4]-L-False",
            "aten._linalg_svd-f32[3x2]-False-False",
            "aten._unique2-si64[3x4]-True-False-False",
            "aten._unique2-si64[3x4]-True-True-False",
            "aten._unique2-si64[0]-True-True-True",
            "aten.bincount-si64[0]-None-3",
            "aten.linalg_qr-f32[4x3]-r",
            "aten.lu_unpack-f32[2x3x3]-si32[2x3]-False-True",
            "aten.lu_unpack-f32[2x3x3]-si32[2x3]-True-False",
            "aten.nonzero_static-si64[2x2x2]-0",
            "aten.unique_consecutive-si64[3x4]-False-False",
            "aten.unique_consecutive-si64[3x4]-True-False",
            "aten.unique_consecutive-si64[0]-True-True",
            "aten.unique_dim-f32[0x3]-0-True-True-True",
            "aten.combinations-fixed:f32[0]-2-True",
            "aten.histogram.bin_ct-fixed:f32[0]-2",
            "aten.combinations-fixed:f32[5]-0",
            "aten.tensor_split.indices-fixed:f32[7x4x3]-[1/-1/4]-1",
            "aten.tensor_split.sections-fixed:f32[7x4x3]-5--1",
            "aten.tril_indices-2-5--9",
            "aten.triu_indices-3-3-5-si32",
        ],
        _EMPTY,
    ),
    "aten._scaled_mm": "TOSA has no tensors of 'f8E4M3FN'",
    "aten._unique2": _ROWS,
    "aten.add.Scalar-f32[2x3]-runtime:2.5-runtime:3": "expected an alpha that is known while compiling",
    "aten.bincount-si64[9]": _BOUNDS,
    "aten.diagonal-f32[3x3]-3": _EMPTY,
    "aten.diff-si64[2x5]-2-0": _EMPTY,
    "aten.linspace.Tensor_Scalar-f32[]-5.5-3-si64": "TOSA has no f64",
    "aten.masked_select": _ROWS,
    "aten.mul.Tensor-f32[0x3]-f32[1x3]": _EMPTY,
    "aten.nonzero": _ROWS,
    "aten.nonzero-i1[1]": _EMPTY,
    "aten.one_hot-si64[2x3]--1": _BOUNDS,
    "aten.real-f32[3]": "TOSA has no complex numbers",  # only torch-decompose-complex-ops removes the op
    "aten.repeat-f32[2x3]-[0/1]": _EMPTY,
    "aten.repeat_interleave.Tensor-si64[3]": _BOUNDS,
    "aten.repeat_interleave.self_Tensor-f32[2x3]-si64[2]-0": _BOUNDS,
    "aten.slice.Tensor-f32[5x3]-0-4-2": _EMPTY,
    "aten.tensor_split.tensor_indices_or_sections-fixed:f32[7x4x3]-fixed:si64[2]-0": _START,
    "aten.tensor_split.tensor_indices_or_sections-fixed:f32[7x4x3]-fixed:si64[3]-1": _EMPTY,
    "aten.unique_consecutive": _ROWS,
    "aten.unique_dim": _ROWS,
    "aten.view.dtype": "TOSA has no op that reads the bits of a number as another dtype",
    "aten.where": _ROWS,
    "prims.convert_element_type-f32[3]-ui64": "TOSA has no tensors of 'ui64'",
    "torchvision.nms": "TOSA has no f64",
    "torchvision.roi_align-f32[2x3x9x11]-fixed:f32[0x5]-1.0-2-2-2-True": _EMPTY,
}


# Cases that validate, but whose result the specification does not define.
UNPREDICTABLE = {
    "aten.exp2-f32[12]": "powers of 2 with an exponent that is infinite or NaN",
    "aten.scatter.value-si64[3x4]-0-si64[2x4]-7": "an element that is written twice, with the same number",
    "aten.special_zeta-f32[2]-f32[2]": "powers of NaN",
}

CORE = aten_cases.CASES
CASES = CORE + aten_composite_cases.CASES + aten_complex_cases.CASES
# Errors for cases that take or return tensors of these dtypes.
DTYPES = {
    torch.complex64: "TOSA has no tensors of 'complex<f32>'",
    torch.complex128: "TOSA has no tensors of 'complex<f64>'",
    torch.float64: "TOSA has no f64",
}


def limit(case):
    of_dtype = next((reason for dtype, reason in DTYPES.items() if dtype in case.dtypes()), None)
    return LIMITS.get(case.id) or of_dtype or LIMITS.get(case.op)


def lowering(case):
    return "--convert-torch-to-tosa" if case in CORE else "--torch-to-tosa-pipeline"


def each(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.id)


def batches(own):
    """Batches of the cases that lower to TOSA by a pipeline."""

    def run(cases):
        return run_reference_model(isthmus_opt(program(cases), own, *VALIDATE), *inputs_of(cases))

    lowered = [case for case in CASES if not limit(case) and case.id not in UNPREDICTABLE]
    return Batches([case for case in lowered if lowering(case) == own], run)


CONVERTED = batches("--convert-torch-to-tosa")
DECOMPOSED = batches("--torch-to-tosa-pipeline")


@each(CONVERTED.cases)
def test_core(case):
    case.check(CONVERTED.results(case))


@each(DECOMPOSED.cases)
def test_composite(case):
    case.check(DECOMPOSED.results(case))


@each([case for case in CASES if limit(case)])
def test_limit(case):
    with pytest.raises(RuntimeError, match=re.escape(limit(case))):
        isthmus_opt(case.program(), lowering(case))


@each([case for case in CASES if case.id in UNPREDICTABLE])
def test_unpredictable(case):
    text = isthmus_opt(case.program(), lowering(case), *VALIDATE)
    with pytest.raises(RuntimeError, match="TOSA_UNPREDICTABLE"):
        run_reference_model(text, *case.inputs)


def test_limits_are_of_cases():
    assert LIMITS.keys() | UNPREDICTABLE.keys() <= {c.id for c in CASES} | {c.op for c in CASES}
