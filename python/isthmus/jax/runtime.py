"""Runs PyTorch's graphs in XLA, on its CPU: `torch.compile(model, backend="isthmus", options={"runtime": "xla"})`."""

import jax
import torch

from isthmus import api
from isthmus.jax.artifact import Program
from isthmus.jax.function import export_program


def runner(module):
    """Returns a function from tensors to a list of tensors that runs a torch program.

    XLA compiles when the function meets new sizes. Tensors are passed over DLPack, without copies.

    Raises:
      UnsupportedError: see `isthmus.to_jax`.
    """
    # PyTorch's integers are of 64 bits.
    with jax.enable_x64(True):
        exported = export_program(Program(module.lower(api.OutputType.STABLEHLO)), "graph")
    call = jax.jit(lambda *inputs: exported.call({}, *inputs))

    def run(*tensors):
        with jax.enable_x64(True):
            results = call(*map(_to_jax, tensors))
        # PyTorch may write to the inputs as soon as this returns.
        return [torch.from_dlpack(result) for result in jax.block_until_ready(results)]

    return run


def _to_jax(value):
    if not isinstance(value, torch.Tensor):
        return value
    return jax.dlpack.from_dlpack(value.detach().resolve_conj().resolve_neg().contiguous())
