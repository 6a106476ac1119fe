"""Programs of other tests with one number replaced by a hostile one.

The numbers of a model cannot be trusted, no more than its bytes: they may be sizes that do not fit in memory,
numbers that overflow when they are negated, or numbers that no integer holds.
"""

import dataclasses
import functools
import math
import operator
import re
from collections.abc import Callable

import numpy as np
from onnx import AttributeProto, numpy_helper

from isthmus import onnx_values
from tests.EndToEnd import aten_cases, onnx_node_cases

SIZES = [0, 2**31, 10**11, 2**63 - 1]
INTEGERS = [-(2**63), 2**63 - 1, -1, 0, 2**31, 10**11]
NUMBERS = [math.nan, math.inf, -math.inf, -1.0, 0.0]
FLOATS = [*NUMBERS, 1e-300, 1e300]
# The most elements of tensors that hold sizes, axes, counts and scales. Data comes in longer tensors.
LONGEST = 8


@dataclasses.dataclass
class Variant:
    """A program with one number replaced."""

    name: str  # of the program, the number and its value
    names: frozenset  # of an ONNX model's nodes, inputs and outputs: an error must contain one of them
    make: Callable  # returns the program: the bytes of an ONNX model, or the text of a torch program


def values_for(dtype):
    """The hostile values that a NumPy dtype can hold, including its smallest and largest ones."""
    if dtype.isbuiltin != 1:  # the small dtypes of ml_dtypes
        return []
    if dtype.kind == "f":
        info = np.finfo(dtype)
        return [*NUMBERS, float(info.smallest_subnormal), float(info.max)]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return sorted({value if info.min <= value <= info.max else info.max for value in INTEGERS} | {int(info.min)})
    return []


def _is_short(array):
    return array.ndim <= 1 and array.size <= LONGEST and array.dtype.kind in "iuf"


def _attributes(graph):
    """The attributes of a graph's nodes and of the graphs in them."""
    for node in graph.node:
        for attribute in node.attribute:
            yield f"{node.name} {attribute.name}", attribute
            if attribute.type == AttributeProto.GRAPH:
                yield from _attributes(attribute.g)


def _tensor_places(name, tensor):
    array = numpy_helper.to_array(tensor)
    if not _is_short(array):
        return

    def put(i, value):
        replaced = array.copy()
        replaced.reshape(-1)[i] = value
        tensor.CopyFrom(numpy_helper.from_array(replaced, tensor.name))

    for i, own in enumerate(array.reshape(-1)):
        yield f"{name}[{i}]", values_for(array.dtype), own, functools.partial(put, i)


def _places(model):
    """The numbers of a model: for each a name, the values to try, its own value, and a function that replaces it."""
    graph = model.graph
    floats = values_for(np.dtype(np.float32))
    fields = {
        AttributeProto.INT: ("i", INTEGERS),
        AttributeProto.FLOAT: ("f", floats),
        AttributeProto.INTS: ("ints", INTEGERS),
        AttributeProto.FLOATS: ("floats", floats),
    }
    for name, attribute in _attributes(graph):
        field, values = fields.get(attribute.type, (None, None))
        if attribute.type == AttributeProto.TENSOR:
            yield from _tensor_places(name, attribute.t)
        elif field in ("i", "f"):
            yield name, values, getattr(attribute, field), functools.partial(setattr, attribute, field)
        elif field:
            numbers = getattr(attribute, field)
            for i, own in enumerate(numbers[:LONGEST]):
                yield f"{name}[{i}]", values, own, functools.partial(operator.setitem, numbers, i)
    for tensor in graph.initializer:
        yield from _tensor_places(tensor.name, tensor)
    for value in graph.input:
        for i, dim in enumerate(value.type.tensor_type.shape.dim):
            yield f"size {i} of {value.name}", SIZES, dim.dim_value, functools.partial(setattr, dim, "dim_value")


def prepared(model, inputs):
    """A copy of a model of one node. Its short inputs are constants, nodes have names, and results have no sizes."""
    names = [value.name for value in model.graph.input]
    short = {name: array for name, array in zip(names, inputs) if _is_short(array)}
    model = onnx_values.with_initializers(model, short)
    for i, node in enumerate(model.graph.node):
        node.name = node.name or f"{node.op_type}_{i}"
    del model.graph.value_info[:]
    for value in model.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    return model


def _model_variants(name_of_case, model, inputs):
    """The variants of a model of one node and of its inputs."""
    model = prepared(model, inputs)
    graph = model.graph
    names = frozenset(
        part.name for parts in (graph.node, graph.input, graph.output, graph.initializer) for part in parts
    )

    def with_number(put, value, own):
        put(value)
        made = model.SerializeToString()
        put(own)
        return made

    for name, values, own, put in _places(model):
        for value in values:
            make = functools.partial(with_number, put, value, own)
            yield Variant(f"{name_of_case}: {name} = {value}", names, make)


def onnx_variants(case):
    """The variants of a node test of ONNX."""
    inputs, expected = map(onnx_node_cases.arrays_of, case.data_sets[0])
    model, inputs, _ = onnx_node_cases.without_sequences(case.model, inputs, expected)
    return _model_variants(case.name, model, inputs)


def onnxruntime_variants(case):
    """The variants of a node of onnxruntime's."""
    return _model_variants(str(case), case.model(), case.arrays())


_NUMBER = re.compile(r"torch\.constant\.(int|float) (\S+)")


def aten_variants(case):
    """The variants of an ATen op's program. Its results have a rank but no sizes."""
    lines = case.program().splitlines()
    for at, line in enumerate(lines):
        head, arrow, results = line.rpartition("->") if "->" in line else line.rpartition("return")
        if arrow:
            results = re.sub(r"vtensor<\[([^\]]*)\]", lambda m: f"vtensor<[{re.sub(r'[0-9]+', '?', m[1])}]", results)
            lines[at] = head + arrow + results
    text = "\n".join(lines) + "\n"
    for constant in _NUMBER.finditer(text):
        kind = constant[1]
        for value in INTEGERS if kind == "int" else FLOATS:
            spelt = str(value) if kind == "int" else aten_cases._float_text(value)
            replaced = text[: constant.start(2)] + spelt + text[constant.end(2) :]
            at = text[: constant.start()].count("\n")
            yield Variant(f"{case.id}: line {at} = {value}", frozenset(), lambda replaced=replaced: replaced)
