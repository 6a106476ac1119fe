"""The decomposition of a composite op computes the same as PyTorch's own kernel of the op."""

import functools
import re

import pytest

from tests.EndToEnd import aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import to_numpy
from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram

COMPOSITE = aten_composite_cases.CASES
CASES = COMPOSITE + aten_complex_cases.CASES


@functools.cache
def _decomposed(dynamic):
    """All cases, decomposed, as the functions of one module."""
    functions = (case.program(dynamic).replace("@main(", f"@case{i}(") for i, case in enumerate(CASES))
    return isthmus_opt("\n".join(functions), "--torch-decompose-complex-ops")


@functools.cache
def _program(dynamic):
    return TorchProgram(_decomposed(dynamic))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.id for case in CASES])
def test_case(number, dynamic):
    case = CASES[number]
    results = _program(dynamic).run(*case.tensors, function=f"case{number}")
    case.check([to_numpy(result) for result in results])


def test_no_composite_op_is_left():
    composite = {case.op for case in COMPOSITE}
    left = set(re.findall(r"torch\.(\w+\.[\w.]+)", _decomposed(False))) & composite
    assert not left


def test_complex_numbers_are_at_the_borders_only():
    ops = re.findall(r"= torch\.([\w.]+).*!torch\.vtensor<[^>]*complex", _decomposed(False))
    assert set(ops) <= {"aten.complex", "aten.imag", "aten.real", "vtensor.literal"}
