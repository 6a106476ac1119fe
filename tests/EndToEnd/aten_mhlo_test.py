"""Every ATen op, lowered to MHLO and StableHLO and run by XLA, computes what PyTorch computes."""

import pytest
from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.support.isthmus_opt import isthmus_opt
from tests.support.xla import run_mhlo, run_stablehlo

CASES = aten_cases.CASES + aten_composite_cases.CASES

# XLA compiles no result whose size depends on data.
DECLINED = {"aten.nonzero": "the number of results depends on the data"}

every_case = pytest.mark.parametrize(
    "case", [c for c in CASES if c.op not in DECLINED], ids=lambda c: c.id
)


@every_case
def test_static_mhlo(case):
    text = isthmus_opt(case.program(), "--torch-to-mhlo-pipeline")
    case.check(run_mhlo(text, *case.inputs))


@every_case
def test_dynamic_stablehlo(case):
    text = isthmus_opt(case.program(dynamic=True), "--torch-to-stablehlo-pipeline")
    case.check(run_stablehlo(text, *case.inputs))


@pytest.mark.parametrize("op", DECLINED)
def test_declined(op):
    case = next(c for c in CASES if c.op == op)
    with pytest.raises(RuntimeError, match=DECLINED[op]):
        isthmus_opt(case.program(), "--torch-to-mhlo-pipeline")
