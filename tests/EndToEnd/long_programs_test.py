"""Programs with many more ops than a pass converts at a time compute the right results on every target."""

import numpy as np
import pytest

import isthmus
from tests.support import targets

STEPS = 2500  # of two torch ops each


def _factors():
    return 1 + np.where(np.arange(STEPS) % 2, -1, 1) * np.arange(1, STEPS + 1) * 1e-5


def _program():
    """Multiplies x by each factor in turn. The result joins the first product and the last one."""
    tensor = "!torch.vtensor<[2,3],f32>"
    lines = []
    for i, factor in enumerate(_factors()):
        lines.append(f"%c{i} = torch.constant.float {float(factor)!r}")
        lines.append(f"%y{i + 1} = torch.aten.mul.Scalar %y{i}, %c{i} : {tensor}, !torch.float -> {tensor}")
    body = "\n  ".join(lines)
    return f"""func.func @main(%y0: {tensor}) -> !torch.vtensor<[4,3],f32> {{
  %dim = torch.constant.int 0
  {body}
  %list = torch.prim.ListConstruct %y1, %y{STEPS} : ({tensor}, {tensor}) -> !torch.list<vtensor<[2,3],f32>>
  %r = torch.aten.cat %list, %dim : !torch.list<vtensor<[2,3],f32>>, !torch.int -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}}"""


def _branching_program():
    """Computes four times x, or its negative. The branches need a tensor of twos, and so does the code after them."""
    tensor = "!torch.vtensor<[2,3],f32>"
    lines = [f"%y{i + 1} = torch.aten.neg %y{i} : {tensor} -> {tensor}" for i in range(STEPS)]
    body = "\n  ".join(lines)
    full = (
        "torch.aten.full %sizes, %two, %none, %none, %none, %none : !torch.list<int>, !torch.float, !torch.none, "
        f"!torch.none, !torch.none, !torch.none -> {tensor}"
    )
    return f"""func.func @main(%y0: {tensor}, %p: !torch.vtensor<[],i1>) -> {tensor} {{
  %none = torch.constant.none
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %two = torch.constant.float 2.0
  %sizes = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  {body}
  %condition = torch.aten.Bool.Tensor %p : !torch.vtensor<[],i1> -> !torch.bool
  %chosen = torch.prim.If %condition -> ({tensor}) {{
    %a = {full}
    torch.prim.If.yield %a : {tensor}
  }} else {{
    %b = {full}
    %n = torch.aten.neg %b : {tensor} -> {tensor}
    torch.prim.If.yield %n : {tensor}
  }}
  %c = {full}
  %four = torch.aten.mul.Tensor %chosen, %c : {tensor}, {tensor} -> {tensor}
  %r = torch.aten.mul.Tensor %four, %y{STEPS} : {tensor}, {tensor} -> {tensor}
  return %r : {tensor}
}}"""


@pytest.mark.parametrize("target", targets.TARGETS)
def test_numbers(target):
    x = np.random.default_rng(0).standard_normal((2, 3), dtype=np.float32)
    (result,) = targets.runner(isthmus.parse(_program()), target)(x)
    factors = _factors()
    expected = np.concatenate([x * factors[0], x * np.prod(factors)])
    # The error of 2500 roundings to f32.
    np.testing.assert_allclose(result, expected, rtol=STEPS * np.finfo(np.float32).eps / 2)


@pytest.mark.parametrize("target", targets.TARGETS)
@pytest.mark.parametrize("condition", [True, False])
def test_branches(target, condition):
    x = np.random.default_rng(0).standard_normal((2, 3), dtype=np.float32)
    (result,) = targets.runner(isthmus.parse(_branching_program()), target)(x, np.array(condition))
    np.testing.assert_array_equal(result, 4 * x if condition else -4 * x)
