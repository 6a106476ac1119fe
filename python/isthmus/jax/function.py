"""`isthmus.to_jax`: models as functions of JAX. Every function of JAX that is used here is public."""

from __future__ import annotations

import collections
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

from isthmus import api
from isthmus.errors import InputError, UnsupportedError
from isthmus.jax import sharding
from isthmus.jax.artifact import Program
from isthmus.jax.exporting import Exports
from isthmus.options import LoweringOptions

if TYPE_CHECKING:
    import torch
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

# A constant of this size in bytes becomes a weight, even without a name.
_LARGE = 1024


class JaxFunction:
    """A model as a function of JAX: `f(weights, *args, **kwargs)`.

    It runs eagerly, under `jit`, in loops and in `shard_map`; it has no rule for `vmap`, as its batch is one of the model's
    dims. The first argument has an array for each name in `f.weights`; the others are nested as in a call of the model,
    and so is the result. A model that writes to buffers or inputs returns a pair: its output, and the new values by name.

    Attributes:
      weights: the model's weights by its names for them, as NumPy arrays over their existing memory.
      shardings: how each weight lies on the mesh that was given; None without one.
      input_names, output_names: the model's names of the flat inputs and outputs, in order; "" for none.
    """

    weights: dict[str, np.ndarray]
    shardings: dict[str, NamedSharding] | None
    input_names: list[str]
    output_names: list[str]

    def __init__(self, program, weights, convention, name, pull=None, placement=None):
        self.weights = weights
        self.shardings = placement and placement.weights
        self.input_names = [each.name for each in program.inputs if not each.is_weight]
        self.output_names = [each.name for each in program.results]
        self._program = program
        self._convention = convention
        self._placement = placement
        self._exports = Exports(program, name, pull, placement)
        self.__name__ = name

    def load_weights(self, progress: Callable[[int, int], None] | None = None) -> dict[str, jax.Array]:
        """Returns the weights as arrays of JAX, on the devices of the mesh.

        Each process reads the slices of its devices alone, from the model's file if it is mapped.

        Args:
          progress: called after each weight with the bytes of the weights so far, and of all; on a mesh, these are the
            bytes of whole weights.
        """
        total, loaded, arrays = sum(array.nbytes for array in self.weights.values()), 0, {}
        for name, array in self.weights.items():
            if self.shardings is None:
                arrays[name] = jnp.asarray(array)
            else:
                arrays[name] = sharding.place(array, self.shardings[name])
            loaded += array.nbytes
            if progress:
                progress(loaded, total)
        return arrays

    def __call__(self, weights: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Runs the model.

        Args:
          weights: an array for each name in `f.weights`.
          *args, **kwargs: nested as in the exported call for a program of PyTorch; the
            inputs in order for an ONNX model.

        Raises:
          InputError: weights are missing or unknown, or the structure of the inputs or a
            condition on sizes differs from the exported program.
          ValueError: sizes are outside of the model's ranges (from JAX).
          NotImplementedError: JAX differentiates a function that was made without `vjp=True`.
        """
        problems = [f"weight '{name}': expected an array, got none" for name in self.weights if name not in weights]
        problems += [
            f"weight '{name}': expected a name of the model's, got another"
            for name in weights
            if name not in self.weights
        ]
        if problems:
            raise InputError(problems)
        if self._convention:
            flat = self._convention.bind(args, kwargs)
        elif kwargs:
            raise InputError([f"argument '{name}': expected arrays in order, got a name" for name in kwargs])
        else:
            flat = args
        self._program.check_guards(flat)
        if self._placement:
            flat = self._placement.constrain_inputs(flat)
        results = self.exported.call(dict(weights), *flat)
        if self._placement:
            results = self._placement.constrain_results(results)
        if not self._convention:
            return list(results)
        output = _with_named_tuples(self._convention.nest(results, lambda value: value))
        updates = self._convention.updates(results)
        return (output, updates) if updates else output

    @property
    def exported(self) -> export.Exported:
        """The flat function `(weights, *inputs) -> results` as `jax.export` has it, for the current `jax_enable_x64`.

        `f.exported.serialize()` is a file that runs without Isthmus and PyTorch:
        `jax.export.deserialize(data).call(weights, *inputs)`.
        """
        return self._exports.now()


def to_jax(  # type: ignore[misc]  # `mesh` may be one of JAX here
    model: torch.nn.Module | Callable | torch.export.ExportedProgram | api.Module | str | os.PathLike | bytes,
    example_inputs: Any = None,
    *,
    example_kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    vjp: bool = False,
    mesh: Mesh | str | None = None,
    in_shardings: Mapping[str, PartitionSpec] | Sequence[Mapping[str, PartitionSpec]] | None = None,
    out_shardings: Mapping[str, PartitionSpec] | Sequence[Mapping[str, PartitionSpec]] | None = None,
    **options: Unpack[LoweringOptions],
) -> JaxFunction:
    """Returns a model as a function of JAX, `f(weights, *args, **kwargs)`.

    Sizes that the model leaves open stay open, within their ranges, under `jax.jit` too. Arrays have JAX's dtypes:
    without `jax_enable_x64`, an int64 of the model is an int32 of JAX.

    Args:
      model: as for `isthmus.compile`, or an `isthmus.Module`.
      example_inputs, example_kwargs, dynamic_shapes: as for `isthmus.compile`.
      vjp: derive the gradient by PyTorch, which needs a module of PyTorch and static sizes. Without it, `jax.grad` of
        the function raises NotImplementedError, as JAX does for a program that it cannot differentiate.
      mesh: the devices that the function runs on, over which XLA partitions it; or a text, the option of that name of a
        lowering, with `sharding` in the place of `in_shardings` and `out_shardings`.
      in_shardings: a PartitionSpec for patterns of the names of weights and inputs:
        `{"*.q_proj.weight": P("model", None), "input_ids": P("data")}`. The first
        pattern that matches a name counts. Other weights are whole on each device, and
        XLA chooses for other inputs.
        A list may have several such rules: `[isthmus.jax.tensor_parallel(), {"input_ids": P("data")}]`.
        A model with a `device_configuration` has a mesh and shardings of its own.
      out_shardings: likewise for the names of outputs.
      **options: see `LoweringOptions`.

    Raises:
      UnsupportedError: see `Module.lower`; or a size of a result does not follow from those of the inputs; or the
        program writes to a buffer that cannot be a weight, one of bools or of a program that is lowered already.
      InputError: `vjp` is given for a model without a gradient, or a sharding does not fit the model or the mesh; see
        also `isthmus.compile`.
    """
    if isinstance(mesh, str):
        mesh, options = None, options | {"mesh": mesh}
    if mesh is None and (in_shardings or out_shardings):
        raise InputError(["mesh: expected the devices of in_shardings and out_shardings, got none"])
    module, gradient = _opened(model, example_inputs, example_kwargs, dynamic_shapes, vjp)
    lowered, weights = _lowered(module, options)
    program = Program(lowered)
    _check_buffers(lowered._convention, program)
    if mesh and program.mesh:
        raise InputError(["mesh: expected none besides that of the program, got one"])
    if mesh:
        placement = sharding.Placement(program, mesh, in_shardings or {}, out_shardings or {})
    else:
        placement = sharding.Placement.of_program(program, jax.devices())
    return JaxFunction(program, weights, lowered._convention, "isthmus", gradient and gradient.pull, placement)


def _with_named_tuples(tree):
    """Returns a result in which JAX finds all arrays: named tuples in the place of `torch.return_types`, as of `max`."""
    kind = type(tree)
    if kind.__module__ == "torch.return_types":
        return _named_tuple(kind)(*map(_with_named_tuples, tree))
    if kind in (list, tuple):
        return kind(map(_with_named_tuples, tree))
    if kind is dict:
        return {key: _with_named_tuples(value) for key, value in tree.items()}
    return tree


@functools.cache
def _named_tuple(kind):
    return collections.namedtuple(kind.__name__.rpartition(".")[-1], kind.__match_args__)


def _opened(model, example_inputs, example_kwargs, dynamic_shapes, vjp):
    """Returns a model as a Module, and its Gradient or None."""
    if isinstance(model, api.Module | str | os.PathLike | bytes):
        problems = api.unexpected_examples(example_inputs, example_kwargs, dynamic_shapes, " for a file")
        if vjp:
            problems.append("vjp: expected a module of PyTorch, whose gradient PyTorch derives")
        if problems:
            raise InputError(problems)
        return (model if isinstance(model, api.Module) else api.import_model(model)), None
    from isthmus import pytorch
    from isthmus.jax import gradient

    program = pytorch.export(model, example_inputs, example_kwargs, dynamic_shapes=dynamic_shapes)
    module = pytorch.import_program(program)
    if not vjp:
        return module, None
    results = module._native.notes()["results"]
    written = [result["isthmus.mutates"] for result in results if "isthmus.mutates" in result]
    return module, gradient.Gradient(program, written)


def _check_buffers(convention, program):
    """What the model writes to must be an input or a weight, or else each call would begin with its first value."""
    known = {each.name for each in program.inputs}
    written = convention.updates(program.results) if convention else {}
    if problems := [
        f"buffer '{name}': the program writes to it: expected no bools, and a program that is not lowered yet"
        for name in written
        if name not in known
    ]:
        raise UnsupportedError(problems)


def _lowered(module, options):
    """Returns a module in StableHLO whose weights are parameters, and the weights by name."""
    with module._lock:
        clone = api.Module(module._native.clone(), module._lock, module._trees)
        dialects = {op.partition(".")[0] for op in clone.count_ops()}
        weights = []
        # Initializers of ONNX are shapes and axes as well, which lowering reads: those become parameters after it.
        if "onnx" not in dialects:
            weights += clone._native.hoist_named_weights()
        lowered = clone if "stablehlo" in dialects else clone.lower(api.OutputType.STABLEHLO, **options)
        weights += lowered._native.hoist_named_weights()
        weights += lowered._native.hoist_weights(_LARGE)
        return lowered, dict(weights)
