"""The types in the text of every ATen case agree with PyTorch's results, for known and unknown sizes."""

import functools

import pytest

from tests.EndToEnd import aten_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram


@functools.cache
def _program(dynamic):
    """All cases as functions of one module, parsed and printed by isthmus-opt."""
    functions = (case.program(dynamic).replace("@main(", f"@case{i}(") for i, case in enumerate(aten_cases.CASES))
    return TorchProgram(isthmus_opt("\n".join(functions)))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("number", range(len(aten_cases.CASES)), ids=[c.id for c in aten_cases.CASES])
def test_case(number, dynamic):
    case = aten_cases.CASES[number]
    results = _program(dynamic).run(*case.tensors, function=f"case{number}")
    case.check([aten_cases.to_numpy(result) for result in results])
