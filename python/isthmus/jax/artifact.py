"""A StableHLO program as JAX takes it: the signature of its function, and its bytes in StableHLO's versioned form."""

import dataclasses
import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import func, sdy, stablehlo
from jax.interpreters import mlir
from jax.sharding import PartitionSpec

from isthmus.errors import InputError, UnsupportedError
from isthmus.jax import guards
from isthmus.jax.sizes import Name, Sizes

_DTYPES = {
    "bf16": jnp.bfloat16,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": jnp.float8_e4m3fn,
    "f8E4M3FNUZ": jnp.float8_e4m3fnuz,
    "f8E5M2": jnp.float8_e5m2,
    "f8E5M2FNUZ": jnp.float8_e5m2fnuz,
    "i1": np.bool_,
    "i16": np.int16,
    "i32": np.int32,
    "i4": jnp.int4,
    "i64": np.int64,
    "i8": np.int8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui4": jnp.uint4,
    "ui64": np.uint64,
    "ui8": np.uint8,
}

# What JAX has in the place of dtypes of 64 bits, unless jax_enable_x64 is set.
_NARROW = {"complex<f64>": "complex<f32>", "f64": "f32", "i64": "i32", "ui64": "ui32"}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An input, a weight or a result of the program.

    Attributes:
      name: the model's name; "" for none.
      shape: sizes, which are ints or symbolic dimensions.
      dtype: of the program; see `jax.dtypes.canonicalize_dtype`.
      is_weight: whether a weight is meant.
      sizes: the program's expression of each open size, by dim: `{0: "s77"}`.
      spec_in_mesh: how the program's mesh splits it; None if the program does not say it.
    """

    name: str
    shape: tuple
    dtype: np.dtype
    is_weight: bool
    sizes: dict[int, str]
    spec_in_mesh: PartitionSpec | None = None

    def spec(self):
        return jax.ShapeDtypeStruct(self.shape, jax.dtypes.canonicalize_dtype(self.dtype))


class Program:
    """A StableHLO program of one public function, @main.

    Attributes:
      inputs, results: parameters in the program's order; weights are inputs.
      mesh: the program's `sdy.mesh`, as a pair: sizes of axes by name, and the number of the device at each place, or
        an empty list if that is the place's number; None for a program of one device.

    Args:
      module: the `isthmus.Module`, in StableHLO.

    Raises:
      UnsupportedError: a type has no dtype in JAX, or a size of a result does not follow from those of the inputs.
    """

    def __init__(self, module):
        self._text = module.text(weights="inline")
        self._context = mlir.make_ir_context()
        with self._context:
            module = ir.Module.parse(self._text)
            self.mesh = _mesh_of(module)
            main = _main_of(module)
            attributes = main.attributes
            kind = ir.FunctionType(ir.TypeAttr(attributes["function_type"]).value)
            ranges = {}
            if "torch.ranges" in attributes:
                entries = ir.DictAttr(attributes["torch.ranges"])
                ranges = {entry.name: [ir.IntegerAttr(bound).value for bound in entry.attr] for entry in entries}
            self._guards = (
                [ir.StringAttr(guard).value for guard in attributes["torch.guards"]]
                if "torch.guards" in attributes
                else []
            )
            sizes = Sizes(ranges)
            problems = []
            self.inputs = [
                _parameter(type, notes, f"x{i}", problems, sizes.of_input)
                for i, (type, notes) in enumerate(zip(kind.inputs, _notes(attributes, "arg_attrs", kind.inputs)))
            ]
            self.results = [
                _parameter(type, notes, "", problems, functools.partial(_size_of_result, sizes, problems))
                for type, notes in zip(kind.results, _notes(attributes, "res_attrs", kind.results))
            ]
        if problems:
            raise UnsupportedError(problems)

    def check_guards(self, inputs):
        """Checks the sizes of inputs in order.

        Raises:
          InputError: the program was traced under another condition on sizes.
        """
        if not self._guards:
            return
        open_inputs = [parameter for parameter in self.inputs if not parameter.is_weight]
        symbols = {
            text: np.shape(value)[dim]
            for parameter, value in zip(open_inputs, inputs, strict=False)
            for dim, text in parameter.sizes.items()
            if isinstance(np.shape(value)[dim], int)
        }
        violated = [guard for guard in self._guards if guards.holds(guard, symbols) is False]
        if violated:
            got = ", ".join(f"{symbol} = {size}" for symbol, size in symbols.items())
            raise InputError(
                [f"expected sizes with {guard}, which the program was exported for, got {got}" for guard in violated]
            )

    def is_dynamic(self):
        return any(not isinstance(size, int) for parameter in self.inputs for size in parameter.shape)

    def artifact(self, order, gathered=None):
        """Returns the program as StableHLO's portable artifact for readers up to four weeks old.

        With an order, the parameters have the dtypes that JAX has now.

        Args:
          order: for each parameter of the function, the place of an input; None for the program as it is.
          gathered: for places of inputs that devices gather before they use them, a sharding in Shardy's text.
        """
        with self._context, ir.Location.unknown():
            module = ir.Module.parse(self._text)
            if order is not None:
                _wrap(module, order, gathered or {})
            age = stablehlo.StablehloCompatibilityRequirement.WEEK_4
            return stablehlo.serialize_portable_artifact(
                module, stablehlo.get_version_from_compatibility_requirement(age), True
            )


def _main_of(module):
    return ir.SymbolTable(module.operation)["main"]


def _mesh_of(module):
    attribute = next((op.attributes["mesh"] for op in module.body if op.operation.name == "sdy.mesh"), None)
    if attribute is None:
        return None
    mesh = sdy.MeshAttr(attribute)
    sizes = {axis.name: axis.size for axis in map(sdy.MeshAxisAttr, mesh.axes)}
    return sizes, list(mesh.device_ids)


def _spec_of(notes):
    """Returns how the program's mesh splits an argument or a result; None if the program does not say it."""
    if "sdy.sharding" not in notes:
        return None
    dims = map(sdy.DimensionShardingAttr, sdy.TensorShardingAttr(notes["sdy.sharding"]).dimension_shardings)
    return PartitionSpec(*(tuple(axis.name for axis in map(sdy.AxisRefAttr, dim.axes)) or None for dim in dims))


