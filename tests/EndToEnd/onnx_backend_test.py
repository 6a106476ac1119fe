"""ONNX's conformance test, `onnx.backend.test`, of `isthmus.onnx_backend` with each target.

onnx_backend_outcomes.txt counts how the cases of each category end, and says of each one that is left out why. To rewrite
it, run the test as a program in the folder of its runfiles:
    cd bazel-bin/tests/EndToEnd/onnx_backend_test.runfiles/isthmus
    PYTHONPATH=.:python python tests/EndToEnd/onnx_backend_test.py
"""

import collections
import multiprocessing
import pathlib
import unittest
import warnings

import pytest
from onnx.backend.test import BackendTest
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

import isthmus
from isthmus import onnx_backend

OUTCOMES = pathlib.Path(__file__).with_name("onnx_backend_outcomes.txt")
TARGETS = ["linalg", "stablehlo", "tosa"]
OPTIONS = {"tosa": {"narrow_f64": True}}  # it has no f64

# Cases that are not run, by the start of their names.
EXCLUDED = {
    "test_bernoulli": "the numbers of another generator",
    "test_randomuniformlike": "the numbers of another generator",
    "test_training_dropout_default_cpu": "the numbers of another generator",
    "test_training_dropout_cpu": "the numbers of another generator",
    "test_training_dropout_default_mask_cpu": "the numbers of another generator",
    "test_training_dropout_mask_cpu": "the numbers of another generator",
}
# f64 becomes f32.
EXCLUDED_OF = {
    "tosa": {
        "test_operator_add_broadcast_cpu": "numbers beyond the range of f32",
        "test_operator_add_size1_right_broadcast": "numbers beyond the range of f32",
        "test_operator_add_size1_singleton_broadcast": "numbers beyond the range of f32",
        "test_operator_addconstant": "numbers beyond the range of f32",
    },
}

# Tolerances where the elements of a result differ in size, or have few digits.
TOLERANCES = {
    "test_dft_inverse": {"atol": 1e-5},
    "test_attention_4d_causal_fp16": {"rtol": 2e-3},
    "test_attention_4d_causal_fp16_expanded": {"rtol": 2e-3},
    "test_dft_inverse_opset19": {"atol": 1e-5},
    "test_stft": {"atol": 1e-4},
}
TOLERANCES_OF = {
    "tosa": {
        # TOSA divides by multiplying with a reciprocal, so a quotient near a half is rounded to the other side.
        "test_dynamicquantizelinear": {"atol": 1},
        "test_dynamicquantizelinear_expanded": {"atol": 1},
    },
}


class InXla:
    """A StableHLO program, which XLA runs."""

    def __init__(self, program):
        self.text = program.text(weights="inline")

    def run(self, *arrays, **_):
        from tests.support.xla import run_stablehlo

        return run_stablehlo(self.text, *arrays)


class Prepared(onnx_backend.PreparedModel):
    def _compile(self, model):
        if self._output_type != "stablehlo":
            return super()._compile(model)
        program = InXla(isthmus.compile(model, output_type="stablehlo"))
        if "?" in program.text:  # the sizes of inputs are known
            raise isthmus.UnsupportedError(["XLA compiles no sizes that are known at run time only"])
        return program


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
                return Prepared(self._model, target, False, OPTIONS.get(target, {})).run(inputs)
            except isthmus.UnsupportedError as error:
                self._judge.reason = error.messages[0].splitlines()[0].removeprefix("<bytes>: ")
                raise BackendIsNotSupposedToImplementIt(self._judge.reason) from error

    return Judged


def outcomes(target):
    """How each case ends: {category: {name: None if it passed, else why it is left out or failed}}."""
    judge = backend_of(target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        suites = BackendTest(judge, __name__, TOLERANCES | TOLERANCES_OF.get(target, {})).test_cases
        ends = {}
        for category, suite in suites.items():
            if "Real" in category:  # they are downloaded
                continue
            ends[category.removeprefix("OnnxBackend").removesuffix("ModelTest")] = of_category = {}
            for name in unittest.defaultTestLoader.getTestCaseNames(suite):
                if not name.endswith("_cpu"):
                    continue
                of_category[name.removesuffix("_cpu")] = end_of(
                    suite(name), judge, name, EXCLUDED | EXCLUDED_OF.get(target, {})
                )
    return ends


def end_of(case, judge, name, excluded):
    if why := next((why for start, why in excluded.items() if name.startswith(start)), None):
        return f"excluded: {why}"
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
                f"{line}\n"
                for target, ends in zip(TARGETS, pool.imap(outcomes, TARGETS))
                for line in lines_of(target, ends)
            ),
            encoding="utf-8",
        )
