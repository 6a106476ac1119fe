"""Programs of other tests with one operand replaced by one that its op may not accept.

Each operand of each node gets another rank, dtype, size or number of elements, or is left out, given twice, or
absent. Results have no declared sizes, so that the lowering of an op sees the operand, and no earlier check stops it.
"""

import dataclasses
import functools
import re
from collections.abc import Callable

import numpy as np
from onnx import AttributeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from tests.EndToEnd import hostile_numbers, onnx_node_cases

UNKNOWN = None  # a size


@dataclasses.dataclass
class Mutant:
    """A program with one operand replaced."""

    name: str
    make: Callable  # returns the program: the bytes of an ONNX model, or a `TorchProgram`


def shapes_for(shape):
    """Other shapes to replace a shape, each with a description."""
    ranks = {
        "of rank 0": [],
        "without its first dim": shape[1:],
        "without its last dim": shape[:-1],
        "with a dim before": [1, *shape],
        "with a dim behind": [*shape, 2],
        "with several dims more": [2, 1, 3, *shape],
    }
    for what, other in ranks.items():
        if other != shape:
            yield what, other
    for i, own in enumerate(shape):
        for size in (0, 1, own + 1 if own is not UNKNOWN else 3, UNKNOWN):
            if size != own:
                yield f"of size {'?' if size is UNKNOWN else size} in dim {i}", [*shape[:i], size, *shape[i + 1 :]]


# ---- ONNX -----------------------------------------------------------------------------------------------------------

DTYPES = [
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.INT64,
    TensorProto.INT32,
    TensorProto.UINT8,
    TensorProto.BOOL,
    TensorProto.COMPLEX64,
    TensorProto.STRING,
    TensorProto.FLOAT8E4M3FN,
    TensorProto.INT4,
]
# The dtypes for which NumPy can make constants.
PLAIN_DTYPES = DTYPES[:7]


def _nodes(graph):
    """The nodes of a graph and of the graphs in them."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                yield from _nodes(attribute.g)


def _with_shape(value, shape):
    """A graph's input with another shape. None means unknown rank."""
    result = ValueInfoProto()
    result.CopyFrom(value)
    tensor = result.type.tensor_type
    tensor.ClearField("shape")
    if shape is not None:
        tensor.shape.SetInParent()
    for size in shape or []:
        dim = tensor.shape.dim.add()
        if size is not UNKNOWN:
            dim.dim_value = size
    return result


def _with_dtype(value, dtype):
    result = ValueInfoProto()
    result.CopyFrom(value)
    result.type.tensor_type.elem_type = dtype
    return result


def _input_mutants(value):
    """Values to replace a graph's input."""
    if not value.type.HasField("tensor_type"):
        return
    shape = [dim.dim_value if dim.HasField("dim_value") else UNKNOWN for dim in value.type.tensor_type.shape.dim]
    for what, other in shapes_for(shape):
        yield what, functools.partial(_with_shape, value, other)
    yield "of unknown rank", functools.partial(_with_shape, value, None)
    for dtype in DTYPES:
        if dtype != value.type.tensor_type.elem_type:
            yield f"of {TensorProto.DataType.Name(dtype)}", functools.partial(_with_dtype, value, dtype)


def _constant_mutants(tensor):
    """Values to replace a constant: constants of another shape or dtype, or inputs."""

    def reshaped(shape):
        if any(size is UNKNOWN for size in shape):
            return helper.make_tensor_value_info(tensor.name, tensor.data_type, shape)
        return numpy_helper.from_array(np.resize(numpy_helper.to_array(tensor), shape), tensor.name)

    def cast(dtype):
        own = numpy_helper.to_array(tensor)
        return numpy_helper.from_array(own.astype(helper.tensor_dtype_to_np_dtype(dtype)), tensor.name)

    if tensor.data_type not in PLAIN_DTYPES:
        return
    for what, shape in shapes_for(list(tensor.dims)):
        yield what, functools.partial(reshaped, shape)
    for dtype in PLAIN_DTYPES:
        if dtype != tensor.data_type:
            yield f"of {TensorProto.DataType.Name(dtype)}", functools.partial(cast, dtype)


def _list_mutants(names):
    """Other lists of operands, with one left out, given twice, or absent."""
    for i, name in enumerate(names):
        yield f"without operand {i}", [*names[:i], *names[i + 1 :]]
        yield f"with operand {i} twice", [*names[: i + 1], name, *names[i + 1 :]]
        if name:
            yield f"with operand {i} absent", [*names[:i], "", *names[i + 1 :]]
    yield "with an absent operand more", [*names, ""]
    if names:
        yield "without operands", []