def _notes(attributes, key, types):
    """Returns the attributes of the arguments or of the results, as dictionaries."""
    if key not in attributes:
        return [{} for _ in types]
    return [{entry.name: entry.attr for entry in ir.DictAttr(each)} for each in attributes[key]]


def _size_of_result(sizes, problems, text, name, dim):
    size = sizes.of_result(text)
    if size is None:
        problems.append(
            f"output '{name}', dim {dim}: expected a size that follows from those of the inputs, got '{text or '?'}'; "
            "what to do: specialize the inputs' sizes"
        )
    return size


def _parameter(type, notes, otherwise, problems, size_of):
    tensor = ir.RankedTensorType(type)
    weight = _note(notes, "weight")
    name = weight or _note(notes, "name") or otherwise
    texts = _sizes_of(notes)
    shape = tuple(
        size_of(texts.get(i, ""), name, i) if tensor.is_dynamic_dim(i) else tensor.get_dim_size(i)
        for i in range(tensor.rank)
    )
    element = str(tensor.element_type)
    if element not in _DTYPES:
        problems.append(f"'{name}': expected a dtype of JAX, got {element}")
    dtype = np.dtype(_DTYPES.get(element, np.float32))
    return Parameter(name, shape, dtype, bool(weight), texts, _spec_of(notes))


def _sizes_of(notes):
    """Returns the texts of the sizes by dim: {0: "2*s0+1"} of "0:2*s0+1"."""
    kind = str if "isthmus.dim_params" in notes else Name
    pairs = (entry.partition(":") for entry in _note(notes, "dim_params").split(","))
    return {int(dim): kind(text) for dim, _, text in pairs if dim.isdecimal() and text}


def _note(notes, key):
    """Returns a text of an argument or a result, whose prefix tells the importer; "" for none."""
    found = (notes[prefix + key] for prefix in ("isthmus.", "onnx.") if prefix + key in notes)
    return next((ir.StringAttr(note).value for note in found), "")


def _wrap(module, order, gathered):
    """Gives the module a @main that takes the parameters in another order, with the dtypes of JAX."""
    program = _main_of(module)
    kind = ir.FunctionType(ir.TypeAttr(program.attributes["function_type"]).value)
    ir.SymbolTable(module.operation).set_symbol_name(program, _free_name(module))
    program.attributes["sym_visibility"] = ir.StringAttr.get("private")
    outer = ir.FunctionType.get([_outer(kind.inputs[i]) for i in order], [_outer(type) for type in kind.results])
    with ir.InsertionPoint(module.body):
        wrapper = func.FuncOp("main", outer)
        wrapper.attributes["sym_visibility"] = ir.StringAttr.get("public")
        block = wrapper.add_entry_block()
    with ir.InsertionPoint(block):
        arguments = {
            old: _cast(_constrained(block.arguments[new], gathered.get(old)), kind.inputs[old])
            for new, old in enumerate(order)
        }
        called = ir.FlatSymbolRefAttr.get(ir.StringAttr(program.attributes["sym_name"]).value)
        call = func.CallOp(kind.results, called, [arguments[i] for i in range(len(order))])
        func.ReturnOp([_cast(result, _outer(result.type)) for result in call.results])


def _constrained(value, sharding):
    """Returns a value that XLA has in a sharding at this place."""
    if sharding is None:
        return value
    attributes = {"sharding": ir.Attribute.parse(sharding)}
    return ir.Operation.create("sdy.sharding_constraint", [value.type], [value], attributes).result


def _free_name(module):
    names = {ir.StringAttr(op.attributes["sym_name"]).value for op in module.body if "sym_name" in op.attributes}
    return next(name for name in map("program_{}".format, itertools.count()) if name not in names)


def _outer(type):
    """Returns a tensor type with the dtype that JAX has now."""
    tensor = ir.RankedTensorType(type)
    element = None if jax.config.jax_enable_x64 else _NARROW.get(str(tensor.element_type))
    if element is None:
        return type
    return ir.RankedTensorType.get([tensor.get_dim_size(i) for i in range(tensor.rank)], ir.Type.parse(element))


def _cast(value, type):
    return value if value.type == type else stablehlo.convert(type, value)
