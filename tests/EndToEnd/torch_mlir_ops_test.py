"""torch-mlir lowers every ATen op as `lower("torch")` writes it, for each case of the tables."""

import pathlib
import re
import subprocess
import sys

import pytest

from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import program
from tests.support.batches import Batches
from tests.support.isthmus_opt import isthmus_opt

TORCH_MLIR_OPT = pathlib.Path(sys.executable).with_name("torch-mlir-opt")
TO_LINALG = "builtin.module(func.func(torch-decompose-complex-ops),torch-backend-to-linalg-on-tensors-backend-pipeline)"
CASES = aten_cases.CASES + aten_composite_cases.CASES

# Ops and cases that torch-mlir cannot lower, with the error. An empty error means that it crashes.
_INTEGER_POWER = "unimplemented: non-floating point dtype"
_INT8 = "unimplemented: for conversion to byte or char type dstOriginalDtype has to be passed"
_RANK_0 = "failed to legalize operation 'torch.constant."  # the first of the op's
_SGN = "failed to legalize operation 'torch.aten.sgn'"
LIMITS = {
    "aten.__not__-runtime:True": "failed to legalize operation 'torch.aten.__not__'",
    "aten.__not__-runtime:False": "failed to legalize operation 'torch.aten.__not__'",
    "aten.avg_pool2d-f32[3x6x6]-[2/2]-[2/2]-[0/0]-False-True-3": "'linalg.pooling_nchw_sum' op expected operand #0 rank (3)",  # no batch
    "aten.combinations-fixed:f32[0]-2-True": "",  # a view of no rows
    "aten.cumprod-si64[2x3]-0-f32": "failed to legalize operation 'torch.aten.cumprod'",  # to another dtype
    "aten.div.Tensor_mode-si8[5]-si8[5]-floor": _INT8,
    "aten.div.Tensor_mode-ui8[3x4]-ui8[4]-floor": _INT8,
    "aten.floor.float": "custom op 'torch.aten.floor.float' is unknown",
    "aten.log_softmax.int-f32[]-0": _RANK_0,
    "aten.max.dim-f32[]-0": _RANK_0,
    "aten.max_pool1d_with_indices-f32[3x9]-[2]-[3]-[0]-[2]": "",  # no batch
    "aten.max_pool2d-f32[3x6x6]-[2/2]": "failed to legalize operation 'torch.aten.max_pool2d'",  # no batch
    "aten.max_pool2d_with_indices-f32[1x2x6x6]-[3]-[2]-[1]-[1]": "",  # one number for both dims: it crashes
    "aten.min.dim-f32[]-0": _RANK_0,
    "aten.mul.Tensor-si8[4]-i1[4]": _INT8,
    "aten.pow.Scalar-3-si64[4]": _INTEGER_POWER,
    "aten.pow.Tensor_Scalar-si64[2x3]-0": _INTEGER_POWER,
    "aten.pow.Tensor_Scalar-si64[2x3]-4": _INTEGER_POWER,
    "aten.pow.Tensor_Tensor-si64[3]-si64[3]": _INTEGER_POWER,
    "aten.pow.Tensor_Tensor-si32[6]-si32[6]": _INTEGER_POWER,
    "aten.pow.Tensor_Tensor-si32[5]-si32[5]": _INTEGER_POWER,
    "aten.pow.Tensor_Tensor-ui8[4]-ui8[4]": _INTEGER_POWER,
    "aten.pow.Tensor_Tensor-si8[3]-si8[3]": _INTEGER_POWER,
    "aten.repeat-f32[2x3]-[0/1]": "",  # no repetition: it divides by zero
    "aten.sgn-f32[12]": _SGN,
    "aten.sgn-si64[4]": _SGN,
    "aten.sign": _SGN,
    "aten.softmax.int-f32[]-0": _RANK_0,
    "aten.view.dtype": "failed to legalize operation 'torch.constant.int'",
    "aten.unique_dim-f32[0x3]-0-True-True-True": "",  # a view of no rows
    "prims.convert_element_type-f32[3]-ui64": "",  # to ui64: it aborts
    "torchvision.nms": "expected dimension 0 of collapsed type to be dynamic",  # a row that a loop selects
    "torchvision.roi_align-f32[2x3x9x11]-fixed:f32[0x5]-1.0-2-2-2-True": "",  # no regions
}


def limit(case):
    return LIMITS.get(case.id, LIMITS.get(case.op))


def lower(cases):
    run = subprocess.run(
        [TORCH_MLIR_OPT, f"--pass-pipeline={TO_LINALG}"],
        input=isthmus_opt(program(cases), "--torch-to-torch-pipeline"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    if run.returncode:
        raise NotLowered(run.stderr)
    return []


class NotLowered(Exception):
    """Raised with torch-mlir-opt's errors."""


BATCHES = Batches([case for case in CASES if limit(case) is None], lower)


@pytest.mark.parametrize("case", BATCHES.cases, ids=lambda case: case.id)
def test_lowers(case):
    BATCHES.results(case)


@pytest.mark.parametrize("case", [case for case in CASES if limit(case) is not None], ids=lambda case: case.id)
def test_limit(case):
    with pytest.raises(NotLowered, match=re.escape(limit(case)) or None):
        lower([case])
