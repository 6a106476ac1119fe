"""ONNX's own node tests: lowered to linalg and run in the embedded JIT.

onnx_node_linalg_outcomes.txt lists how the cases of each op end, and why if they do not pass. If a
lowering changes the outcomes, update the file with these commands, for all ops or for those that are named:
    cd bazel-bin/tests/EndToEnd/onnx_node_linalg_test.runfiles/isthmus
    PYTHONPATH=.:python python tests/EndToEnd/onnx_node_linalg_test.py Cast TopK
"""

import pathlib
import sys

import numpy as np
import pytest

import isthmus
from tests.EndToEnd import onnx_node_cases

OUTCOMES = pathlib.Path(__file__).with_name("onnx_node_linalg_outcomes.txt")


def convert(model):
    try:
        program = isthmus.import_onnx(model.SerializeToString()).lower("linalg")
        program.input_names(optimize=False)  # compiles
        return program
    except isthmus.IsthmusError as error:
        raise RuntimeError("\n".join(error.messages)) from error


def run(program, inputs, dtypes):
    results = [np.asarray(result) for result in program.run(*inputs, optimize=False)]
    # Integers of linalg have no sign, so an unsigned result arrives as signed. The test views its bytes as unsigned.
    return [r.view(d) if d.kind == "u" and d.itemsize == r.itemsize else r for r, d in zip(results, dtypes)]


def outcomes_of(op):
    return [(case.name, *onnx_node_cases.judge(case, convert, run)) for case in onnx_node_cases.cases_by_op()[op]]


@pytest.mark.parametrize("op", sorted(onnx_node_cases.cases_by_op()))
def test_op(op):
    onnx_node_cases.check_outcomes(OUTCOMES, op, outcomes_of(op))


if __name__ == "__main__":
    onnx_node_cases.write_outcomes(OUTCOMES, outcomes_of, sys.argv[1:])
