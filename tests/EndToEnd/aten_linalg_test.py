"""Every ATen op through linalg and the JIT, with known sizes and with unknown ones."""

import pytest

import isthmus
from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.support.isthmus_opt import isthmus_opt

CASES = aten_cases.CASES + aten_composite_cases.CASES + aten_complex_cases.CASES


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    text = isthmus_opt(case.program(dynamic), "--torch-to-linalg-pipeline", "--canonicalize", "--cse")
    module = isthmus.parse(text)
    case.check(module.run(*case.inputs))
