"""PyTorch's own implementations as kernels of custom ops."""

import numpy as np
import torch

import isthmus
from isthmus import pytorch
from tests.EndToEnd import aten_cases
from tests.support import op_namespaces

_DTYPE_OF_CODE = {code: dtype for dtype, (_, code) in aten_cases._DTYPES.items()}


def _to_torch(value):
    if isinstance(value, list):
        return list(map(_to_torch, value))
    if not isinstance(value, np.ndarray):
        return value
    # PyTorch's own copy: some of its kernels (_weight_int8pack_mm of bf16) read only memory that it aligned itself.
    return pytorch.to_tensor(value).clone()


def _to_numpy(value):
    if isinstance(value, (list, tuple)):
        return list(map(_to_numpy, value))
    return aten_cases.to_numpy(value.detach().contiguous()) if isinstance(value, torch.Tensor) else value


def pytorch_kernel(op):
    """Returns a kernel that computes an op ("aten.clamp.Tensor") as PyTorch does."""
    function = op_namespaces.overload_of(op)

    def kernel(*arguments):
        positional, named = [], {}
        for argument, value in zip(function._schema.arguments, map(_to_torch, arguments), strict=True):
            if argument.name == "dtype" and value is not None:
                value = _DTYPE_OF_CODE[value]
            if argument.kwarg_only:
                named[argument.name] = value
            else:
                positional.append(value)
        return _to_numpy(function(*positional, **named))

    return kernel


def register_pytorch(ops):
    """Registers PyTorch's kernels for ops: "aten.clamp.Tensor"."""
    for op in ops:
        isthmus.register_kernel(f"torch.{op}", pytorch_kernel(op))
