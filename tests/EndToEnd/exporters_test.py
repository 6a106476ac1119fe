"""What exporters write for the lack of a better form computes on every target what onnxruntime computes.

A tensor has one rank in the torch dialect. In ONNX the branches of an If and the steps of a Loop may differ.
"""

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import isthmus
from tests.support.models import Model
from tests.support.targets import TARGETS, lowered_runner

X = np.random.default_rng(0).standard_normal((3, 4, 1)).astype(np.float32)

# PyTorch: x.squeeze(-1) for a dim of unknown size.
SQUEEZE = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[a, 4, b] x) => (float[c, d] y) <int64[1] last = {-1}, int64[1] one = {1}> {
    s = Shape (x)
    n = Gather (s, last)
    is_one = Equal (n, one)
    z = If (is_one) <
      then_branch = then () => (float[a, 4] p) { p = Squeeze (x, last) },
      else_branch = otherwise () => (float[a, 4, b] q) { q = Identity (x) }
    >
    y = Neg (z)
  }
"""
# torch.squeeze() without a dim, of sizes of which the result's rank tells whether they are 1.
SQUEEZE_ALL = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[SIZES] x) => (float[RESULT] y) { y = Squeeze (x) }
"""
# F.pad of PyTorch, in a loop whose states have one shape.
PADS = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[3, 4, 1] x, int64 m, bool go) => (float[3, 4, 1] y) <
    int64[1] one = {1}, int64[5] rest = {-1, 0, 0, 0, 0}, int64[2] pairs = {-1, 2}, int64[1] list = {-1},
    int64[1] least = {-9223372036854775807}, int64[1] zero = {0}> {
    y = Loop (m, go, x) <body = b (int64 i, bool c, float[3, 4, 1] s) => (bool d, float[k, l, n] u) {
      d = Identity (c)
      pads = Concat <axis = 0> (zero, zero, one, rest)
      six = Constant <value = int64[1] {6}> ()
      kept = Slice (pads, zero, six)
      matrix = Reshape (kept, pairs)
      backwards = Slice (matrix, list, least, zero, list)
      turned = Transpose <perm = [1, 0]> (backwards)
      flat = Reshape (turned, list)
      padded = Pad (s, flat)
      u = Add (padded, x)
    }>
  }
"""
# tf2onnx: a loop of TensorFlow ends when a counter, as a float, reaches a length.
COUNTED = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[n, 4] x) => (float[n, 4] y, int32 last) <int32 zero = {0}, int32 one = {1}, float start = {0}, int64 first = {0}> {
    sizes = Shape (x)
    size = Gather (sizes, first)
    count = Cast <to = 6> (size)
    end = Cast <to = 1> (count)
    below = Less (start, end)
    go = And (below, below)
    last, same, y = Loop (, go, zero, count) <body = b (int64 t, bool c, int32 i, int32 n)
      => (bool d, int32 j, int32 m, float[4] row) {
      j = Add (i, one)
      m = Identity (n)
      number = Cast <to = 1> (j)
      length = Cast <to = 1> (n)
      d = Less (number, length)
      own = Gather (x, i)
      row = Neg (own)
    }>
  }
"""
# paddle2onnx: an assignment is a sum with [0], which gives a number of rank 0 a dim.
NUMBERS = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[3, 4, 1] x, bool c) => (float[3, 4, 1] y) <float number = {2}, float[1] none = {0}> {
    n = If (c) <
      then_branch = then () => (float p) { p = Identity (number) },
      else_branch = otherwise () => (float q) { q = Add (number, none) }
    >
    y = Mul (x, n)
  }
"""
# paddle2onnx: `made` is a number until the first step makes a tensor of it.
FIRST_STEP = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[3, 4, 1] x, int64 m, bool go) => (float[3, 4, 1] y, float[3, 4, 1] made) <float number = {0}> {
    y, made = Loop (m, go, x, number) <body = b (int64 i, bool c, float[3, 4, 1] s, float t)
      => (bool d, float[3, 4, 1] u, float[3, 4, 1] v) {
      d = Identity (c)
      u = Add (s, x)
      v = Neg (u)
    }>
  }
"""
# onnxruntime takes a real signal without a dim for its parts; exporters with its ops write that.
SIGNAL = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[2, 64] x) => (float[2, f, 9, 2] y) <int64 step = {8}, int64 length = {16}> {
    y = STFT (x, step, , length)
  }
