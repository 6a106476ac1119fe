"""Decomposed programs: no composite op is left, and complex ops compute the same as PyTorch's own kernels.

numbers_test.py of SimplifyTorch tests the numbers of composite ops.
"""

import functools
import re

import pytest

from tests.EndToEnd import aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import to_numpy
from tests.support.isthmus_opt import isthmus_opt
from tests.support.torch_program import TorchProgram

COMPOSITE = aten_composite_cases.CASES
COMPLEX = aten_complex_cases.CASES


def _decomposed(cases, dynamic):
    """Cases, decomposed, as the functions of one module."""
    functions = (case.program(dynamic).replace("@main(", f"@case{i}(") for i, case in enumerate(cases))
    return isthmus_opt("\n".join(functions), "--torch-decompose-complex-ops")


@functools.cache
def _all_decomposed():
    return _decomposed(COMPOSITE + COMPLEX, dynamic=False)


@functools.cache
def _program(dynamic):
    return TorchProgram(_decomposed(COMPLEX, dynamic))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("number", range(len(COMPLEX)), ids=[case.id for case in COMPLEX])
def test_case(number, dynamic):
    case = COMPLEX[number]
    results = _program(dynamic).run(*case.tensors, function=f"case{number}")
    case.check([to_numpy(result) for result in results])


def test_no_composite_op_is_left():
    composite = {case.op for case in COMPOSITE}
    left = set(re.findall(r"torch\.(\w+\.[\w.]+)", _all_decomposed())) & composite
    assert not left


def test_complex_numbers_are_at_the_borders_only():
    ops = re.findall(r"= torch\.([\w.]+).*!torch\.vtensor<[^>]*complex", _all_decomposed())
    assert set(ops) <= {"aten.complex", "aten.imag", "aten.real", "vtensor.literal"}
