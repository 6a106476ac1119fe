"""How weights, inputs and results lie on a mesh of devices, by patterns of their names."""

import difflib
import fnmatch
import glob
import math
from collections.abc import Mapping, Sequence

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from isthmus.errors import InputError

# The closest names that an error lists.
_MOST_NAMES = 3


class RuleSet(dict):
    """Rules for many models: a pattern may match no name, and passes over sizes that an axis does not divide.

    Attributes:
      gathers: whether a device gathers a tensor before it computes with it, instead of computing with its part.
    """

    def __init__(self, rules: Mapping[str, P] | None = None, *, gathers: bool = False) -> None:
        super().__init__(rules or {})
        self.gathers = gathers


def resolve(
    rules: Mapping[str, P] | Sequence[Mapping[str, P]], tensors: Sequence[tuple[str, Sequence]], mesh: Mesh, what: str
) -> list[tuple[P, bool] | None]:
    """Returns how each tensor lies, by the first pattern that matches its name: a spec, and whether it is gathered.

    None stands for a tensor that no pattern matches.

    Args:
      rules: a PartitionSpec for a pattern of names: `{"*.q_proj.weight": P("model", None)}`, or a list of such rules. A
        spec with fewer entries than dims leaves the last dims whole.
      tensors: pairs of a name and sizes. Sizes are ints or symbolic dimensions, which are not checked here.
      mesh: the devices.
      what: what is sharded, for messages: "in_shardings".

    Raises:
      InputError: a pattern matches no name and is not of a RuleSet; an axis is not of the mesh, or occurs twice; a spec
        has more entries than the tensor has dims; an axis does not divide a size.
    """
    sets = [rules] if isinstance(rules, Mapping) else list(rules)
    entries = [(pattern, spec, each) for each in sets for pattern, spec in each.items()]
    problems, used, found = [], set(), []
    for name, shape in tensors:
        matching = (
            (pattern, spec, each)
            for pattern, spec, each in entries
            if fnmatch.fnmatchcase(name, pattern) and not (isinstance(each, RuleSet) and _is_uneven(spec, shape, mesh))
        )
        pattern, spec, each = next(matching, (None, None, None))
        used.add(pattern)
        found.append(None if spec is None else (spec, getattr(each, "gathers", False)))
        if spec is not None:
            problems += [f"{what}: '{pattern}' for '{name}': {problem}" for problem in _problems(spec, shape, mesh)]
    names = [name for name, _ in tensors]
    needed = [pattern for each in sets if not isinstance(each, RuleSet) for pattern in each]
    problems += [_unused(what, pattern, names) for pattern in needed if pattern not in used]
    if problems:
        raise InputError(problems)
    return found


