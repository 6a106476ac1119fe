"""Runs PyTorch's graphs in XLA, on its CPU: `torch.compile(model, backend="isthmus", options={"runtime": "xla"})`."""

import jax
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from isthmus import api, pytorch
from isthmus.jax.artifact import Program
from isthmus.jax.exporting import export_program


def compile_graph(graph_module):
    """Returns a function from tensors and numbers to a list of outputs that runs a functional ATen graph.

    Tensors are passed over DLPack, without copies. A graph with open sizes is compiled for each set of sizes that the
    function meets.

    Raises:
      UnsupportedError: see `isthmus.to_jax`; for a graph with open sizes, from the function.
    """
    inputs = [node.meta["val"] for node in graph_module.graph.find_nodes(op="placeholder")]
    if all(map(_is_static, inputs)):
        return _compile(graph_module)
    compiled = {}

    def run(*values):
        key = tuple(value.shape if isinstance(value, torch.Tensor) else value for value in values)
        if key not in compiled:
            compiled[key] = _compile(_traced(graph_module, values))
        return compiled[key](*(value for value in values if isinstance(value, torch.Tensor)))

    return run


def _is_static(value):
    if isinstance(value, torch.Tensor):
        return all(isinstance(size, int) for size in value.shape)
    return value is None


def _traced(graph_module, values):
    """Returns a graph for the sizes of tensors and for the numbers among values; its inputs are the tensors."""

    def with_numbers(*tensors):
        left = iter(tensors)
        return graph_module(*(next(left) if isinstance(value, torch.Tensor) else value for value in values))

    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    with torch.no_grad():
        return make_fx(with_numbers, tracing_mode="fake")(*tensors)


def _compile(graph_module):
    lowered = pytorch.import_graph(graph_module).lower(api.OutputType.STABLEHLO)
    # PyTorch's integers are of 64 bits.
    with jax.enable_x64(True):
        exported = export_program(Program(lowered), "graph")
    call = jax.jit(lambda *inputs: exported.call({}, *inputs))

    def execute(*tensors):
        with jax.enable_x64(True):
            results = call(*map(_to_jax, tensors))
        # PyTorch may write to the inputs as soon as this returns.
        return [torch.from_dlpack(result) for result in jax.block_until_ready(results)]

    return pytorch.function_of(graph_module, execute)


def _to_jax(tensor):
    return jax.dlpack.from_dlpack(tensor.detach().resolve_conj().resolve_neg().contiguous())