"""
# Pruning outputs leaves nodes that nothing uses. No target has strings.
UNUSED = """
  <ir_version: 10, opset_import: ["" : 20, "mine" : 1]>
  g (float[3, 4, 1] x, bool c) => (float[3, 4, 1] y) {
    text = Constant <value_strings = ["a", "b"]> ()
    joined = StringConcat (text, text)
    y = If (c) <
      then_branch = then () => (float[3, 4, 1] p) {
        p = Neg (x)
        more = StringConcat (text, text)
      },
      else_branch = otherwise () => (float[3, 4, 1] q) { q = Identity (x) }
    >
  }
"""
# Integers are a mask too. The keys beyond its end are masked, which no integer can say.
MASK = """
  <ir_version: 10, opset_import: ["" : 24]>
  g (float[1, 2, 3, 4] q, float[1, 2, 5, 4] k, float[1, 2, 5, 4] v, MASK[3, 4] mask) => (float[1, 2, 3, 4] y) {
    y = Attention (q, k, v, mask)
  }
"""


def save(text, folder):
    path = folder / "m.onnx"
    onnx.save(onnx.parser.parse_model(text), path)
    return path


def run(path, target, *inputs):
    """Runs a model with open sizes, or with those of the inputs for TOSA."""
    model = Model(path, list(inputs))
    sizes = {parameter.name: array.shape for parameter, array in zip(model.parameters, inputs)}
    lowered = isthmus.compile(path, output_type=target, specialize=sizes if target == "tosa" else {})
    return model, lowered_runner(lowered, target)(*inputs)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "text, inputs",
    [
        (SQUEEZE, [X]),
        (SQUEEZE_ALL.replace("SIZES", "a, 4, 1").replace("RESULT", "c, 4"), [X]),
        (SQUEEZE_ALL.replace("SIZES", "a, 4, b").replace("RESULT", "4"), [X[:1]]),
        (PADS, [X, np.array(3), np.array(True)]),
        (COUNTED, [X[..., 0]]),
        (COUNTED, [X[..., 0].repeat(30, 0)]),
        (NUMBERS, [X, np.array(True)]),
        (NUMBERS, [X, np.array(False)]),
        (FIRST_STEP, [X, np.array(4), np.array(True)]),
        (SIGNAL, [X.reshape(-1)[:2, None] * np.sin(np.arange(64, dtype=np.float32))]),
        (UNUSED, [X, np.array(True)]),
    ],
    ids=[
        "squeeze",
        "squeeze-last",
        "squeeze-all",
        "pads",
        "counted-unrolled",
        "counted",
        "numbers-then",
        "numbers-else",
        "first_step",
        "signal",
        "unused",
    ],
)
def test_numbers(text, inputs, target, tmp_path):
    model, results = run(save(text, tmp_path), target, *inputs)
    model.check(results)


@pytest.mark.parametrize("target", TARGETS)
def test_integers_as_a_mask(target, tmp_path):
    """onnxruntime takes no such mask, and ONNX's reference masks with -inf as an integer; both are right for floats."""
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((1, 2, n, 4), np.float32) for n in (3, 5, 5))
    mask = random.integers(0, 3, (3, 4), np.uint8)
    lowered = isthmus.compile(save(MASK.replace("MASK", "uint8"), tmp_path), output_type=target)
    reference = ReferenceEvaluator(onnx.parser.parse_model(MASK.replace("MASK", "float")))
    (want,) = reference.run(None, {"q": q, "k": k, "v": v, "mask": mask.astype(np.float32)})
    (got,) = lowered_runner(lowered, target)(q, k, v, mask)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_other_sizes_and_no_step(tmp_path):
    squeeze = isthmus.compile(save(SQUEEZE, tmp_path), output_type="linalg")
    with pytest.raises(isthmus.IsthmusError, match="expected sizes of 1 in the dims that the model squeezes"):
        squeeze.run(X.reshape(3, 4, 1).repeat(2, axis=2))
    for sizes, result, x in (("a, 4, 1", "c, 4", X[:1]), ("a, 4, b", "4", X)):
        text = SQUEEZE_ALL.replace("SIZES", sizes).replace("RESULT", result)
        with pytest.raises(isthmus.IsthmusError, match="expected sizes .* in the dims that the model"):
            isthmus.compile(save(text, tmp_path), output_type="linalg").run(x)
    counted = isthmus.compile(save(COUNTED, tmp_path), output_type="linalg")
    rows, last = counted.run(np.empty((0, 4), np.float32))
    assert (rows.shape, last) == ((0, 4), 0)
    loop = isthmus.compile(save(FIRST_STEP, tmp_path), output_type="linalg")
    for steps, go in ((0, True), (4, False)):
        with pytest.raises(isthmus.IsthmusError, match="expected a first step of a loop"):
            loop.run(X, np.array(steps), np.array(go))
