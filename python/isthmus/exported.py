"""Runs an exported program with PyTorch's operators, one by one, without PyTorch's loader.

`torch.export.load` executes file contents: it unpickles objects, evaluates size expressions, and turns names and guards
into source text. This module reads the graph as data. Weights are bytes, and sizes come from tensors. A node can call
only operators that Isthmus knows or that have a registered kernel.
"""

import functools
import json
import math
import operator
import zipfile

import torch
from torch._export.serde import serialize as serde

from isthmus import kernels, ops
from isthmus.errors import InputError, UnsupportedError


class Program:
    """The program of a `.pt2` file.

    Attributes:
      inputs: the names of the tensor and number inputs, in order.
    """

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self._records = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        (model,) = [
            name[len("models/") : -len(".json")]
            for name in self._records
            if name.startswith("models/") and name.endswith(".json")
        ]
        module = self._json(f"models/{model}.json")["graph_module"]
        self._graph, signature = module["graph"], module["signature"]
        self._input_specs, self._output_specs = signature["input_specs"], signature["output_specs"]
        self._weights = {}
        for kind in ("constants", "weights"):
            self._read_tensors(f"data/{kind}/", f"{model}_{kind}_config.json")
        arguments = zip(map(_pair, self._input_specs), self._graph["inputs"])
        self._given = [_pair(leaf) for (kind, _), leaf in arguments if kind == "user_input"]
        self.inputs = [_name(kind, value) for kind, value in self._given if _name(kind, value)]

    def _json(self, name):
        return json.loads(self._records[name])

    def _read_tensors(self, folder, config):
        """Adds the tensors of a folder; tensors of one record share their memory."""
        buffers = {}
        for name, payload in self._json(folder + config)["config"].items():
            if payload["use_pickle"]:
                continue  # the importer refuses a graph that uses it
            meta, path = payload["tensor_meta"], payload["path_name"]
            buffer = buffers.setdefault(path, bytearray(self._records[folder + path]))
            dtype = serde._SERIALIZE_TO_TORCH_DTYPE[meta["dtype"]]
            whole = torch.empty(0, dtype=dtype)
            if count := len(buffer) // dtype.itemsize:
                whole = torch.frombuffer(buffer, dtype=dtype, count=count)
            size, stride = ([each["as_int"] for each in meta[key]] for key in ("sizes", "strides"))
            # This fails if the view is not inside the storage.
            self._weights[name] = whole.as_strided(size, stride, meta["storage_offset"]["as_int"])

    def make_inputs(self, specialize):
        """Returns a tensor per input: normal floats, small integers, with the sizes of the export.

        Args:
          specialize: sizes by input name, which override those of the export.

        Raises:
          InputError: the file does not record the size of a dynamic dimension.
        """
        generator = torch.Generator().manual_seed(0)
        values, findings = [], []
        for kind, value in self._given:
            name = _name(kind, value)
            if not name:
                continue
            if kind != "as_tensor":
                number = _hint(self._graph["sym_int_values"][name])
                values.append(None if number is None else torch.tensor(number))
            else:
                meta = self._graph["tensor_values"][name]
                sizes = specialize.get(name) or [_hint(size) for size in meta["sizes"]]
                dtype = serde._SERIALIZE_TO_TORCH_DTYPE[meta["dtype"]]
                values.append(None if None in sizes else _random(sizes, dtype, generator))
            if values[-1] is None:
                findings.append(f"input '{name}': expected a file, as its sizes are not known")
        if findings:
            raise InputError(findings)
        return values

    def run(self, inputs):
        """Returns the program's outputs as tensors; a number is a tensor of rank 0."""
        given, scope = iter(inputs), {}
        for spec, leaf in zip(self._input_specs, self._graph["inputs"]):
            kind, value = _pair(leaf)
            name = _name(kind, value)
            if not name:
                continue  # a constant of the export
            role, description = _pair(spec)
            key = {"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}
            if role == "user_input":
                scope[name] = next(given) if kind == "as_tensor" else next(given).item()
            elif role in key:
                scope[name] = self._weights[description[key[role]]]
            else:
                scope[name] = None  # a token that orders effects
        with torch.no_grad():
            results = _run_graph(self._graph, scope)
        leaves = zip(map(_pair, self._output_specs), map(_pair, self._graph["outputs"]), results)
        return [
            _tensor(result)
            for (role, _), (kind, value), result in leaves
            if role in ("user_output", "loss_output") and _name(kind, value)
        ]


def _pair(union):
    """Returns the only pair of a union, an object such as {"as_int": 4}."""
    (pair,) = union.items()
    return pair


def _name(kind, value):
    """Returns the name of the value of an argument; None for a constant."""
    if kind == "as_tensor":
        return value["name"]
    return value.get("as_name") if kind.startswith("as_sym_") and isinstance(value, dict) else None


def _hint(size):
    """Returns a dynamic size's value at export; None if the file does not record it."""
    kind, value = _pair(size)
    if kind == "as_int":
        return value
    hint = value.get("hint")
    return hint and _pair(hint)[1]


def _tensor(value):
    """Returns a number as a tensor; a Python float becomes float64."""
    dtype = torch.float64 if isinstance(value, float) else None
    return value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=dtype)


