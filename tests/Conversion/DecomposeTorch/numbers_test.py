"""Decomposed programs: no composite op is left, and complex ops compute the same as PyTorch's own kernels.

numbers_test.py of SimplifyTorch tests the numbers of composite ops.
"""

import functools
import re

import pytest
import torch

from tests.EndToEnd import aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import Case, to_numpy
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


def test_a_product_of_many_matrices():
    """The best order of a product takes the cube of the number of its matrices: that of many is not sought."""
    count, matrix = 20000, "!torch.vtensor<[2,2],f32>"
    text = isthmus_opt(
        f"""func.func @main(%a: {matrix}) -> {matrix} {{
          %list = torch.prim.ListConstruct {", ".join(["%a"] * count)}
              : ({", ".join([matrix] * count)}) -> !torch.list<vtensor>
          %r = torch.aten.linalg_multi_dot %list : !torch.list<vtensor> -> {matrix}
          return %r : {matrix}
        }}""",
        "--torch-decompose-complex-ops",
    )
    assert text.count("torch.aten.mm") == count - 1


def test_a_negative_zero_in_a_constant():
    case = Case("aten.sqrt", (torch.complex(torch.tensor([-1.0]), torch.tensor([-0.0])),))
    program = TorchProgram(isthmus_opt(case.program(literals=True), "--torch-decompose-complex-ops"))
    case.check([to_numpy(result) for result in program.run()])
