"""Every ATen op, lowered to MHLO and StableHLO, computes what PyTorch computes.

XLA runs all cases: with known sizes as MHLO and with unknown ones as StableHLO. StableHLO's own
interpreter, which shares no kernel with XLA, runs the core ops.
"""

import pytest
import torch

from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches
from tests.support.isthmus_opt import isthmus_opt
from tests.support.xla import emitters_for, interpret_stablehlo, run_mhlo, run_stablehlo

CASES = aten_cases.CASES + aten_composite_cases.CASES + aten_complex_cases.CASES

# Ops and single cases with a result whose size depends on data. XLA cannot compile these.
_DEPENDS = "the number of results depends on the data"
DECLINED = {
    "aten._unique2": _DEPENDS,
    "aten.bincount-si64[9]": _DEPENDS,
    "aten.bincount-si64[4]-si64[4]": _DEPENDS,
    "aten.masked_select": _DEPENDS,
    "aten.nonzero": _DEPENDS,
    "aten.one_hot-si64[2x3]--1": _DEPENDS,
    "aten.repeat_interleave.Tensor-si64[3]": _DEPENDS,
    "aten.repeat_interleave.self_Tensor-f32[2x3]-si64[2]-0": _DEPENDS,
    "aten.tensor_split.tensor_indices_or_sections-fixed:f32[7x4x3]-fixed:si64[2]-0": _DEPENDS,
    "aten.tensor_split.tensor_indices_or_sections-fixed:f32[7x4x3]-fixed:si64[3]-1": _DEPENDS,
    "aten.unique_consecutive": _DEPENDS,
    "aten.unique_dim": _DEPENDS,
    "aten.where": _DEPENDS,
    "torchvision.nms": _DEPENDS,
}


# Cases of which only the program with known sizes says how many results there are.
STATIC_ONLY = {"aten.bincount-si32[9]-f32[9]-8", "aten.bincount-si64[0]-None-3"}


def reason(case):
    return DECLINED.get(case.op) or DECLINED.get(case.id)


LOWERED = [case for case in CASES if not reason(case)]
STATIC = aten_composite_cases.one_of_two_forms(LOWERED, False)
REFINED = [case for case in aten_composite_cases.one_of_two_forms(LOWERED, True) if case.id not in STATIC_ONLY]


def each(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.id)


def batches(cases, run, pipeline, dynamic=False):
    return Batches(cases, lambda some: run(some, isthmus_opt(program(some, dynamic), pipeline), *inputs_of(some)))


def on_xla(run):
    def run_quickly(cases, text, *inputs):
        return run(text, *inputs, emitters=emitters_for(case.op for case in cases))

    return run_quickly


STATIC_MHLO = batches(STATIC, on_xla(run_mhlo), "--torch-to-mhlo-pipeline")
DYNAMIC_STABLEHLO = batches(REFINED, on_xla(run_stablehlo), "--torch-to-stablehlo-pipeline", dynamic=True)


@each(STATIC)
def test_static_mhlo(case):
    case.check(STATIC_MHLO.results(case))


@each(REFINED)
def test_dynamic_stablehlo(case):
    case.check(DYNAMIC_STABLEHLO.results(case))


# jaxlib cannot pass arrays of these dtypes to the interpreter.
NOT_INTERPRETED = {torch.bfloat16, torch.complex64, torch.complex128}


INTERPRETED = [case for case in LOWERED if case in aten_cases.CASES and not NOT_INTERPRETED & case.dtypes()]
# The interpreter's scatter overwrites its operand, a constant that other cases of the same program share.
OVERWRITES = "aten.scatter_reduce.two"


def interpreted(cases):
    return batches(cases, lambda _, *program: interpret_stablehlo(*program), "--torch-to-stablehlo-pipeline")


TOGETHER = interpreted([case for case in INTERPRETED if case.op != OVERWRITES])


@each(TOGETHER.cases)
def test_interpreted_stablehlo(case):
    case.check(TOGETHER.results(case))


@each([case for case in INTERPRETED if case.op == OVERWRITES])
def test_interpreted_alone(case):
    case.check(interpreted([case]).results(case))


def is_of_nothing(case):
    return all(tensor.numel() == 0 for tensor in case.tensors)


# Ops that XLA cannot compile in general still lower if all their tensors are empty.
@each([case for case in CASES if reason(case) and is_of_nothing(case)])
def test_of_nothing(case):
    case.check(run_mhlo(isthmus_opt(case.program(), "--torch-to-mhlo-pipeline"), *case.inputs))


@each([case for case in CASES if reason(case) and not is_of_nothing(case)])
def test_declined(case):
    with pytest.raises(RuntimeError, match=reason(case)):
        isthmus_opt(case.program(), "--torch-to-mhlo-pipeline")


def test_what_is_declined_are_cases():
    assert DECLINED.keys() | STATIC_ONLY <= {c.op for c in CASES} | {c.id for c in CASES}
