"""ONNX's own node tests: imported, converted to the torch dialect, and run by PyTorch.

Every case ends as one of
  passed    the results are those that come with the test
  declined  the conversion says what it does not support
  unjudged  PyTorch lacks the dtype or a kernel for it, so nobody can say
  failed    anything else, which is a bug
onnx_node_counts.txt holds how many cases of each op end how. A lowering that changes them changes
the file: cd bazel-bin; PYTHONPATH=.. python ../tests/EndToEnd/onnx_node_test.py prints it, and on
stderr every case that did not pass with its reason.
"""

import collections
import functools
import multiprocessing
import pathlib
import re
import sys
import tempfile
import warnings

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper

from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram

COUNTS = pathlib.Path(__file__).with_name("onnx_node_counts.txt")
OUTCOMES = ["passed", "declined", "unjudged", "failed"]

# Dtypes that NumPy does not have, as PyTorch's dtype over the same bytes.
TORCH_DTYPES = {
    "bfloat16": torch.bfloat16,
    "float8_e4m3fn": torch.float8_e4m3fn,
    "float8_e4m3fnuz": torch.float8_e4m3fnuz,
    "float8_e5m2": torch.float8_e5m2,
    "float8_e5m2fnuz": torch.float8_e5m2fnuz,
}
# The fewest digits that a dtype keeps over a few operations.
TOLERANCES = {"bfloat16": 2e-2, "float16": 5e-3}


@functools.cache
def cases_by_op():
    """The cases of the ops of ai.onnx; models of several nodes stand under their first one's name."""
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


def to_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def to_torch(array):
    dtype = TORCH_DTYPES.get(array.dtype.name)
    if dtype is None:
        return torch.from_numpy(array.copy())
    bytes_as = np.int16 if dtype == torch.bfloat16 else np.uint8
    return torch.from_numpy(array.view(bytes_as).copy()).view(dtype)


def with_constants(model, constants):
    """The model with some inputs as initializers."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    kept = [i for i in model.graph.input if i.name not in constants]
    del result.graph.input[:]
    result.graph.input.extend(kept)
    for name, array in constants.items():
        result.graph.initializer.append(numpy_helper.from_array(array, name))
    return result


def convert(model):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.onnx")
        onnx.save(model, path)
        return isthmus_opt("", str(path), "--convert-onnx-to-torch-pipeline")


def check(program, inputs, expected, rtol, atol):
    results = TorchProgram(program).run(*map(to_torch, inputs))
    assert len(results) == len(expected), f"{len(results)} results for {len(expected)}"
    for result, wanted in zip(results, expected):
        assert list(result.shape) == list(wanted.shape), f"{result.shape} for {wanted.shape}"
        wanted = to_torch(wanted)
        assert result.dtype == wanted.dtype, f"{result.dtype} for {wanted.dtype}"
        least = TOLERANCES.get(str(wanted.dtype).removeprefix("torch."), 1e-5)
        torch.testing.assert_close(
            result.to(torch.complex128 if result.dtype.is_complex else torch.float64),
            wanted.to(torch.complex128 if result.dtype.is_complex else torch.float64),
            rtol=max(rtol, least),
            atol=max(atol, least),
            equal_nan=True,
        )


def judge(case):
    """How a case ends, and why.

    What ONNX passes as tensors (axes, shapes) may be known at run time only or while compiling;
    the first of both that converts is run.
    """
    try:
        inputs, expected = ([to_array(v) for v in values] for values in case.data_sets[0])
    except (TypeError, ValueError) as error:
        return "declined", f"not tensors: {error}"
    names = [value.name for value in case.model.graph.input]
    small = {n: a for n, a in zip(names, inputs) if a.ndim <= 1 and a.dtype in (np.int32, np.int64)}
    scalars = {n: a for n, a in zip(names, inputs) if a.ndim <= 1 and a.dtype.kind in "bif"}
    reason = ""
    for constants in ({}, small, scalars):
        try:
            program = convert(with_constants(case.model, constants))
        except RuntimeError as error:
            reason = str(error)
            continue
        rest = [array for name, array in zip(names, inputs) if name not in constants]
        try:
            check(program, rest, expected, case.rtol, case.atol)
        except NotImplementedError as error:
            return "unjudged", str(error)
        except (AssertionError, KeyError, RuntimeError, TypeError, ValueError) as error:
            no_kernel = re.search("not implemented for|can't convert np.ndarray", str(error))
            kind = "unjudged" if no_kernel else "failed"
            return kind, f"{type(error).__name__}: {error}"
        return "passed", ""
    said = re.findall(r"error: (.*expected .*|.*no lowering.*|.*torch has no.*)", reason)
    return ("declined", said[0]) if said else ("failed", reason)


def outcomes_of(op):
    return [(case.name, *judge(case)) for case in cases_by_op()[op]]


def row(op, outcomes):
    counts = collections.Counter(outcome for _, outcome, _ in outcomes)
    return f"{op:30}" + "".join(f"{counts[outcome]:10}" for outcome in OUTCOMES)


@functools.cache
def expected_rows():
    return {line.split()[0]: line for line in COUNTS.read_text(encoding="utf-8").splitlines()[1:]}


@pytest.mark.parametrize("op", sorted(cases_by_op()))
def test_op(op):
    outcomes = outcomes_of(op)
    for name, outcome, reason in outcomes:
        if outcome != "passed":
            print(f"{outcome} {name}: {reason}")
    assert row(op, outcomes) == expected_rows()[op]


if __name__ == "__main__":
    print(f"{'op':30}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES))
    ops = sorted(cases_by_op())
    with multiprocessing.Pool() as pool:
        for op, outcomes in zip(ops, pool.imap(outcomes_of, ops)):
            print(row(op, outcomes), flush=True)
            for name, outcome, reason in outcomes:
                if outcome != "passed":
                    print(outcome, name, reason, file=sys.stderr, flush=True)
