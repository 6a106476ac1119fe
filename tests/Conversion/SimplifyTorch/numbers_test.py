"""Simplified programs compute what PyTorch computes: every case of the op tables, alone and behind its decomposition."""

import functools

import pytest

from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram

CASES = aten_cases.CASES + aten_composite_cases.CASES


@functools.cache
def _program(dynamic):
    functions = (case.program(dynamic).replace("@main(", f"@case{i}(") for i, case in enumerate(CASES))
    text = isthmus_opt("\n".join(functions), "--torch-decompose-complex-ops", "--simplify-torch")
    return TorchProgram(text)


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_case(number, dynamic):
    case = CASES[number]
    results = _program(dynamic).run(*case.tensors, function=f"case{number}")
    case.check([aten_cases.to_numpy(result) for result in results])
