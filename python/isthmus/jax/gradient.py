"""Gradients of PyTorch's programs as functions of JAX: PyTorch derives them, and they lower like any program."""

import functools

import torch
from torch.export import graph_signature

from isthmus import api, pytorch
from isthmus.errors import InputError
from isthmus.jax.artifact import Program
from isthmus.jax.exporting import Exports

_LIFTED = {
    graph_signature.InputKind.BUFFER,
    graph_signature.InputKind.CONSTANT_TENSOR,
    graph_signature.InputKind.PARAMETER,
}


class Gradient:
    """The pullback of an ExportedProgram: it computes the program again, and needs the arguments alone.

    Args:
      program: the ExportedProgram.
      written: the names of buffers and inputs that it writes to.

    Raises:
      InputError: the program has sizes that are open, or writes to buffers or inputs.
    """

    def __init__(self, program, written):
        signature = program.graph_signature
        problems = []
        if program.range_constraints:
            problems.append("vjp: expected static sizes, got dynamic_shapes")
        if written:
            problems += [
                f"vjp: expected a model that writes to no tensor, got one that writes to '{n}'" for n in written
            ]
        if problems:
            raise InputError(problems)
        self._graph = program.graph_module
        values = {**program.state_dict, **program.constants}
        # The arguments of the graph: names of weights, places of inputs, and constants.
        self._names, self._inputs, self._flat = [], [], []
        for spec, node in zip(signature.input_specs, self._graph.graph.find_nodes(op="placeholder"), strict=True):
            value = node.meta.get("val")
            if spec.kind in _LIFTED:
                value = values[spec.target]
                is_float = _is_float(value)
                self._flat.append(("weight", len(self._names)) if is_float else ("constant", value))
                self._names += [spec.target] * is_float
            elif isinstance(value, torch.Tensor):
                self._flat.append(("input", len(self._inputs)))
                self._inputs.append(value)
            else:
                self._flat.append(("constant", getattr(spec.arg, "value", value)))
        self._weights = [values[name] for name in self._names]
        (outputs,) = self._graph.graph.output_node().args
        found = [output.meta["val"] for output in outputs if isinstance(output, torch.fx.Node)]
        self._results = [value for value in found if isinstance(value, torch.Tensor)]

    def pull(self, residuals, cotangents):
        """The gradient of the weights by name and of the inputs; None where there is none, as for integers."""
        weights, *inputs = residuals
        given = [cotangent for cotangent, value in zip(cotangents, self._results) if _is_float(value)]
        # A weight that the model does not read is none of the function's.
        own = [
            weights[name] if name in weights else pytorch.to_array(value)
            for name, value in zip(self._names, self._weights)
        ]
        flat = [*own, *inputs, *given]
        gradients = iter(self._exports.now().call({}, *flat))
        of_weights = {name: next(gradients) for name in self._names}
        of_inputs = [next(gradients) if _is_float(value) else None for value in self._inputs]
        return ({name: of_weights.get(name) for name in weights}, *of_inputs)

    @functools.cached_property
    def _exports(self):
        return Exports(self._lowered(), "gradient")

    def _lowered(self):
        """Returns the StableHLO program of (*weights, *inputs, *cotangents) -> gradients of the floats among them."""
        weights, inputs = len(self._names), len(self._inputs)

        def flat(*values):
            values = list(values)
            given, cotangents = values[: weights + inputs], values[weights + inputs :]
            moving = [i for i, value in enumerate(given) if _is_float(value)]

            def forward(*moved):
                every = list(given)
                for i, value in zip(moving, moved):
                    every[i] = value
                places = {"weight": every[:weights], "input": every[weights:]}
                arguments = [places[kind][value] if kind in places else value for kind, value in self._flat]
                return [value for value in self._graph(*arguments) if _is_float(value)]

            _, pull = torch.func.vjp(forward, *(given[i] for i in moving))
            return pull(cotangents)

        inputs_like = [torch.empty(value.shape, dtype=value.dtype).zero_() for value in self._inputs]
        cotangents = [torch.ones(value.shape, dtype=value.dtype) for value in self._results if _is_float(value)]
        program = pytorch.export(flat, (*(value.detach() for value in self._weights), *inputs_like, *cotangents))
        return Program(pytorch.import_program(program).lower(api.OutputType.STABLEHLO))


def _is_float(value):
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())