class Placement:
    """How the parameters of an artifact.Program lie on a mesh.

    Attributes:
      weights: the sharding of each weight by name: whole on every device if no pattern matches it.
      gathered: for places of inputs that devices gather before they use them, a sharding in Shardy's text.

    Raises:
      InputError: see `resolve`.
    """

    def __init__(self, program, mesh, in_rules, out_rules):
        problems, resolved = [], []
        for rules, parameters, what in [
            (in_rules, program.inputs, "in_shardings"),
            (out_rules, program.results, "out_shardings"),
        ]:
            try:
                resolved.append(resolve(rules, [(each.name, each.shape) for each in parameters], mesh, what))
            except InputError as error:
                problems += error.messages
        if problems:
            raise InputError(problems)
        inputs, results = (
            [_Tensor(parameter, found, mesh) for parameter, found in zip(parameters, each, strict=True)]
            for parameters, each in zip((program.inputs, program.results), resolved, strict=True)
        )
        weights = [tensor for tensor in inputs if tensor.parameter.is_weight]
        self.weights = {tensor.parameter.name: tensor.sharding or NamedSharding(mesh, P()) for tensor in weights}
        self.gathered = {
            i: _whole(mesh, len(tensor.parameter.shape)) for i, tensor in enumerate(inputs) if tensor.is_gathered
        }
        self._inputs = [tensor for tensor in inputs if not tensor.parameter.is_weight]
        self._results = results

    @classmethod
    def of_program(cls, program, devices=None):
        """Returns how a program's own mesh splits its inputs and results; None for a program of one device.

        Args:
          devices: those that the program runs on; without them, a file is made for any.

        Raises:
          InputError: the program is for more devices, or an axis does not divide a size.
        """
        if program.mesh is None:
            return None
        sizes, places = program.mesh
        names, count = tuple(sizes), math.prod(sizes.values())
        kinds = {"axis_types": (AxisType.Auto,) * len(names)}
        if devices is None:
            mesh = AbstractMesh(tuple(sizes.values()), names, **kinds)
        elif len(devices) < count:
            raise InputError([f"expected {count} devices, which the program is for, got {len(devices)}"])
        else:
            ordered = np.array([devices[place] for place in places or range(count)])
            mesh = Mesh(ordered.reshape(list(sizes.values())), names, **kinds)
        rules = [
            {glob.escape(each.name): each.spec_in_mesh for each in parameters if each.spec_in_mesh is not None}
            for parameters in (program.inputs, program.results)
        ]
        return cls(program, mesh, *rules)

    def options(self):
        """Returns the arguments of `jax.jit` for a function of weights by name and inputs in order."""
        return {
            "in_shardings": (self.weights, *(tensor.early() for tensor in self._inputs)),
            "out_shardings": tuple(tensor.early() for tensor in self._results),
        }

    def constrain_inputs(self, values):
        """Returns inputs with their shardings, as far as `options` cannot give them."""
        return [tensor.constrained(value) for tensor, value in zip(self._inputs, values, strict=True)]

    def constrain_results(self, values):
        """Returns results with their shardings, as far as `options` cannot give them."""
        return [tensor.constrained(value) for tensor, value in zip(self._results, values, strict=True)]


class _Tensor:
    """An input or a result, and how it lies. JAX splits sizes when they are known: in a call.

    Args:
      found: what `resolve` returns for it.
    """

    def __init__(self, parameter, found, mesh):
        self.parameter = parameter
        spec, self.is_gathered = found or (None, False)
        self.sharding = None if spec is None else NamedSharding(mesh, spec)
        self._is_open = any(
            axes and not isinstance(size, int) for size, axes in zip(parameter.shape, spec or (), strict=False)
        )

    def early(self):
        return None if self._is_open else self.sharding

    def constrained(self, value):
        return jax.lax.with_sharding_constraint(value, self.sharding) if self._is_open else value


def _whole(mesh, rank):
    """Returns the sharding of a tensor that every device has whole, in Shardy's text."""
    axes = ", ".join(f'"{name}"={size}' for name, size in mesh.shape.items())
    return f"#sdy.sharding<mesh<[{axes}]>, [{', '.join(['{}'] * rank)}]>"


def _unused(what, pattern, names):
    if any(fnmatch.fnmatchcase(name, pattern) for name in names):
        return f"{what}: '{pattern}': expected to match a name first, got only names that earlier patterns match"
    close = difflib.get_close_matches(pattern, names, _MOST_NAMES, cutoff=0)
    some = ", ".join(f"'{name}'" for name in close)
    return f"{what}: '{pattern}': expected to match a name, got none of {len(names)}, such as {some}"


def _problems(spec, shape, mesh):
    if len(spec) > len(shape):
        yield f"expected {len(shape)} dims at most, got {spec}"
        return
    seen = set()
    for axis in (axis for entry in spec for axis in _axes_of(entry)):
        if axis not in mesh.shape:
            yield f"expected an axis of the mesh ({', '.join(mesh.shape)}), got '{axis}'"
        if axis in seen:
            yield f"expected each axis once, got '{axis}' twice"
        seen.add(axis)
    for dim, parts in _uneven_dims(spec, shape, mesh):
        yield f"expected a size that {parts} divides in dim {dim}, got {shape[dim]}"


def _uneven_dims(spec, shape, mesh):
    """Yields the dims of known sizes that their axes do not divide, and the number of parts."""
    for dim, (entry, size) in enumerate(zip(spec, shape, strict=False)):
        parts = math.prod(mesh.shape.get(axis, 1) for axis in _axes_of(entry))
        if isinstance(size, int) and size % parts:
            yield dim, parts


