"""The outputs that each step of an ONNX Loop or Scan produces are gathered, in memory proportional to the result."""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import isthmus

COUNT = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (int64 m) => (int64[k] y) <bool go = {1}> {
    y = Loop (m, go) <body = b (int64 i, bool c) => (bool d, int64 o) { d = Identity(c) o = Mul(i, i) }>
  }
"""
# The steps have outputs of two shapes. The condition that each step computes decides how many steps there are.
UNTIL = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[2] x, float most) => (float[2] last, float[k, 2] y, float[k] z) <bool go = {1}> {
    last, y, z = Loop (, go, x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t, float[2] o, float p) {
      t = Add(s, x)
      o = Neg(t)
      p = ReduceMax <keepdims = 0> (t)
      d = Less(p, most)
    }>
  }
"""
# A step outputs a row as long as the state, and appends `more` to the state. `go` is known only at run time.
ROWS = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (int64 m, float[n] x, float[j] more, bool go) => (float[r] last, float[k, q] y) {
    last, y = Loop (m, go, x) <body = b (int64 i, bool c, float[p] s) => (bool d, float[r] t, float[q] o) {
      d = Identity(c)
      t = Concat <axis = 0> (s, more)
      o = Neg(s)
    }>
  }
"""
SCAN = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[2, 3] s, float[2, n, 3] x) => (float[2, 3] last, float[2, 3, n] y) {
    last, y = Scan <body = b (float[2, 3] s0, float[2, 3] row) => (float[2, 3] s1, float[2, 3] o) {
      s1 = Add(s0, row)
      o = Neg(s1)
    }, num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [-1], DIRECTIONS> (s, x)
  }
"""
RNN = """
  <ir_version: 10, opset_import: ["" : 20]>
  g (float[t, b, 3] x, float[1, 4, 3] w, float[1, 4, 4] r, float[1, c, 4] h) => (float[s, 1, d, 4] y) {
    y = RNN <hidden_size = 4> (x, w, r, , , h)
  }
"""


def parse(text):
    return onnx.parser.parse_model(text)


def lower(text, target="linalg", **options):
    return isthmus.import_onnx(parse(text).SerializeToString()).lower(target, **options)


def check(text, *inputs, target="linalg", **options):
    names = [value.name for value in parse(text).graph.input]
    session = onnxruntime.InferenceSession(parse(text).SerializeToString())
    expected = session.run(None, dict(zip(names, inputs)))
    results = lower(text, target, **options).run(*inputs)
    for result, array in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, array)


@pytest.mark.parametrize("steps", [1, 3, 1000])
def test_a_number_of_steps(steps):
    check(COUNT, np.array(steps))


@pytest.mark.parametrize("steps", [0, -5])
def test_no_step(steps):
    (result,) = lower(COUNT).run(np.array(steps))
    assert result.shape == (0,)


@pytest.mark.parametrize("most", [0, 3, 4, 5, 6, 9, 100])
def test_steps_that_end_by_a_condition(most):
    check(UNTIL, np.array([-1, 1], np.float32), np.array(most, np.float32))


KNOWN_START = ROWS.replace(", bool go)", ")").replace("y) {", "y) <bool go = {1}> {")


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("steps", [1, 4, 5, 70])
def test_rows_whose_length_is_open(steps, length):
    inputs = np.array(steps), np.arange(length, dtype=np.float32), np.zeros(0, np.float32)
    check(ROWS, *inputs, np.array(True))
    check(KNOWN_START, *inputs)


def test_no_row():
    _, y = lower(ROWS).run(np.array(5), np.ones(2, np.float32), np.ones(1, np.float32), np.array(False))
    assert y.shape == (0, 0), "nobody knows how long a row would have been"


def test_rows_of_several_lengths():
    inputs = np.array(3), np.ones(2, np.float32), np.ones(1, np.float32)
    for text, more in ((ROWS, [np.array(True)]), (KNOWN_START, [])):
        with pytest.raises(isthmus.IsthmusError, match="expected outputs of one shape from all steps of a loop"):
            lower(text).run(*inputs, *more)


@pytest.mark.parametrize("directions", ["scan_input_directions = [0]", "scan_output_directions = [1]"])
@pytest.mark.parametrize("steps", [0, 1, 70])
def test_scan(steps, directions):
    x = np.arange(6 * steps, dtype=np.float32).reshape(2, steps, 3)
    text = SCAN.replace("DIRECTIONS", directions)
    state = np.ones((2, 3), np.float32)
    last, y = lower(text).run(state, x)
    states = state[:, None] + np.cumsum(x, axis=1)
    outputs = -states.transpose(0, 2, 1)
    if "output" in directions:
        outputs = outputs[:, :, ::-1]
    np.testing.assert_array_equal(last, states[:, -1] if steps else state)
    np.testing.assert_array_equal(y, outputs)


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_more_steps_than_are_copied_one_by_one(target):
    text = COUNT.replace("int64 m) =>", "int64 z) =>").replace("{1}>", "{1}, int64 m = {100}>")
    lowered = isthmus.import_onnx(parse(text).SerializeToString()).lower(target)
    (result,) = lowered.run(np.array(0, np.int64))
    np.testing.assert_array_equal(result, np.arange(100) ** 2)


def test_memory_grows_with_the_numbers_alone(tmp_path):
    # If each step copied all outputs so far, it would copy terabytes in total.
    script = """
import resource, sys
import numpy as np, isthmus
program = isthmus.import_onnx(sys.argv[1]).lower("linalg")
program.input_names()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(result,) = program.run(np.array(10**6))
assert np.array_equal(result, np.arange(10**6) ** 2)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    onnx.save(parse(COUNT), tmp_path / "count.onnx")
    command = [sys.executable, "-c", script, tmp_path / "count.onnx"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100_000, "kilobytes: the result has 8,000 of them"


@pytest.mark.parametrize("batch", [1, 3])
def test_room_for_the_batch_of_an_rnn(batch):
    """The memory for outputs is as large as the batch of X. An initial state of another batch size is an error."""
    x, w, r, h = (np.full(shape, 0.25, np.float32) for shape in [(5, 2, 3), (1, 4, 3), (1, 4, 4), (1, batch, 4)])
    program = lower(RNN)
    assert program.run(x, w, r, h[:, :1].repeat(2, axis=1))[0].shape == (5, 1, 2, 4)
    with pytest.raises(isthmus.InputError, match="node 'RNN_y': expected sizes that broadcast"):
        program.run(x, w, r, h)
