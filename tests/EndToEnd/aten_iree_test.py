"""IREE runs what `consumer=iree` changes, with known sizes and with unknown ones, as PyTorch does.

By default these ops are loops over elements. IREE runs those on the host, and refuses them for unknown sizes.
"""

import functools

import pytest

from isthmus import runtimes
from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches
from tests.support.isthmus_opt import isthmus_opt

OPS = {
    "aten.Bool.Tensor",
    "aten.bincount",
    "aten.conv_transpose1d",
    "aten.conv_transpose2d.input",
    "aten.cumprod",
    "aten.cumsum",
    "aten.float_power.Tensor_Tensor",
    "aten.gt.int",
    "aten.index.Tensor",
    "aten.index_add",
    "aten.index_put",
    "aten.index_reduce",
    "aten.kthvalue",
    "aten.masked_select",
    "aten.nonzero",
    "aten.pow.Scalar",
    "aten.pow.Tensor_Scalar",
    "aten.scatter.src",
    "aten.scatter.value",
    "aten.scatter_add",
    "aten.scatter_reduce.two",
    "aten.sort",
    "aten.sort.stable",
    "aten.topk",
}
CASES = [case for case in aten_cases.CASES + aten_composite_cases.CASES if case.op in OPS]
# Forms that the lowering gives to any compiler. IREE must not compute wrong numbers from them.
STATIC = [case for case in CASES if case.op in ("aten.index_put", "aten.scatter.src", "aten.topk")]


def run(cases, dynamic, consumer):
    pipeline = f"--torch-to-linalg-pipeline=consumer={consumer}"
    text = isthmus_opt(program(cases, dynamic), pipeline, "--canonicalize", "--cse")
    return runtimes.run_in_iree(text, *inputs_of(cases))


BATCHES = {dynamic: Batches(CASES, functools.partial(run, dynamic=dynamic, consumer="iree")) for dynamic in (0, 1)}
ANY = Batches(STATIC, functools.partial(run, dynamic=False, consumer="any"))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case, dynamic):
    case.check(BATCHES[dynamic].results(case))


@pytest.mark.parametrize("case", STATIC, ids=lambda case: case.id)
def test_the_form_for_any_compiler(case):
    case.check(ANY.results(case))
