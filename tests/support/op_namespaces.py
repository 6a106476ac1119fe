"""Ops that PyTorch has only after an import."""

import importlib

import torch

_DEFINED_BY = {
    "quantized_decomposed": "torch.ao.quantization.fx._decomposed",
    "torchao": "torchao.quantization.quant_primitives",
    "torchvision": "tests.support.torchvision_kernels",
}


def overload_of(op):
    """Returns PyTorch's op of a name: torch.ops.aten.clamp.Tensor of "aten.clamp.Tensor"."""
    namespace, name, *overload = op.split(".")
    if namespace in _DEFINED_BY:
        importlib.import_module(_DEFINED_BY[namespace])
    return getattr(getattr(getattr(torch.ops, namespace), name), *overload or ["default"])
