"""ONNX's own node tests, judged and counted per op.

Every case ends as one of
  passed    the results are those that come with the test
  declined  the conversion reports that it does not support something
  unjudged  the program cannot be judged: the runtime lacks a dtype or a kernel, or the numbers are random
  failed    anything else, which is a bug
A file of outcomes has the counts for each op, and the reason for each case that did not pass.
"""

import collections
import functools
import multiprocessing
import re
import warnings

import numpy as np
import onnx
from onnx import numpy_helper

from isthmus import onnx_values

OUTCOMES = ["passed", "declined", "unjudged", "failed"]

# The relative precision that a dtype keeps over a few operations.
TOLERANCES = {"bfloat16": 2e-2, "float16": 5e-3}
# The sums of transforms cancel, so an element is only as precise as the largest one.
TRANSFORMS = {"DFT", "STFT"}
RANDOM = {"Bernoulli", "RandomUniformLike"}
# The cases of Dropout that drop elements.
DROPS = re.compile(r"test_training_dropout(_default)?(_mask)?$")


class Unjudged(Exception):
    """Raised if nothing here can judge whether the program is right."""


@functools.cache
def cases_by_op():
    """The cases of each op of ai.onnx. A model of several nodes belongs to the op of its first node."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    by_op = collections.defaultdict(list)
    for case in cases:
        if case.model and not any(node.domain for node in case.model.graph.node):
            expanded = case.name.endswith("_expanded")
            by_op["functions" if expanded else case.model.graph.node[0].op_type].append(case)
    return by_op


def as_meant(array, dtype):
    """The result of a dtype, given that of a program, which has to be of the dtype that stands for it."""
    if dtype.name in onnx_values.AS_BYTES:
        stored = onnx_values.AS_BYTES[dtype.name]
        assert array.dtype == stored, f"{array.dtype} for {dtype}"
        return onnx_values.meant(array, dtype)
    return array


def to_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def without_sequences(model, inputs, expected):
    """A copy of the model that takes and returns tensors in place of sequences and optionals, with its data."""
    model, arrays = onnx_values.with_tensor_inputs(model, [None if is_absent(data) else data for data in inputs])
    answers, results = {}, []
    for value, data in zip(model.graph.output, expected, strict=True):
        name = value.name
        if value.type.HasField("optional_type"):
            answers[name, "OptionalHasElement"] = not is_absent(data)
            name = f"{name}/value"
        if isinstance(data, list):
            answers[name, "SequenceLength"] = len(data)
        if not is_absent(data):
            results += data if isinstance(data, list) else [data]
    return onnx_values.with_tensor_outputs(model, answers), arrays, results


def is_absent(data):
    """Whether a test's data stand for an optional without a value."""
    return not isinstance(data, list) and data.shape == () and data.item() is None


def arrays_of(values):
    """Converts values to arrays, and sequences to lists of arrays."""
    return [[to_array(v) for v in value] if isinstance(value, list) else to_array(value) for value in values]


def check(results, expected, rtol, atol, is_transform=False):
    """Asserts that results equal those of a test, within tolerances."""
    assert len(results) == len(expected), f"{len(results)} results for {len(expected)}"
    for result, wanted in zip(results, expected):
        assert result.shape == wanted.shape, f"{result.shape} for {wanted.shape}"
        assert result.dtype == wanted.dtype, f"{result.dtype} for {wanted.dtype}"
        least = TOLERANCES.get(wanted.dtype.name, 1e-5)
        wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
        if is_transform:
            atol = 1e-6 * np.abs(wanted.astype(wide)).max()
        np.testing.assert_allclose(
            result.astype(wide), wanted.astype(wide), rtol=max(rtol, least), atol=max(atol, least)
        )


def judge(case, convert, run):
    """Returns how a case ends, and why.

    ONNX passes axes, shapes and the like as tensors. First they are inputs, then constants: small tensors of integers,
    then all small tensors. The first of these models that converts is run.

    Args:
      convert: converts a model to a program, or raises a RuntimeError.
      run: runs a program on arrays and returns results of the given dtypes; may raise Unjudged.
    """
    inputs, expected = map(arrays_of, case.data_sets[0])
    model, inputs, expected = without_sequences(case.model, inputs, expected)
    names = [value.name for value in model.graph.input]
    small = {n: a for n, a in zip(names, inputs) if a.ndim <= 1 and a.dtype in (np.int32, np.int64)}
    scalars = {n: a for n, a in zip(names, inputs) if a.ndim <= 1 and a.dtype.kind in "bif"}
    reason = ""
    for constants in ({}, small, scalars):
        try:
            program = convert(onnx_values.with_initializers(model, constants))
        except RuntimeError as error:
            reason = str(error)
            continue
        rest = [onnx_values.stored(array) for name, array in zip(names, inputs) if name not in constants]
        try:
            results = run(program, rest, [onnx_values.stored(array).dtype for array in expected])
            results = [as_meant(result, array.dtype) for result, array in zip(results, expected, strict=True)]
            ops = {node.op_type for node in case.model.graph.node}
            if RANDOM.intersection(ops) or DROPS.match(case.name):
                raise Unjudged("the numbers of another generator")
            is_transform = case.model.graph.node[0].op_type in TRANSFORMS
            check(results, expected, case.rtol, case.atol, is_transform)
        except Unjudged as error:
            return "unjudged", str(error)
        except (AssertionError, KeyError, RuntimeError, TypeError, ValueError) as error:
            return "failed", f"{type(error).__name__}: {error}"
        return "passed", ""
    said = re.findall(r"(?:.*error: )?(.*expected .*|.*no lowering.*|.*torch has no.*)", reason)
    return ("declined", said[0]) if said else ("failed", reason)


def block(op, outcomes):
    """The lines of an op in a file of outcomes."""
    counts = collections.Counter(outcome for _, outcome, _ in outcomes)
    lines = [f"{op:30}" + "".join(f"{counts[outcome]:10}" for outcome in OUTCOMES)]
    for name, outcome, reason in sorted(outcomes):
        if outcome != "passed":
            lines.append(f"  {outcome} {name}: {reason.splitlines()[0].strip()}")
    return lines


@functools.cache
def blocks(path):
    """Reads a file of outcomes; returns the lines of each op."""
    by_op = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        if not line.startswith(" "):
            op = line.split()[0]
            by_op[op] = []
        by_op[op].append(line)
    return by_op


def check_outcomes(path, op, outcomes):
    """Asserts that the cases of an op end as the file of outcomes says."""
    assert block(op, outcomes) == blocks(path)[op]


def write_outcomes(path, outcomes_of, ops):
    """Runs the cases of some ops, or of all, and writes how they end."""
    by_op = blocks(path) if ops else {}
    ops = ops or sorted(cases_by_op())
    with multiprocessing.Pool() as pool:
        for op, outcomes in zip(ops, pool.imap(outcomes_of, ops)):
            by_op[op] = block(op, outcomes)
            print("\n".join(by_op[op]), flush=True)
    lines = [f"{'op':30}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES)]
    for op in sorted(by_op):
        lines += by_op[op]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
