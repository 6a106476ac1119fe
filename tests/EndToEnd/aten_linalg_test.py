"""Every core ATen op through linalg and the JIT, with known sizes and with unknown ones."""

import pytest

import isthmus
from tests.EndToEnd import aten_cases
from tests.support.isthmus_opt import isthmus_opt


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", aten_cases.CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    text = isthmus_opt(case.program(dynamic), "--convert-torch-to-linalg", "--canonicalize", "--cse")
    results = isthmus.parse(text).run(*case.inputs)
    case.check(results)