def _model_mutants(name, model, inputs):
    """The mutants of a model of one node and of its inputs."""
    model = hostile_numbers.prepared(model, inputs)
    graph = model.graph

    def saved(made, dtypes_stay=True):
        for value in made.graph.output if not dtypes_stay else []:
            value.ClearField("type")
        return made.SerializeToString()

    def with_value(own, make, dtypes_stay):
        made = type(model)()
        made.CopyFrom(model)
        for values in (made.graph.input, made.graph.initializer):
            for value in values:
                if value.name == own.name:
                    values.remove(value)
                    break
        other = make()
        (made.graph.input if isinstance(other, ValueInfoProto) else made.graph.initializer).append(other)
        return saved(made, dtypes_stay)

    def with_operands(number, operands):
        made = type(model)()
        made.CopyFrom(model)
        node = list(_nodes(made.graph))[number]
        node.input[:] = operands
        return saved(made)

    for values, mutants in ((graph.input, _input_mutants), (graph.initializer, _constant_mutants)):
        for value in values:
            for what, make in mutants(value):
                dtypes_stay = not re.match("of [A-Z]", what)
                yield Mutant(f"{name}: {value.name} {what}", functools.partial(with_value, value, make, dtypes_stay))
    for number, node in enumerate(_nodes(graph)):
        for what, operands in _list_mutants(list(node.input)):
            yield Mutant(f"{name}: {node.name} {what}", functools.partial(with_operands, number, operands))


def onnx_mutants(case):
    """The mutants of a node test of ONNX."""
    inputs, expected = map(onnx_node_cases.arrays_of, case.data_sets[0])
    model, inputs, _ = onnx_node_cases.without_sequences(case.model, inputs, expected)
    return _model_mutants(case.name, model, inputs)


def onnxruntime_mutants(case):
    """The mutants of a node of onnxruntime's."""
    return _model_mutants(str(case), case.model(), case.arrays())


# ---- ATen -----------------------------------------------------------------------------------------------------------

TORCH_DTYPES = ["f32", "f64", "f16", "si64", "si32", "ui8", "i1", "complex<f32>"]
# Constants of other kinds, to replace an operand.
OTHERS = {
    "!torch.none": "torch.constant.none",
    "!torch.int": "torch.constant.int 1",
    "!torch.float": "torch.constant.float 1.5",
    "!torch.bool": "torch.constant.bool true",
    "!torch.str": 'torch.constant.str "sum"',
    "!torch.list<int>": "torch.prim.ListConstruct : () -> !torch.list<int>",
}

_TENSOR = re.compile(r"!torch\.vtensor<\[([^\]]*)\],(.*)>")
_CALL = re.compile(r"  (?:(?P<results>[^=]*) = )?(?P<op>torch\.\S+|return) ?(?P<operands>%[^:]*?)? ?: (?P<types>.*)")
_REJECTED = re.compile(r"expected a result of type '([^']*)', got '([^']*)'")


def _split(types):
    """Splits a list of types at its commas."""
    parts, depth = [""], 0
    for char in types.strip():
        depth += (char in "<[(") - (char in ">])")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _within(types):
    """Splits a list of types that may be in parentheses."""
    types = types.strip()
    return _split(types[1:-1] if types.startswith("(") else types)


def _tensor(sizes, dtype):
    return f"!torch.vtensor<[{','.join('?' if size is UNKNOWN else str(size) for size in sizes)}],{dtype}>"


@dataclasses.dataclass
class Call:
    """An op that has operands, or a list of operands. This includes `return`."""

    op: str
    operands: list
    results: list

    @property
    def is_list(self):
        return self.op == "torch.prim.ListConstruct"


