"""Every core ATen op, lowered to MHLO and StableHLO and run by XLA, computes what PyTorch computes."""

import pytest
from tests.EndToEnd.aten_cases import CASES
from tests.support.isthmus_opt import isthmus_opt
from tests.support.xla import run_mhlo, run_stablehlo

# XLA compiles no result whose size depends on data.
DECLINED = {"aten.nonzero": "the number of results depends on the data"}


def lower(case, *passes, dynamic=False):
    return isthmus_opt(case.program(dynamic), "--convert-torch-to-mhlo", *passes)


every_case = pytest.mark.parametrize(
    "case", [c for c in CASES if c.op not in DECLINED], ids=lambda c: c.id
)


@every_case
def test_static_mhlo(case):
    case.check(run_mhlo(lower(case), *case.inputs))


@every_case
def test_dynamic_stablehlo(case):
    text = lower(case, "--mhlo-to-stablehlo", dynamic=True)
    case.check(run_stablehlo(text, *case.inputs))


@pytest.mark.parametrize("op", DECLINED)
def test_declined(op):
    case = next(c for c in CASES if c.op == op)
    with pytest.raises(RuntimeError, match=DECLINED[op]):
        lower(case)
