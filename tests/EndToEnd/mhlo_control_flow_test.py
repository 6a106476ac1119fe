"""prim.If and prim.Loop, lowered to MHLO, run the branches and iterations that their conditions select."""

import numpy as np
import pytest

from tests.support.isthmus_opt import isthmus_opt
from tests.support.xla import run_mhlo

DOUBLE_IF_POSITIVE = """
func.func @main(%x: !torch.vtensor<[?],f32>, %n: !torch.int) -> !torch.vtensor<[?],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %p = torch.aten.gt.int %n, %int0 : !torch.int, !torch.int -> !torch.bool
  %r = torch.prim.If %p -> (!torch.vtensor<[?],f32>) {
    %a = torch.aten.add.Tensor %x, %x, %int1
        : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
    torch.prim.If.yield %a : !torch.vtensor<[?],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[?],f32>
  }
  return %r : !torch.vtensor<[?],f32>
}
"""

# Adds i * x to v and i to k while i < n and k < 10; x comes from outside the loop.
WEIGHTED_SUM = """
func.func @main(%x: !torch.vtensor<[?],f32>, %n: !torch.int) -> (!torch.vtensor<[?],f32>, !torch.int) {
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %int10 = torch.constant.int 10
  %r, %s = torch.prim.Loop %n, %true, init(%x, %int0) {
  ^bb0(%i: !torch.int, %v: !torch.vtensor<[?],f32>, %k: !torch.int):
    %a = torch.aten.add.Tensor %v, %x, %i
        : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>, !torch.int -> !torch.vtensor<[?],f32>
    %m = torch.aten.add.int %k, %i : !torch.int, !torch.int -> !torch.int
    %c = torch.aten.lt.int %m, %int10 : !torch.int, !torch.int -> !torch.bool
    torch.prim.Loop.condition %c, iter(%a, %m : !torch.vtensor<[?],f32>, !torch.int)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?],f32>, !torch.int)
      -> (!torch.vtensor<[?],f32>, !torch.int)
  return %r, %s : !torch.vtensor<[?],f32>, !torch.int
}
"""

X = np.array([1, 2], np.float32)


@pytest.mark.parametrize("n", [1, 0])
def test_if(n):
    text = isthmus_opt(DOUBLE_IF_POSITIVE, "--convert-torch-to-mhlo")
    (result,) = run_mhlo(text, X, np.int64(n))
    np.testing.assert_array_equal(result, X * 2 if n else X)


@pytest.mark.parametrize("n, total", [(0, 0), (3, 3), (100, 10)])
def test_loop(n, total):
    text = isthmus_opt(WEIGHTED_SUM, "--convert-torch-to-mhlo")
    result, count = run_mhlo(text, X, np.int64(n))
    np.testing.assert_array_equal(result, X * (1 + total))
    assert count == total