class TorchProgram:
    """The text of a case in parts: lines without operands as text, ops with operands as `Call`, and types of values."""

    def __init__(self, text):
        head, *lines, _ = text.rstrip().splitlines()
        self.types, self.lines = {}, []
        self.arguments = re.findall(r"(%a\d+): ", head)
        for line in lines:
            call = _CALL.match(line)
            if not call:
                self.lines.append(line)
                continue
            operands, _, results = call["types"].partition(" -> ")
            names = _split(call["operands"] or "")
            made = Call(call["op"], names, _split(call["results"] or ""))
            self.types.update(zip(names, _within(operands), strict=True))
            self.types.update(zip(made.results, _within(results), strict=True))
            self.lines.append(made)
        for name, type_ in re.findall(r"(%a\d+): ([^%]*?)(?:, (?=%)|\) ->)", head):
            self.types[name] = type_

    @property
    def calls(self):
        return [line for line in self.lines if isinstance(line, Call)]

    def copy(self):
        made = object.__new__(TorchProgram)
        made.types, made.arguments = dict(self.types), self.arguments
        made.lines = [
            dataclasses.replace(line, operands=[*line.operands]) if isinstance(line, Call) else line
            for line in self.lines
        ]
        return made

    def _types_of(self, names):
        return ", ".join(self.types[name] for name in names)

    def text(self):
        head = ", ".join(f"{name}: {self.types[name]}" for name in self.arguments)
        text = f"func.func @main({head}) -> ({self._types_of(self.calls[-1].operands)}) {{\n"
        for line in self.lines:
            if not isinstance(line, Call):
                text += line + "\n"
                continue
            types = self._types_of(line.operands)
            if line.op == "return":
                text += f"  return {', '.join(line.operands)} : {types}\n"
                continue
            types = f"({types})" if line.is_list or not line.operands else types
            operands = ", ".join(line.operands)
            results = self._types_of(line.results)
            text += f"  {', '.join(line.results)} = {line.op} {operands} : {types} -> {results}\n"
        return text + "}\n"

    def forget_sizes(self):
        """Drops the sizes of results of ops. Their rank and dtype stay."""
        for call in self.calls:
            for name in call.results:
                if known := _TENSOR.fullmatch(self.types[name]):
                    self.types[name] = _tensor([UNKNOWN] * len(_split(known[1])), known[2])

    def correct(self, error):
        """Gives a result the type that an error of type inference asks for; returns whether there was such a result."""
        found = _REJECTED.search(error)
        for call in self.calls if found else []:
            for name in call.results:
                if self.types[name] == found[2] and found[1] != found[2]:
                    self.types[name] = found[1]
                    return True
        return False


def _other_types(type_):
    """Types to replace a tensor's type, each with a description."""
    own = _TENSOR.fullmatch(type_)
    if not own:
        return
    shape = [UNKNOWN if size == "?" else int(size) for size in _split(own[1])]
    for what, other in shapes_for(shape):
        yield what, _tensor(other, own[2])
    for dtype in TORCH_DTYPES:
        if dtype != own[2]:
            yield f"of {dtype}", _tensor(shape, dtype)
    yield "of unknown rank", f"!torch.vtensor<*,{own[2]}>"
    yield "of unknown dtype", _tensor(shape, "unk")


def _replaced(program, name, type_):
    made = program.copy()
    made.types[name] = type_
    return made


def _operands_replaced(program, number, operands):
    made = program.copy()
    made.calls[number].operands = operands
    return made


def _other_operand(program, number, at, type_):
    """The program with a constant of another type in place of an operand."""
    made = program.copy()
    call = made.calls[number]
    made.lines.insert(made.lines.index(call), f"  %other = {OTHERS[type_]}")
    made.types["%other"] = type_
    call.operands[at] = "%other"
    return made


def aten_mutants(case):
    """The mutants of an ATen op's program."""
    program = TorchProgram(case.program())
    program.forget_sizes()
    for name in program.arguments:
        for what, type_ in _other_types(program.types[name]):
            yield Mutant(f"{case.id}: {name} {what}", functools.partial(_replaced, program, name, type_))
    for number, call in enumerate(program.calls):
        if call.op == "return":
            continue
        for at, name in enumerate(call.operands):
            fewer = [*call.operands[:at], *call.operands[at + 1 :]]
            more = [*call.operands[: at + 1], *call.operands[at:]]
            where = f"{case.id}: {call.op} {call.results[0]}"
            for what, operands in (("without", fewer), ("twice", more)):
                # The number of an op's operands is fixed, but that of a list's elements is not.
                if call.is_list:
                    make = functools.partial(_operands_replaced, program, number, operands)
                    yield Mutant(f"{where} operand {at} {what}", make)
            for type_ in OTHERS:
                if not call.is_list and type_ != program.types[name]:
                    make = functools.partial(_other_operand, program, number, at, type_)
                    yield Mutant(f"{where} operand {at} of {type_}", make)
