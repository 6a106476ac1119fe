"""How weights, inputs and results lie on a mesh of devices, by patterns of their names."""

import difflib
import fnmatch
import math
from collections.abc import Mapping, Sequence

import jax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from isthmus.errors import InputError

# The closest names that an error lists.
_MOST_NAMES = 3


class RuleSet(dict):
    """Rules for many models: a pattern may match no name."""


def resolve(
    rules: Mapping[str, P] | Sequence[Mapping[str, P]], tensors: Sequence[tuple[str, Sequence]], mesh: Mesh, what: str
) -> list[NamedSharding | None]:
    """Returns the sharding of each tensor, that of the first pattern that matches its name; None if none does.

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
    pairs = [(pattern, spec) for each in sets for pattern, spec in each.items()]
    problems, used, specs = [], set(), []
    for name, shape in tensors:
        pattern, spec = next((pair for pair in pairs if fnmatch.fnmatchcase(name, pair[0])), (None, None))
        used.add(pattern)
        specs.append(spec)
        if spec is not None:
            problems += [f"{what}: '{pattern}' for '{name}': {problem}" for problem in _problems(spec, shape, mesh)]
    names = [name for name, _ in tensors]
    needed = [pattern for each in sets if not isinstance(each, RuleSet) for pattern in each]
    problems += [_unused(what, pattern, names) for pattern in needed if pattern not in used]
    if problems:
        raise InputError(problems)
    return [None if spec is None else NamedSharding(mesh, spec) for spec in specs]


class Placement:
    """How the parameters of an artifact.Program lie on a mesh.

    Attributes:
      weights: the sharding of each weight by name: whole on every device if no pattern matches it.
      inputs, results: those of the others, in order; None for XLA's choice.

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
        inputs, self.results = resolved
        placed = list(zip(program.inputs, inputs, strict=True))
        whole = NamedSharding(mesh, P())
        self.weights = {parameter.name: each or whole for parameter, each in placed if parameter.is_weight}
        self.inputs = [each for parameter, each in placed if not parameter.is_weight]

    def options(self):
        """Returns the arguments of `jax.jit` for a function of weights by name and inputs in order."""
        return {"in_shardings": (self.weights, *self.inputs), "out_shardings": tuple(self.results)}


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
    for dim, entry in enumerate(spec):
        axes = _axes_of(entry)
        unknown = [axis for axis in axes if axis not in mesh.shape]
        for axis in unknown:
            yield f"expected an axis of the mesh ({', '.join(mesh.shape)}), got '{axis}'"
        for axis in axes:
            if axis in seen:
                yield f"expected each axis once, got '{axis}' twice"
            seen.add(axis)
        parts = math.prod(mesh.shape[axis] for axis in axes if axis in mesh.shape)
        if not unknown and isinstance(shape[dim], int) and shape[dim] % parts:
            yield f"expected a size that {parts} divides in dim {dim}, got {shape[dim]}"


def _axes_of(entry):
    return () if entry is None else (entry,) if isinstance(entry, str) else tuple(entry)


def load(weights, shardings):
    """Returns weights on the devices of their shardings; each process reads its slices alone."""

    def place(name, array):
        return jax.make_array_from_callback(array.shape, shardings[name], lambda index: array[index])

    return {name: place(name, array) for name, array in weights.items()}


# -----------------------------------------------------------------------------
# Sets of rules
# -----------------------------------------------------------------------------

# Modules of transformers whose outputs, and whose inputs, a tensor-parallel layer splits.
_COLUMNS = (
    "q_proj k_proj v_proj gate_proj up_proj fc1 wi wi_0 wi_1 q_lin k_lin v_lin lin1 query key value "
    "SelfAttention.q SelfAttention.k SelfAttention.v EncDecAttention.q EncDecAttention.k EncDecAttention.v "
    "intermediate.dense query_key_value dense_h_to_4h w1 w3"
).split()
_ROWS = (
    "o_proj out_proj down_proj fc2 wo out_lin lin2 attention.output.dense output.dense SelfAttention.o EncDecAttention.o "
    "attention.dense dense_4h_to_h w2"
).split()
# GPT-2's layers, whose weights are [inputs, outputs].
_COLUMNS_OF_CONV1D, _ROWS_OF_CONV1D = ("c_attn", "c_fc", "q_attn"), ("c_proj",)


def tensor_parallel(axis: str = "model") -> RuleSet:
    """Rules for the weights of transformers as Megatron splits them: the first layer of a pair by outputs, the second by
    inputs, so that a block needs one all-reduce for its attention and one for its MLP. A model without such names stays
    whole.

    Source: Shoeybi et al., Megatron-LM (2019), section 3.
    """
    rules = RuleSet()
    for name in _COLUMNS_OF_CONV1D:
        rules |= {f"*.{name}.weight": P(None, axis), f"*.{name}.bias": P(axis)}
    for name in _ROWS_OF_CONV1D:
        rules |= {f"*.{name}.weight": P(axis, None)}
    for name in _COLUMNS:
        rules |= {f"*.{name}.weight": P(axis, None), f"*.{name}.bias": P(axis)}
    for name in _ROWS:
        rules |= {f"*.{name}.weight": P(None, axis)}
    return rules


def fully_sharded(shapes: Mapping[str, Sequence], mesh: Mesh, axes: str | tuple[str, ...] = "data") -> dict[str, P]:
    """Rules that split every weight over axes by its largest dim that they divide, as FSDP does.

    Args:
      shapes: the sizes of the weights by name.
    """
    parts = math.prod(mesh.shape[axis] for axis in _axes_of(axes))
    rules = {}
    for name, shape in shapes.items():
        fitting = [dim for dim, size in enumerate(shape) if size and size % parts == 0]
        if fitting:
            dim = max(fitting, key=lambda dim: shape[dim])
            rules[glob_of(name)] = P(*[None] * dim, axes)
    return rules


def glob_of(name: str) -> str:
    """Returns a pattern that matches one name alone."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
