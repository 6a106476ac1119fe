"""ONNX sequences whose length is known only at run time, against onnxruntime: lists that a loop fills or reads."""

import numpy as np
import onnx
import onnxruntime
import pytest

import isthmus

GO = "<bool go = {1}, int64 zero = {0}, int64 minus = {-1}, int64[1] begin = {0}>"
# Each model appends, in every step, what `STEP` computes from the row x[i].
APPEND = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[n, 3] x, int64 at) => (RESULT y) GO {
    shape = Shape(x)
    steps = Gather(shape, zero)
    empty = SequenceEmpty()
    INIT
    s = Loop (steps, go, init) <body = b (int64 i, bool c, seq(float[3]) before) => (bool d, seq(float[3]) after) {
      d = Identity(c)
      row = Gather(x, i)
      STEP
    }>
    AFTER
  }
"""
ONE = "t = Neg(row) after = SequenceInsert(before, t)"
TWO = "t = Neg(row) one = SequenceInsert(before, t) after = SequenceInsert(one, row)"
NONE, SOME = "init = Identity(empty)", "first = Gather(x, minus) init = SequenceInsert(empty, first)"
AFTER = {
    "stacked": ("float[m, 3]", "y = ConcatFromSequence <axis = 0, new_axis = 1> (s)"),
    "stacked_last": ("float[3, m]", "y = ConcatFromSequence <axis = -1, new_axis = 1> (s)"),
    "joined": ("float[m]", "y = ConcatFromSequence <axis = 0> (s)"),
    "one": ("float[3]", "y = SequenceAt(s, at)"),
    "last": ("float[3]", "y = SequenceAt(s, minus)"),
    "length": ("int64", "y = SequenceLength(s)"),
    "erased": ("float[m, 3]", "e = SequenceErase(s, at) y = ConcatFromSequence <axis = 0, new_axis = 1> (e)"),
    "erased_last": ("float[m, 3]", "e = SequenceErase(s) y = ConcatFromSequence <axis = 0, new_axis = 1> (e)"),
    "inserted": (
        "float[m, 3]",
        "f = Gather(x, zero) e = SequenceInsert(s, f, at) y = ConcatFromSequence <axis = 0, new_axis = 1> (e)",
    ),
    "mapped": (
        "float[m, 3]",
        """e = SequenceMap (s, x) <body = h (float[3] r, float[n, 3] all) => (float[3] q) {
             p = ReduceMax <keepdims = 0> (all) q = Add(r, p)
           }> y = ConcatFromSequence <axis = 0, new_axis = 1> (e)""",
    ),
    "read_in_a_loop": (
        "float[m, 3]",
        """n = SequenceLength(s) y = Loop (n, go) <body = r (int64 j, bool f) => (bool h, float[3] o) {
             h = Identity(f) u = SequenceAt(s, j) o = Abs(u)
           }>""",
    ),
}
# A list of the rows of a tensor, as x.split(1) and x.unbind() give them, whose number is open.
SPLIT = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[2, n, 3] x, int64 at) => (float[k, l, m] y) {
    s = SplitToSequence <axis = 1, keepdims = KEEP> (x)
    y = ConcatFromSequence <axis = AXIS, new_axis = NEW> (s)
  }
"""


def filled(after, init=NONE, step=ONE):
    result, rest = AFTER[after]
    parts = {"RESULT": result, "INIT": init, "STEP": step, "AFTER": rest, "GO": GO}
    text = APPEND
    for name, part in parts.items():
        text = text.replace(name, part)
    return onnx.parser.parse_model(text)


def run(model, target, *inputs, **options):
    names = [value.name for value in model.graph.input]
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, dict(zip(names, inputs)))
    results = isthmus.import_onnx(model.SerializeToString()).lower(target, **options).run(*inputs)
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array)


def rows(count):
    return np.random.default_rng(1).normal(size=(count, 3)).astype(np.float32)


@pytest.mark.parametrize("at", [0, 3, -2])
@pytest.mark.parametrize("after", AFTER)
def test_a_loop_fills_a_sequence(after, at):
    run(filled(after), "linalg", rows(5), np.array(at))


@pytest.mark.parametrize("count", [1, 200])
@pytest.mark.parametrize("init", [NONE, SOME])
@pytest.mark.parametrize("step", [ONE, TWO])
def test_steps_and_what_was_there_before(step, init, count):
    run(filled("stacked", init, step), "linalg", rows(count), np.array(0))


@pytest.mark.parametrize("target", ["linalg", "tosa"])
@pytest.mark.parametrize("count", [4, 100])
def test_known_sizes(count, target):
    run(filled("joined"), target, rows(count), np.array(0), specialize={"x": [count, 3]})


@pytest.mark.parametrize("keep, new, axis", [(0, 1, 0), (0, 0, 1), (1, 1, 3), (1, 0, 0), (1, 0, 1)])
def test_parts_of_an_open_size(keep, new, axis):
    text = SPLIT.replace("KEEP", str(keep)).replace("NEW", str(new)).replace("AXIS", str(axis))
    if keep != new:
        text = text.replace("float[k, l, m]", "float[k, l, m, o]" if keep else "float[k, l]")
    model = onnx.parser.parse_model(text)
    run(model, "linalg", np.arange(24, dtype=np.float32).reshape(2, 4, 3), np.array(0))


@pytest.mark.parametrize("at", [5, -6])
def test_no_such_position(at):
    module = isthmus.import_onnx(filled("one").SerializeToString()).lower("linalg")
    with pytest.raises(isthmus.InputError, match="a position in the sequence"):
        module.run(rows(5), np.array(at))


def test_a_step_that_reads_what_it_appends_to():
    model = filled(
        "stacked",
        step="l = SequenceLength(before) u = CastLike(l, row) t = Mul(row, u) after = SequenceInsert(before, t)",
    )
    with pytest.raises(isthmus.UnsupportedError, match="expected a sequence whose length is known while compiling"):
        isthmus.import_onnx(model.SerializeToString()).lower("linalg")


def test_steps_that_append_different_shapes():
    model = filled(
        "length", step="end = Unsqueeze(i, begin) t = Slice(row, begin, end) after = SequenceInsert(before, t)"
    )
    with pytest.raises(
        isthmus.UnsupportedError, match="expected a loop that fills a sequence with tensors of one shape"
    ):
        isthmus.import_onnx(model.SerializeToString()).lower("linalg")
