"""IREE runs what `consumer=iree` changes, with known sizes and with unknown ones, as PyTorch does.

By default these ops are loops over elements. IREE runs those on the host, and refuses them for unknown sizes.
"""

import functools

import pytest

import isthmus
from isthmus import runtimes
from tests.EndToEnd import aten_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program
from tests.support.batches import Batches

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
    "aten.sinc",
    "aten.sort",
    "aten.sort.stable",
    "aten.special_hermite_polynomial_h",
    "aten.svd",
    "aten.topk",
    "torchvision.nms",
}
# IREE has no sine of f64.
LEFT_OUT = {"aten.sinc-f64[6]"}
CASES = [case for case in aten_cases.CASES + aten_composite_cases.CASES if case.op in OPS and case.id not in LEFT_OUT]
# Loops over tensors of unknown sizes, which IREE refuses or computes wrong numbers of.
KNOWN_SIZES = {"aten.special_hermite_polynomial_h", "aten.svd"}
# Forms that the lowering gives to any compiler. IREE must not compute wrong numbers from them.
STATIC = [case for case in CASES if case.op in ("aten.index_put", "aten.scatter.src", "aten.topk")]


def run(cases, dynamic, consumer):
    module = isthmus.parse(program(cases, dynamic)).lower("linalg", consumer=consumer)
    return runtimes.run_in_iree(module.text(), *inputs_of(cases))


KNOWN = Batches(CASES, functools.partial(run, dynamic=False, consumer="iree"))
OPEN = Batches(
    [case for case in CASES if case.op not in KNOWN_SIZES], functools.partial(run, dynamic=True, consumer="iree")
)
ANY = Batches(STATIC, functools.partial(run, dynamic=False, consumer="any"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_computes_what_pytorch_does(case):
    case.check(KNOWN.results(case))


@pytest.mark.parametrize("case", OPEN.cases, ids=lambda case: case.id)
def test_unknown_sizes(case):
    case.check(OPEN.results(case))


@pytest.mark.parametrize("case", STATIC, ids=lambda case: case.id)
def test_the_form_for_any_compiler(case):
    case.check(ANY.results(case))
