"""torch-mlir lowers every ATen op that we write in its vocabulary: `lower("torch")` of each case of the tables."""

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

# What torch-mlir has no lowering for, or only for other arguments.
_INTEGER_POWER = "unimplemented: non-floating point dtype"
_INT8 = "unimplemented: for conversion to byte or char type dstOriginalDtype has to be passed"
_RANK_0 = "failed to legalize operation 'torch.constant."  # the first of the op's
_SGN = "failed to legalize operation 'torch.aten.sgn'"
LIMITS = {
    "aten.__not__-1": "failed to legalize operation 'torch.aten.__not__'",
    "aten.__not__-3": "failed to legalize operation 'torch.aten.__not__'",
    "aten.avg_pool2d-5": "'linalg.pooling_nchw_sum' op expected operand #0 rank (3)",  # no batch
    "aten.cumprod-3": "failed to legalize operation 'torch.aten.cumprod'",  # to another dtype
    "aten.div.Tensor_mode-8": _INT8,
    **{f"aten.floor.float-{i}": "custom op 'torch.aten.floor.float' is unknown" for i in range(6)},
    "aten.log_softmax.int-6": _RANK_0,
    "aten.max.dim-4": _RANK_0,
    "aten.max_pool2d-3": "failed to legalize operation 'torch.aten.max_pool2d'",  # no batch
    "aten.min.dim-4": _RANK_0,
    "aten.mul.Tensor-2": _INT8,
    "aten.pow.Scalar-2": _INTEGER_POWER,
    "aten.pow.Tensor_Scalar-1": _INTEGER_POWER,
    "aten.pow.Tensor_Scalar-9": _INTEGER_POWER,
    **{f"aten.pow.Tensor_Tensor-{i}": _INTEGER_POWER for i in range(2, 7)},
    "aten.repeat-4": "",  # no repetition: it divides by zero
    **{f"aten.sgn-{i}": _SGN for i in (2, 3)},
    **{f"aten.sign-{i}": _SGN for i in range(4)},
    "aten.softmax.int-6": _RANK_0,
    **{f"aten.view.dtype-{i}": "failed to legalize operation 'torch.constant.int'" for i in range(12)},
    "prims.convert_element_type-23": "",  # to ui64: it aborts
}


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
    """torch-mlir-opt's errors."""


BATCHES = Batches([case for case in CASES if case.id not in LIMITS], lower)


@pytest.mark.parametrize("case", BATCHES.cases, ids=lambda case: case.id)
def test_lowers(case):
    BATCHES.results(case)


@pytest.mark.parametrize("case", [case for case in CASES if case.id in LIMITS], ids=lambda case: case.id)
def test_limit(case):
    with pytest.raises(NotLowered, match=re.escape(LIMITS[case.id]) or None):
        lower([case])
