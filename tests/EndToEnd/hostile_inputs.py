"""Programs of other tests, with inputs that nobody means: sizes that do not fit together, and hostile numbers.

A program's sizes are open where it lowers so. Its inputs are changed one at a time: all elements, or the first, are a
number of `NUMBERS`; a dim is empty, has one element, or one more.
"""

import dataclasses
import functools
from collections.abc import Callable

import numpy as np

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases, onnx_node_cases, onnxruntime_cases

INTEGERS = [-(2**63), 2**63 - 1, -(2**31), 2**31, 2**32, 2**62, 10**11, -1, 0, 1]
FLOATS = [np.nan, np.inf, -np.inf, 3e38, -1.0, 0.0]


@dataclasses.dataclass
class Program:
    """A program that lowers to `target`, and inputs with which it runs."""

    name: str
    op: str
    target: str
    lower: Callable  # gives a module
    inputs: list


def _with_open_sizes(model):
    result = type(model)()
    result.CopyFrom(model)
    del result.graph.value_info[:]
    for value in [*result.graph.input, *result.graph.output]:
        for i, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"{value.name}_{i}"
    return result


def _lower_onnx(models, target):
    """The first model that lowers."""
    for model in models[:-1]:
        try:
            return isthmus.import_onnx(model.SerializeToString()).lower(target)
        except isthmus.IsthmusError:
            pass
    return isthmus.import_onnx(models[-1].SerializeToString()).lower(target)


def _onnx_programs(name, op, model, inputs):
    for target in ("linalg", "tosa"):
        models = [model] if target == "tosa" else [_with_open_sizes(model), model]
        yield Program(f"{name} {target}", op, target, functools.partial(_lower_onnx, models, target), inputs)


def _lower_aten(text, target):
    return isthmus.parse(text).lower(target)


def programs():
    """All programs."""
    for op, cases in onnx_node_cases.cases_by_op().items():
        for case in cases:
            inputs, expected = map(onnx_node_cases.arrays_of, case.data_sets[0])
            model, inputs, _ = onnx_node_cases.without_sequences(case.model, inputs, expected)
            yield from _onnx_programs(case.name, op, model, inputs)
    for case in onnxruntime_cases.CASES:
        op = f"{onnxruntime_cases.DOMAIN}.{case.op}"
        yield from _onnx_programs(str(case), op, case.model(), case.arrays())
    for case in [*aten_cases.CASES, *aten_composite_cases.CASES]:
        for target in ("linalg", "tosa"):
            lower = functools.partial(_lower_aten, case.program(dynamic=target == "linalg"), target)
            yield Program(f"{case.id} {target}", case.op, target, lower, case.inputs)


def _numbers(dtype):
    if dtype.kind in "iu" and dtype.isbuiltin == 1:
        info = np.iinfo(dtype)
        return sorted({min(max(value, int(info.min)), int(info.max)) for value in INTEGERS})
    return FLOATS if dtype.kind == "f" else []


def _changes(array):
    """What an input may become, each with a name."""
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
    """The inputs with one of them changed: pairs of a name and all inputs."""
    for i, array in enumerate(inputs):
        array = np.asarray(array)
        for name, changed in _changes(array):
            yield f"input {i}: {name}", [*inputs[:i], changed, *inputs[i + 1 :]]