def _random(sizes, dtype, generator):
    if dtype.is_floating_point or dtype.is_complex:
        kind = torch.complex64 if dtype.is_complex else torch.float32
        return torch.randn(sizes, generator=generator, dtype=kind).to(dtype)
    return torch.randint(0, 2, sizes, generator=generator).to(dtype)


# -----------------------------------------------------------------------------
# Graphs
# -----------------------------------------------------------------------------


def _run_graph(graph, scope):
    for node in graph["nodes"]:
        _bind(node["outputs"], _run_node(node, scope), scope)
    return [_value(output, scope) for output in graph["outputs"]]


def _call_graph(graph, *arguments):
    """Runs a graph argument, which sees only its own arguments, and returns its results."""
    names = [_name(*_pair(leaf)) for leaf in graph["inputs"]]
    return _run_graph(graph, {name: value for name, value in zip(names, arguments, strict=True) if name})


def _bind(outputs, result, scope):
    """Binds the results of a node to their names."""
    if len(outputs) != 1:
        for output, each in zip(outputs, result or ()):
            _bind([output], each, scope)
        return
    kind, value = _pair(outputs[0])
    if isinstance(value, list):
        for each, one in zip(value, result):
            scope[_name(kind.removesuffix("s"), each)] = one
    elif name := _name(kind, value):
        scope[name] = result[0] if isinstance(result, (list, tuple)) else result


def _run_node(node, scope):
    target = node["target"]
    if target.startswith("torch.ops.higher_order."):
        return _run_higher_order(target.rpartition(".")[2], node, scope)
    arguments = {each["name"]: _value(each["arg"], scope) for each in node["inputs"]}
    if target.startswith("torch.ops."):
        return _operator(target)(**arguments)
    module, _, name = target.rpartition(".")
    if module in ("_operator", "math", "torch") and name in _SCALAR_FUNCTIONS:
        return _SCALAR_FUNCTIONS[name](*arguments.values())
    raise UnsupportedError([f"'{target}': expected an operator that Isthmus knows"])


# Functions of numbers, as in Symbols.cpp of the importer.
_SCALAR_FUNCTIONS = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "floordiv", "mod", "pow", "truediv")},
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "and_", "or_", "neg", "pos")},
    "_sym_sqrt": math.sqrt,
    "sym_float": float,
    "sym_int": int,
    "sym_ite": lambda condition, x, y: x if condition else y,
    "sym_max": max,
    "sym_min": min,
    "sym_not": operator.not_,
    "trunc": math.trunc,
}


def _is_known(name):
    """Whether an operator only computes; some PyTorch operators write files."""
    functional = ".".join(
        part.removesuffix("_") if i == 1 and not part.endswith("__") else part for i, part in enumerate(name.split("."))
    )
    return (
        not ops.imported_operators().isdisjoint((name, functional))
        or name.startswith(("aten._assert_", "aten.sym_constrain_range"))
        or name in kernels.registered()
    )


