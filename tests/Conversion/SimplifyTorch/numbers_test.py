"""Simplified programs compute the same as PyTorch, for every case of the op tables, as it is and decomposed.

Each case is tested with static sizes, with open sizes, and with constant tensors, which are folded at compile time.
"""

import functools

import pytest

from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram

CASES = aten_cases.CASES + aten_composite_cases.CASES


@functools.cache
def _program(form):
    forms = {"static": {}, "dynamic": {"dynamic": True}, "constant": {"literals": True}}
    functions = (case.program(**forms[form]).replace("@main(", f"@case{i}(") for i, case in enumerate(CASES))
    text = isthmus_opt("\n".join(functions), "--torch-decompose-complex-ops", "--simplify-torch")
    return TorchProgram(text)


@pytest.mark.parametrize("form", ["static", "dynamic", "constant"])
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_case(number, form):
    case = CASES[number]
    tensors = [] if form == "constant" else case.tensors
    results = _program(form).run(*tensors, function=f"case{number}")
    case.check([aten_cases.to_numpy(result) for result in results])
