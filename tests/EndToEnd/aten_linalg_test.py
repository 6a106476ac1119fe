"""Every ATen op, lowered to linalg and run in the JIT, with known sizes and with unknown ones."""

import functools

import pytest

import isthmus
from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches
from tests.support.isthmus_opt import isthmus_opt

CASES = aten_cases.CASES + aten_composite_cases.CASES + aten_complex_cases.CASES


def run(cases, dynamic):
    text = isthmus_opt(program(cases, dynamic), "--torch-to-linalg-pipeline", "--canonicalize", "--cse")
    return isthmus.parse(text).run(*inputs_of(cases))


BATCHES = {dynamic: Batches(CASES, functools.partial(run, dynamic=dynamic)) for dynamic in (False, True)}


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    case.check(BATCHES[dynamic].results(case))
