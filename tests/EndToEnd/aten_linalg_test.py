"""Every ATen op, lowered to linalg and run in the JIT: with known sizes, and with unknown ones in unoptimised code."""

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
    return isthmus.parse(text).run(*inputs_of(cases), optimize=not dynamic)


def batches(dynamic):
    return Batches(aten_composite_cases.one_of_two_forms(CASES, dynamic), functools.partial(run, dynamic=dynamic))


STATIC, DYNAMIC = batches(False), batches(True)


@pytest.mark.parametrize("case", STATIC.cases, ids=lambda case: case.id)
def test_static(case):
    case.check(STATIC.results(case))


@pytest.mark.parametrize("case", DYNAMIC.cases, ids=lambda case: case.id)
def test_dynamic(case):
    case.check(DYNAMIC.results(case))
