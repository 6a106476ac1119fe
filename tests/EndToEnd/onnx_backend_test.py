"""ONNX's conformance test, `onnx.backend.test`, of `isthmus.onnx_backend` with each target.

onnx_backend_outcomes.txt counts how the cases of each category end, and says of each one that is left out why. To rewrite
it, run the test as a program in the folder of its runfiles:
    cd bazel-bin/tests/EndToEnd/onnx_backend_test.runfiles/isthmus
    PYTHONPATH=.:python python tests/EndToEnd/onnx_backend_test.py
"""

import collections
import multiprocessing
import pathlib
import re
import unittest
import warnings

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.backend.test import BackendTest
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

import isthmus
from isthmus import onnx_backend

OUTCOMES = pathlib.Path(__file__).with_name("onnx_backend_outcomes.txt")
TARGETS = ["linalg", "stablehlo", "tosa"]

# Cases that no backend can pass, by the start of their names.
IMPOSSIBLE = {
    "test_bernoulli": "the numbers of another generator",
    "test_randomuniformlike": "the numbers of another generator",
    "test_training_dropout_default_cpu": "the numbers of another generator",
    "test_training_dropout_cpu": "the numbers of another generator",
    "test_training_dropout_default_mask_cpu": "the numbers of another generator",
    "test_training_dropout_mask_cpu": "the numbers of another generator",
}

# Tolerances where the elements of a result differ in size, or have few digits.
TOLERANCES = {
    "test_attention_4d_causal_fp16": {"rtol": 2e-3},
    "test_attention_4d_causal_fp16_expanded": {"rtol": 2e-3},
    "test_dft_inverse_opset19": {"atol": 1e-5},
    "test_stft": {"atol": 1e-4},
}


class InXla:
    """A StableHLO program, which XLA runs."""

    def __init__(self, program):
        self._text = program.text(weights="inline")

    def run(self, *arrays, **_):
        from tests.support.xla import run_stablehlo

        return run_stablehlo(self._text, *arrays)


class Prepared(onnx_backend.PreparedModel):
    def _compile(self, model):
        if self._output_type != "stablehlo":
            return super()._compile(model)
        return InXla(isthmus.compile(model, output_type="stablehlo"))


def backend_of(target):
    """The backend for a target. A case that the target cannot carry is left out, with the reason."""

    class Judged(onnx_backend.Backend):
        reason = None

        @classmethod
        def supports_device(cls, device):
            return device == "CPU"

        @classmethod
        def is_compatible(cls, model, device="CPU", **options):
            return True

        @classmethod
        def prepare(cls, model, device="CPU", **options):
            return Case(cls, model)

    class Case(onnx_backend.base.BackendRep):
        def __init__(self, judge, model):
            self._judge, self._model = judge, model

        def run(self, inputs):
            try:
                return Prepared(self._model, target, False, {}).run(inputs)
            except isthmus.UnsupportedError as error:
                self._judge.reason = error.messages[0].splitlines()[0].removeprefix("<bytes>: ")
                raise BackendIsNotSupposedToImplementIt(self._judge.reason) from error

    return Judged


def outcomes(target):
    """How each case ends: {category: {name: None if it passed, else why it is left out or failed}}."""
    judge = backend_of(target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        suites = BackendTest(judge, __name__, TOLERANCES).test_cases
        ends = {}
        for category, suite in suites.items():
            if "Real" in category:  # they are downloaded
                continue
            ends[category.removeprefix("OnnxBackend").removesuffix("ModelTest")] = of_category = {}
            for name in unittest.defaultTestLoader.getTestCaseNames(suite):
                if not name.endswith("_cpu"):
                    continue
                of_category[name.removesuffix("_cpu")] = end_of(suite(name), judge, name)
    return ends


def end_of(case, judge, name):
    if why := next((why for start, why in IMPOSSIBLE.items() if name.startswith(start)), None):
        return f"impossible: {why}"
    judge.reason, result = None, unittest.TestResult()
    case.run(result)
    if judge.reason:
        return f"left out: {judge.reason}"
    if result.wasSuccessful():
        return None
    trace = (result.failures + result.errors)[0][1].strip().splitlines()
    return f"failed: {next((line for line in reversed(trace) if 'Error' in line), trace[-1])}"


def lines_of(target, ends):
    lines = []
    for category, of_category in sorted(ends.items()):
        counts = collections.Counter("passed" if end is None else end.split(":")[0] for end in of_category.values())
        lines.append(f"{target} {category}: " + ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts)))
        lines += [f"  {name}: {end}" for name, end in sorted(of_category.items()) if end]
    return lines


@pytest.mark.parametrize("target", TARGETS)
def test_conformance(target):
    lines = OUTCOMES.read_text(encoding="utf-8").splitlines()
    expected, is_own = [], False
    for line in lines:
        is_own = line.startswith(f"{target} ") if not line.startswith(" ") else is_own
        if is_own:
            expected.append(line)
    assert lines_of(target, outcomes(target)) == expected
    assert not [line for line in expected if ": failed: " in line]


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        OUTCOMES.write_text(
            "".join(
                f"{line}\n" for target, ends in zip(TARGETS, pool.imap(outcomes, TARGETS)) for line in lines_of(target, ends)
            ),
            encoding="utf-8",
        )
