"""Programs of many more ops than a pass takes at a time compute what they say, on every target."""

import numpy as np
import pytest

import isthmus
from tests.support import targets

STEPS = 2500  # of two torch ops each


def _factors():
    return 1 + np.where(np.arange(STEPS) % 2, -1, 1) * np.arange(1, STEPS + 1) * 1e-5


def _program():
    """x times each factor in turn; the first product comes back at the end, beside the last one."""
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


@pytest.mark.parametrize("target", targets.TARGETS)
def test_numbers(target):
    x = np.random.default_rng(0).standard_normal((2, 3), dtype=np.float32)
    (result,) = targets.runner(isthmus.parse(_program()), target)(x)
    factors = _factors()
    expected = np.concatenate([x * factors[0], x * np.prod(factors)])
    # Of 2500 roundings to f32.
    np.testing.assert_allclose(result, expected, rtol=STEPS * np.finfo(np.float32).eps / 2)