def _is_uneven(spec, shape, mesh):
    return len(spec) > len(shape) or any(_uneven_dims(spec, shape, mesh))


def _axes_of(entry):
    return () if entry is None else (entry,) if isinstance(entry, str) else tuple(entry)


def place(array, sharding):
    """Returns an array on the devices of a sharding; each process reads its slices alone."""
    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


# -----------------------------------------------------------------------------
# Sets of rules
# -----------------------------------------------------------------------------

# Layers of the package transformers whose outputs a tensor-parallel model splits, and those whose inputs it splits.
_COLUMNS = (
    "q_proj k_proj v_proj qkv_proj query_proj key_proj value_proj q_lin k_lin v_lin query key value query_key_value Wqkv "
    "SelfAttention.q SelfAttention.k SelfAttention.v EncDecAttention.q EncDecAttention.k EncDecAttention.v "
    "gate_proj up_proj gate_up_proj fc1 fc_in wi wi_0 wi_1 lin1 w1 w3 c_fc dense_h_to_4h intermediate.dense ffn"
).split()
_ROWS = (
    "o_proj out_proj out_lin attention.dense self_attn.dense self_attention.dense SelfAttention.o EncDecAttention.o "
    "down_proj fc2 fc_out wo lin2 w2 c_proj dense_4h_to_h output.dense ffn_output"
).split()
# Tables of embeddings, and the layer that maps back from them, which are split by the rows of the vocabulary.
_VOCABULARIES = "embed_tokens word_embeddings wte embed_in embed_out lm_head".split()
# The blocks of GPT-2, whose layers have weights [inputs, outputs].
_CONV1D = "*h.[0-9]*."
_COLUMNS_OF_CONV1D, _ROWS_OF_CONV1D = ("attn.c_attn", "crossattention.q_attn", "mlp.c_fc"), ("c_proj",)


def tensor_parallel(axis: str = "model") -> RuleSet:
    """Rules for the weights of transformers as Megatron splits them: the first layer of a pair by outputs, the second by
    inputs, so that a block needs one all-reduce for its attention and one for its MLP. A model without such names stays
    whole.

    Source: Shoeybi et al., Megatron-LM (2019), section 3.

    Args:
      axis: the axis of the mesh that splits the layers.
    """
    rules = RuleSet()
    for name in _COLUMNS_OF_CONV1D:
        rules.update({f"{_CONV1D}{name}.weight": P(None, axis), f"{_CONV1D}{name}.bias": P(axis)})
    for name in _ROWS_OF_CONV1D:
        rules.update({f"{_CONV1D}*{name}.weight": P(axis, None)})
    for name in _COLUMNS:
        rules.update({f"*.{name}.weight": P(axis, None), f"*.{name}.bias": P(axis)})
    for name in _ROWS:
        rules.update({f"*.{name}.weight": P(None, axis)})
    for name in _VOCABULARIES:
        rules.update({f"*{name}.weight": P(axis, None)})
    return rules


def expert_parallel(axis: str = "expert") -> RuleSet:
    """Rules that give each device some of the experts of a mixture, whose weights are stacked: [experts, ...].

    Args:
      axis: the axis of the mesh that splits the experts.
    """
    return RuleSet({"*.experts.*": P(axis)})


def fully_sharded(shapes: Mapping[str, Sequence], mesh: Mesh, axes: str | tuple[str, ...] = "data") -> RuleSet:
    """Rules that split every weight over axes by its largest dim that they divide, and gather it for use, as FSDP does.

    Args:
      shapes: the sizes of the weights by name.
      mesh: the devices.
      axes: the axis of the mesh, or axes, that split the weights.
    """
    parts = math.prod(mesh.shape[axis] for axis in _axes_of(axes))
    rules = RuleSet(gathers=True)
    for name, shape in shapes.items():
        fitting = [dim for dim, size in enumerate(shape) if size and size % parts == 0]
        if fitting:
            dim = max(fitting, key=lambda dim: shape[dim])
            rules[glob.escape(name)] = P(*[None] * dim, axes)
    return rules