def _operator(target):
    name = target.removeprefix("torch.ops.").removesuffix(".default")
    namespace, _, rest = name.partition(".")
    packet, _, overload = rest.partition(".")
    found = None
    if _is_known(name):
        found = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")
    if not isinstance(found, torch._ops.OpOverload):
        raise UnsupportedError([f"'{target}': expected an operator that Isthmus knows, or one with a kernel"])
    return found


def _value(argument, scope):
    """Returns the value of a node's argument."""
    kind, value = _pair(argument)
    match kind:
        case "as_none":
            return None
        case "as_int" | "as_bool" | "as_string" | "as_ints" | "as_bools" | "as_strings":
            return value
        case "as_float":
            return float(value)  # infinities are strings
        case "as_floats":
            return [float(each) for each in value]
        case "as_complex":
            return complex(float(value["real"]), float(value["imag"]))
        case "as_tensor" | "as_sym_int" | "as_sym_float" | "as_sym_bool":
            name = _name(kind, value)
            return scope[name] if name else _pair(value)[1]
        case "as_tensors" | "as_sym_ints" | "as_sym_floats" | "as_sym_bools":
            return [_value({kind.removesuffix("s"): each}, scope) for each in value]
        case "as_optional_tensors":
            return [_value(each, scope) for each in value]
        case "as_nested_tensors":
            return [[scope[each["name"]] for each in inner] for inner in value]
        case "as_scalar_type":
            return serde._SERIALIZE_TO_TORCH_DTYPE[value]
        case "as_memory_format":
            return serde._SERIALIZE_TO_TORCH_MEMORY_FORMAT[value]
        case "as_layout":
            return serde._SERIALIZE_TO_TORCH_LAYOUT[value]
        case "as_device":
            return torch.device("cpu")  # the only device of Isthmus
        case "as_graph":
            return functools.partial(_call_graph, value["graph"])
        case "as_operator":
            return _operator(value)
        case "as_string_to_argument":
            return {name: _value(each, scope) for name, each in value.items()}
    raise UnsupportedError([f"expected an argument of a kind that Isthmus knows, got '{kind}'"])


# -----------------------------------------------------------------------------
# Graphs in graphs
# -----------------------------------------------------------------------------


def _run_higher_order(name, node, scope):
    values = [_value(each["arg"], scope) for each in node["inputs"]]
    match name:
        case "cond":
            chosen = values[1] if values[0] else values[2]
            return chosen(*_flat(values[3:]))
        case "while_loop":
            condition, body, carried, *rest = values
            while condition(*carried, *_flat(rest))[0]:
                carried = body(*carried, *_flat(rest))
            return carried
        case "map_impl":
            body, lists, *rest = values
            rows = [body(*row, *_flat(rest)) for row in zip(*lists, strict=True)]
            return [torch.stack(column) for column in zip(*rows, strict=True)]
        case "scan":
            body, carried, lists, *rest = values
            rows = []
            for row in zip(*lists, strict=True):
                results = body(*carried, *row, *_flat(rest))
                carried = results[: len(carried)]
                rows.append(results[len(carried) :])
            return [*carried, *(torch.stack(column) for column in zip(*rows, strict=True))]
        case "out_dtype":
            return torch.ops.higher_order.out_dtype(*values)
        case "with_effects":
            _, call, *arguments = values
            result = call(*arguments)
            return [None, *(result if isinstance(result, (list, tuple)) else [result])]
        case "print":
            return None
        case (
            "hints_wrapper"
            | "invoke_subgraph"
            | "strict_mode"
            | "tag_activation_checkpoint"
            | "wrap_activation_checkpoint"
            | "wrap_with_autocast"  # the importer refuses it with casts
            | "wrap_with_set_grad_enabled"
        ):
            at = next(i for i, value in enumerate(values) if isinstance(value, functools.partial))
            keywords = [each["kind"] == 2 for each in node["inputs"]]
            operands = [
                v for v, k in zip(values[at + 1 :], keywords[at + 1 :]) if not (k or isinstance(v, (str, dict)))
            ]
            return values[at](*_flat(operands))
    raise UnsupportedError([f"'{name}': expected a higher-order operator that verify runs"])


def _flat(values):
    """Returns the values with lists flattened."""
    return [each for value in values for each in (value if isinstance(value, (list, tuple)) else [value])]
