"""Programs of other tests with hostile inputs: sizes that do not fit together, and extreme numbers.

On each target, a program has open sizes if it lowers with them. Its inputs are changed one at a time: all elements,
or the first, become a number of `INTEGERS` or `FLOATS`; or a dim becomes empty, of one element, or one element longer.
"""

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
import onnx

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases, contrib_cases, onnx_node_cases

INTEGERS = [-(2**63), 2**63 - 1, -(2**31), 2**31, 2**32, 2**62, 10**11, -1, 0, 1]
FLOATS = [np.nan, np.inf, -np.inf, 3e38, -1.0, 0.0]


@dataclasses.dataclass
class Program:
    """A program that lowers to `target`, and valid inputs for it."""

    name: str
    op: str
    target: str
    lower: Callable  # gives a module
    inputs: list


@dataclasses.dataclass
class OpenProgram:
    """A program with open sizes, and inputs of the sizes that the original program has."""

    name: str
    op: str
    make: Callable  # gives a module
    inputs: list


def _with_open_sizes(model, keeps_lists=False):
    """The model with names in place of sizes. With `keeps_lists`, lists of integers, such as shapes, keep theirs."""
    result = type(model)()
    result.CopyFrom(model)
    del result.graph.value_info[:]
    integers = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)
    for value in [*result.graph.input, *result.graph.output]:
        tensor = value.type.tensor_type
        if keeps_lists and tensor.elem_type in integers and len(tensor.shape.dim) < 2:
            continue
        for i, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"{value.name}_{i}"
    return result


def _lower_first(makers, target):
    """Lowers the first program that can be lowered to the target."""
    for make in makers[:-1]:
        try:
            return make().lower(target)
        except isthmus.IsthmusError:
            pass
    return makers[-1]().lower(target)


def _programs(name, op, makers, inputs):
    for target in ("linalg", "tosa"):
        yield Program(f"{name} {target}", op, target, functools.partial(_lower_first, makers, target), inputs)


def _sources():
    """For each case: its name, its op, functions that make a module of it, and its inputs.

    The first functions make modules with open sizes, the last one a module with the case's own sizes.
    """

    def from_onnx(name, op, model, inputs):
        models = [_with_open_sizes(model), _with_open_sizes(model, keeps_lists=True), model]
        return name, op, [lambda m=m: isthmus.import_onnx(m.SerializeToString()) for m in models], inputs

    for op, cases in onnx_node_cases.cases_by_op().items():
        for case in cases:
            inputs, expected = map(onnx_node_cases.arrays_of, case.data_sets[0])
            model, inputs, _ = onnx_node_cases.without_sequences(case.model, inputs, expected)
            yield from_onnx(case.name, op, model, inputs)
    for op, case in contrib_cases.named_cases():
        yield from_onnx(str(case), op, case.model(), case.arrays())
    for case in [*aten_cases.CASES, *aten_composite_cases.CASES]:
        texts = [case.program(dynamic=True), case.program(dynamic=False)]
        yield case.id, case.op, [lambda t=t: isthmus.parse(t) for t in texts], case.inputs


def programs():
    """All programs, for Linalg and for TOSA."""
    for name, op, makers, inputs in _sources():
        yield from _programs(name, op, makers, inputs)


def open_programs():
    """All programs with open sizes, whether they lower or not."""
    for name, op, makers, inputs in _sources():
        yield OpenProgram(name, op, makers[-2], inputs)


def _numbers(dtype):
    if dtype.kind in "iu" and dtype.isbuiltin == 1:
        info = np.iinfo(dtype)
        return sorted({min(max(value, int(info.min)), int(info.max)) for value in INTEGERS})
    return FLOATS if dtype.kind == "f" else []


def _changes(array):
    """Hostile arrays to replace an input, each with a name."""
    for value in _numbers(array.dtype):
        with np.errstate(over="ignore"):
            yield f"all {value}", np.full_like(array, value)
            if array.size > 1:
                first = array.copy()
                first.flat[0] = value
                yield f"first {value}", first
    for dim, size in enumerate(array.shape):
        for other in {0, 1, size + 1} - {size}:
            shape = (*array.shape[:dim], other, *array.shape[dim + 1 :])
            yield f"size {dim} of {other}", np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)


def hostile(inputs):
    """Yields the inputs with one of them changed, as pairs of a name and all inputs."""
    for i, array in enumerate(inputs):
        array = np.asarray(array)
        for name, changed in _changes(array):
            yield f"input {i}: {name}", [*inputs[:i], changed, *inputs[i + 1 :]]
