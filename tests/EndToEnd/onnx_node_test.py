"""ONNX's own node tests: imported, converted to the torch dialect, and run by PyTorch.

onnx_node_outcomes.txt lists how the cases of each op end, and why if they do not pass. If a lowering
changes the outcomes, update the file with these commands, for all ops or for those that are named:
    cd bazel-bin/tests/EndToEnd/onnx_node_test.runfiles/isthmus
    PYTHONPATH=.:python python tests/EndToEnd/onnx_node_test.py Cast TopK
"""

import pathlib
import re
import sys

import ml_dtypes
import pytest
import torch

import isthmus
from isthmus import ops
from tests.EndToEnd import onnx_node_cases
from tests.support.torch_program import TorchProgram

OUTCOMES = pathlib.Path(__file__).with_name("onnx_node_outcomes.txt")
# PyTorch has kernels for these, so they stay whole. Their decompositions have tests of their own.
COMPOSITE = [op.name for op in ops.coverage().torch if op.role == "composite"]

# PyTorch's dtypes for the dtypes of ml_dtypes, which NumPy itself lacks. The bytes are the same.
TORCH_DTYPES = {
    "bfloat16": torch.bfloat16,
    "float8_e4m3fn": torch.float8_e4m3fn,
    "float8_e4m3fnuz": torch.float8_e4m3fnuz,
    "float8_e5m2": torch.float8_e5m2,
    "float8_e5m2fnuz": torch.float8_e5m2fnuz,
}


def to_torch(array):
    dtype = TORCH_DTYPES.get(array.dtype.name)
    if dtype is None:
        return torch.from_numpy(array.copy())
    return torch.from_numpy(array.view(f"u{dtype.itemsize}").copy()).view(dtype)


def to_numpy(tensor):
    for name, dtype in TORCH_DTYPES.items():
        if tensor.dtype == dtype:
            bytes_as = {1: torch.uint8, 2: torch.int16}[dtype.itemsize]
            return tensor.contiguous().view(bytes_as).numpy().view(getattr(ml_dtypes, name))
    return tensor.numpy()


def convert(model):
    try:
        return isthmus.import_onnx(model.SerializeToString()).lower("torch", backend_legal_ops=COMPOSITE).text()
    except isthmus.IsthmusError as error:
        raise RuntimeError("\n".join(error.messages).removeprefix("<bytes>: ")) from error


def run(program, inputs, _):
    try:
        return [to_numpy(result) for result in TorchProgram(program).run(*map(to_torch, inputs))]
    except (NotImplementedError, RuntimeError, TypeError) as error:
        # PyTorch has no kernel for the dtypes of this case, so it cannot judge it. The outcomes count such cases.
        lacks_kernel = re.search("not implemented for|can't convert np.ndarray", str(error))
        if lacks_kernel or isinstance(error, NotImplementedError):
            raise onnx_node_cases.Unjudged(str(error)) from error
        raise


def outcomes_of(op):
    return [(case.name, *onnx_node_cases.judge(case, convert, run)) for case in onnx_node_cases.cases_by_op()[op]]


@pytest.mark.parametrize("op", sorted(onnx_node_cases.cases_by_op()))
def test_op(op):
    onnx_node_cases.check_outcomes(OUTCOMES, op, outcomes_of(op))


if __name__ == "__main__":
    onnx_node_cases.write_outcomes(OUTCOMES, outcomes_of, sys.argv[1:])
