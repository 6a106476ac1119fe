"""Inputs that do not fit end a run with one error that names the node, and nothing is accessed out of bounds."""

import re
import subprocess
import sys

import numpy as np
import onnx
import pytest

import isthmus


def floats(*shape):
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def ints(*values):
    return np.array(values, np.int64)


# Small graphs, with inputs that fit, inputs that do not fit, and the error of a run with the latter.
CASES = {
    "reshape": (
        "(float[n] x, int64[2] sizes) => (float[a, b] y) { [it] y = Reshape(x, sizes) }",
        [floats(6), ints(2, 3)],
        [floats(6), ints(3, 3)],
        "expected a shape of as many elements as the tensor has, got 9 and 6",
    ),
    "reshape to negative sizes": (
        "(float[n] x, int64[2] sizes) => (float[a, b] y) { [it] y = Reshape(x, sizes) }",
        [floats(6), ints(3, 2)],
        [floats(6), ints(-2, -3)],
        "expected",
    ),
    "reshape that infers": (
        "(float[n] x) => (float[a, 4] y) <int64[2] sizes = {-1, 4}> { [it] y = Reshape(x, sizes) }",
        [floats(8)],
        [floats(6)],
        "expected a shape of as many elements as the tensor has, got 4 and 6",
    ),
    "reshape to a fixed shape": (
        "(float[n, 4] x) => (float[2, 6] y) <int64[2] sizes = {2, 6}> { [it] y = Reshape(x, sizes) }",
        [floats(3, 4)],
        [floats(5, 4)],
        "expected a shape of as many elements as the tensor has, got 20 and 12",
    ),
    "squeeze": (
        "(float[n, 4] x) => (float[4] y) <int64[1] axes = {0}> { [it] y = Squeeze(x, axes) }",
        [floats(1, 4)],
        [floats(3, 4)],
        "expected dim 0 to be of size 1, got 3 and 1",
    ),
    "broadcast": (
        "(float[n, 4] x, float[m, 4] z) => (float[k, 4] y) { [it] y = Add(x, z) }",
        [floats(3, 4), floats(1, 4)],
        [floats(3, 4), floats(2, 4)],
        "expected sizes that broadcast, got",
    ),
    "broadcast to a known size": (
        "(float[n] x, float[5] z) => (float[5] y) { [it] y = Add(x, z) }",
        [floats(5), floats(5)],
        [floats(4), floats(5)],
        "expected sizes that broadcast, got 4 and 5",
    ),
    "matrix product": (
        "(float[n, k] x, float[j, m] z) => (float[n, m] y) { [it] y = MatMul(x, z) }",
        [floats(2, 3), floats(3, 4)],
        [floats(2, 3), floats(5, 4)],
        "expected as many rows on the right as columns on the left, got 5 and 3",
    ),
    "batched matrix product": (
        "(float[a, n, k] x, float[b, k, m] z) => (float[c, n, m] y) { [it] y = MatMul(x, z) }",
        [floats(2, 2, 3), floats(2, 3, 4)],
        [floats(2, 2, 3), floats(3, 3, 4)],
        "expected",
    ),
    "convolution": (
        "(float[1, c, 5, 5] x, float[2, 3, 3, 3] w) => (float[1, 2, 3, 3] y) { [it] y = Conv(x, w) }",
        [floats(1, 3, 5, 5), floats(2, 3, 3, 3)],
        [floats(1, 2, 5, 5), floats(2, 3, 3, 3)],
        "expected as many channels as the filter is for, got 2 and 3",
    ),
    "convolution larger than its input": (
        "(float[1, 1, h, h] x, float[1, 1, 4, 4] w) => (float[1, 1, a, a] y) { [it] y = Conv(x, w) }",
        [floats(1, 1, 5, 5), floats(1, 1, 4, 4)],
        [floats(1, 1, 2, 2), floats(1, 1, 4, 4)],
        "expected a size that is not negative, got -1 and 0",
    ),
    "concat": (
        "(float[n, 2] x, float[m, 2] z) => (float[k, 4] y) { [it] y = Concat <axis = 1> (x, z) }",
        [floats(3, 2), floats(3, 2)],
        [floats(3, 2), floats(4, 2)],
        "expected tensors of the same size in dim 0, got 4 and 3",
    ),
    "gather": (
        "(float[n, 3] x, int64[k] i) => (float[k, 3] y) { [it] y = Gather(x, i) }",
        [floats(4, 3), ints(3, -4)],
        [floats(4, 3), ints(0, 4)],
        "expected an index inside the dim it indexes",
    ),
    "gather of many": (
        "(float[n] x, int64[k] i) => (float[k] y) { [it] y = Gather(x, i) }",
        [floats(4), np.arange(100) % 4],
        [floats(4), np.arange(100) - 96],
        "expected an index inside the dim it indexes",
    ),
    "gather elements": (
        "(float[n, 3] x, int64[k, 3] i) => (float[k, 3] y) { [it] y = GatherElements <axis = 0> (x, i) }",
        [floats(4, 3), ints([3, -4, 0])],
        [floats(4, 3), ints([3, -5, 0])],
        "expected an index inside the dim it indexes",
    ),
    "gather elements with a wide index": (
        "(float[n, m] x, int64[k, l] i) => (float[k, l] y) { [it] y = GatherElements <axis = 0> (x, i) }",
        [floats(4, 3), ints([3, 0])],
        [floats(4, 3), ints([3, 0, 0, 0])],
        "expected dim 1 of the index to be no larger than the tensor's, got 4 and 3",
    ),
    "gather in several dims": (
        "(float[n, 3] x, int64[k, 2] i) => (float[k] y) { [it] y = GatherND(x, i) }",
        [floats(4, 3), ints([3, 2])],
        [floats(4, 3), ints([2, 3])],
        "expected an index inside the dim it indexes",
    ),
    "scatter elements": (
        "(float[n] x, int64[k] i, float[k] u) => (float[n] y) { [it] y = ScatterElements(x, i, u) }",
        [floats(4), ints(3, 0), floats(2)],
        [floats(4), ints(3, 4), floats(2)],
        "expected an index inside the dim it indexes, got 4 and 4",
    ),
    "scatter fewer updates than indices": (
        "(float[n] x, int64[k] i, float[l] u) => (float[n] y) { [it] y = ScatterElements(x, i, u) }",
        [floats(4), ints(3, 0), floats(2)],
        [floats(4), ints(3, 0), floats(1)],
        "expected dim 0 of the index to be no larger than the tensor's, got 2 and 1",
    ),
    "scatter in several dims": (
        "(float[n, 3] x, int64[k, 1] i, float[k, 3] u) => (float[n, 3] y) { [it] y = ScatterND(x, i, u) }",
        [floats(4, 3), ints([3]), floats(1, 3)],
        [floats(4, 3), ints([-5]), floats(1, 3)],
        "expected an index inside the dim it indexes, got -1 and 4",
    ),
    "fill": (
        "(int64[2] sizes) => (float[a, b] y) { [it] y = ConstantOfShape(sizes) }",
        [ints(2, 0)],
        [ints(-2, -3)],
        "expected a size that is not negative, got -2 and 0",
    ),
    "cut off more than there is": (
        "(float[n] x) => (float[m] y) <int64[2] pads = {-2, -2}> { [it] y = Pad(x, pads) }",
        [floats(5)],
        [floats(3)],
        "expected a size that is not negative, got -1 and 0",
    ),
    "more of the largest than there are": (
        "(float[n] x, int64[1] k) => (float[a] y, int64[a] i) { [it] y, i = TopK(x, k) }",
        [floats(4), ints(4)],
        [floats(4), ints(5)],
        "expected K to be at most the number of elements along axis 0, got 5 and 4",
    ),
    "fewer of the largest than none": (
        "(float[n] x, int64[1] k) => (float[m] y, int64[m] i) { [it] y, i = TopK(x, k) }",
        [floats(6), ints(2)],
        [floats(6), ints(-1)],
        "expected K of 0 or more",
    ),
    "split to less than there is": (
        "(float[4] x, int64[2] sizes) => (float[a] y, float[b] z) { [it] y, z = Split(x, sizes) }",
        [floats(4), ints(1, 3)],
        [floats(4), ints(1, 1)],
        "expected sizes in split that sum to the number of elements along axis 0",
    ),
    "split to a negative size": (
        "(float[4] x, int64[2] sizes) => (float[a] y, float[b] z) { [it] y, z = Split(x, sizes) }",
        [floats(4), ints(4, 0)],
        [floats(4), ints(6, -2)],
        "expected sizes in split of 0 or more",
    ),
    "one hot of a negative depth": (
        "(int64[n] x, int64 depth, float[2] values) => (float[a, b] y) { [it] y = OneHot(x, depth, values) }",
        [ints(1, 0), np.int64(2), floats(2)],
        [ints(1, 0), np.int64(-5), floats(2)],
        "expected depth of 0 or more",
    ),
    "frames without a step": (
        "(float[1, 8, 1] x, int64 step) => (float[1, a, b, 2] y) <int64 length = {4}> "
        "{ [it] y = STFT(x, step, , length) }",
        [floats(1, 8, 1), np.int64(2)],
        [floats(1, 8, 1), np.int64(0)],
        "expected a frame_step of 1 or more",
    ),
    "scan what is of another length": (
        "(float[n] x, float[m] z) => (float[a] y) "
        "{ [it] y = Scan <num_scan_inputs = 2, body = b (float p, float q) => (float r) { r = Mul(p, q) }> (x, z) }",
        [floats(3), floats(3)],
        [floats(3), floats(5)],
        "expected scan inputs of one length",
    ),
    "expand a known size": (
        "(float[3] x, int64[1] sizes) => (float[3] y) { [it] y = Expand(x, sizes) }",
        [floats(3), ints(1)],
        [floats(3), ints(2)],
        "expected sizes that broadcast",
    ),
    "expand to a known size": (
        "(float[n] x) => (float[3] y) <int64[1] sizes = {3}> { [it] y = Expand(x, sizes) }",
        [floats(1)],
        [floats(2)],
        "expected",
    ),
    "expand an unknown size": (
        "(float[n] x, int64[1] sizes) => (float[m] y) { [it] y = Expand(x, sizes) }",
        [floats(3), ints(1)],
        [floats(3), ints(2)],
        "expected",
    ),
    "more memory than there is": (
        "(int64[2] sizes) => (float[a, b] y) { [it] y = ConstantOfShape(sizes) }",
        [ints(2, 2)],
        [ints(1 << 40, 1 << 20)],
        "out of memory",
    ),
    "reshape of nothing to sizes with a product of 2^64": (
        "(float[n] x, int64[2] sizes, int64[k, 2] i) => (float[k] y) { [it] r = Reshape(x, sizes) y = GatherND(r, i) }",
        [floats(6), ints(2, 3), np.array([[1, 2], [0, 1]])],
        [floats(0), ints(1 << 32, 1 << 32), np.array([[0, 0], [1 << 10, 0]])],
        "expected sizes with a product that memory can hold",
    ),
    "write to what was reshaped to sizes with a product of 2^64": (
        """(float[n] x, int64[2] sizes, int64[k, 2] i, float[k] u) => (float[k] y)
           { c = Relu(x) [it] r = Reshape(c, sizes) w = ScatterND(r, i, u) y = GatherND(w, i) }""",
        [floats(6), ints(2, 3), np.array([[1, 2], [0, 1]]), floats(2)],
        [floats(0), ints(1 << 32, 1 << 32), np.array([[0, 100], [1 << 10, 0]]), floats(2)],
        "expected sizes with a product that memory can hold",
    ),
    "fill a product of 2^64": (
        "(int64[2] sizes) => (float[a, b] y) { [it] y = ConstantOfShape(sizes) }",
        [ints(2, 2)],
        [ints(1 << 32, 1 << 32)],
        "out of memory",
    ),
    "fill 2^64 bytes": (
        "(int64[1] sizes) => (float[a] y) { [it] y = ConstantOfShape(sizes) }",
        [ints(2)],
        [ints(1 << 62)],
        "out of memory",
    ),
    "tile to a size of 2^64": (
        "(float[n] x, int64[1] repeats) => (float[a] y) { [it] y = Tile(x, repeats) }",
        [floats(4), ints(2)],
        [floats(4), ints(1 << 62)],
        "expected sizes with a product that memory can hold",
    ),
    "pad to a size beyond 2^64": (
        "(float[n] x, int64[2] pads) => (float[a] y) { [it] y = Pad(x, pads) }",
        [floats(4), ints(1, 2)],
        [floats(4), ints((1 << 63) - 1, (1 << 63) - 1)],
        "expected a size that memory can hold",
    ),
    "cut off less than any number": (
        "(float[n] x, int64[2] pads) => (float[a] y) { [it] y = Pad(x, pads) }",
        [floats(4), ints(-1, -2)],
        [floats(4), ints(-(1 << 63), -(1 << 63))],
        "expected a size that memory can hold",
    ),
    "one hot of a depth of 2^62": (
        "(int64[n] i, int64[1] depth, float[2] values) => (float[n, d] y) { [it] y = OneHot(i, depth, values) }",
        [ints(0, 2), ints(3), floats(2)],
        [ints(0, 2), ints(1 << 62), floats(2)],
        "out of memory",
    ),
    "resize to a size of 2^62": (
        """(float[1, 1, h, w] x, int64[4] sizes) => (float[a, b, c, d] y)
           { [it] y = Resize <mode = "nearest"> (x, , , sizes) }""",
        [floats(1, 1, 2, 2), ints(1, 1, 4, 4)],
        [floats(1, 1, 2, 2), ints(1, 1, 1 << 62, 4)],
        "out of memory",
    ),
    "affine grid of sizes with a product of 2^64": (
        "(float[1, 2, 3] theta, int64[4] sizes) => (float[a, b, c, 2] y) { [it] y = AffineGrid(theta, sizes) }",
        [floats(1, 2, 3), ints(1, 1, 2, 2)],
        [floats(1, 2, 3), ints(1, 1, 1 << 32, 1 << 32)],
        "expected sizes with a product that memory can hold",
    ),
    "crop to a size of 2^62": (
        "(float[n] x, int64[1] sizes) => (float[a] y) { [it] y = CenterCropPad(x, sizes) }",
        [floats(4), ints(3)],
        [floats(4), ints(1 << 62)],
        "expected a size that memory can hold",
    ),
    "range of 2^64 numbers": (
        "(int64 start, int64 limit, int64 delta) => (int64[n] y) { [it] y = Range(start, limit, delta) }",
        [np.int64(0), np.int64(5), np.int64(2)],
        [np.int64(-(1 << 63)), np.int64((1 << 63) - 1), np.int64(1)],
        "expected a range that memory can hold",
    ),
    "range of 2^62 numbers": (
        "(int64 start, int64 limit, int64 delta) => (int64[n] y) { [it] y = Range(start, limit, delta) }",
        [np.int64(0), np.int64(-5), np.int64(-2)],
        [np.int64(0), np.int64(1 << 62), np.int64(1)],
        "out of memory",
    ),
    "range without a step": (
        "(int64 start, int64 limit, int64 delta) => (int64[n] y) { [it] y = Range(start, limit, delta) }",
        [np.int64(0), np.int64(5), np.int64(2)],
        [np.int64(0), np.int64(5), np.int64(0)],
        "expected a step other than 0, got 0 and 0",
    ),
    "range of more floats than there are": (
        "(float start, float limit, float delta) => (float[n] y) { [it] y = Range(start, limit, delta) }",
        [np.float32(0), np.float32(5), np.float32(2)],
        [np.float32(0), np.float32(1e30), np.float32(1e-30)],
        "expected a range that memory can hold",
    ),
    "range to no number": (
        "(float start, float limit, float delta) => (float[n] y) { [it] y = Range(start, limit, delta) }",
        [np.float32(5), np.float32(0), np.float32(-2)],
        [np.float32(0), np.float32(np.nan), np.float32(1)],
        "expected a range that memory can hold",
    ),
}

# Inputs that look wrong but are well defined, and the shape of the result.
DEFINED = {
    "integer division by zero": (
        "(int64[n] x, int64[n] z) => (int64[n] y) { [it] y = Div(x, z) }",
        [ints(7, np.iinfo(np.int64).min), ints(0, -1)],
        (2,),
    ),
    "integer remainder by zero": (
        "(int32[n] x, int32[n] z) => (int32[n] y) { [it] y = Mod(x, z) }",
        [ints(7, np.iinfo(np.int32).min).astype(np.int32), ints(0, -1).astype(np.int32)],
        (2,),
    ),
    "division of sizes by zero": (
        "(float[n, m] x) => (float[n, a] y) <int64[2] sizes = {0, -1}> { [it] y = Reshape(x, sizes) }",
        [floats(0, 3)],
        (0, 3),
    ),
    "reshape that infers at run time": (
        "(float[n] x, int64[2] sizes) => (float[a, b] y) { [it] y = Reshape(x, sizes) }",
        [floats(6), ints(-1, 3)],
        (2, 3),
    ),
    "slice far outside": (
        "(float[n] x, int64[1] start, int64[1] end) => (float[a] y) { [it] y = Slice(x, start, end) }",
        [floats(5), ints(-100), ints(1 << 62)],
        (5,),
    ),
    "slice backwards": (
        "(float[n] x, int64[1] start, int64[1] end) => (float[a] y) { [it] y = Slice(x, start, end) }",
        [floats(5), ints(4), ints(2)],
        (0,),
    ),
    "expand to a size of 1": (
        "(float[n] x, int64[1] sizes) => (float[m] y) { [it] y = Expand(x, sizes) }",
        [floats(3), ints(1)],
        (3,),
    ),
    "sum of nothing": (
        "(float[n] x) => (float y) { [it] y = ReduceSum <keepdims = 0> (x) }",
        [floats(0)],
        (),
    ),
}


def compiled(graph):
    text = f'<ir_version: 9, opset_import: ["" : 20]> g {graph}'
    return isthmus.import_onnx(onnx.parser.parse_model(text).SerializeToString()).lower("linalg")


@pytest.mark.parametrize("check_bounds", [False, True], ids=["", "bounds"])
@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit(name, check_bounds):
    graph, good, bad, message = CASES[name]
    module = compiled(graph)
    before = module.run(*good)
    with pytest.raises(isthmus.IsthmusError, match=re.escape(message)) as error:
        module.run(*bad, check_bounds=check_bounds)
    assert "node 'it'" in str(error.value) or "out of memory" in message
    for result, again in zip(module.run(*good), before, strict=True):
        np.testing.assert_array_equal(result, again)


@pytest.mark.parametrize("name", DEFINED)
def test_what_has_a_meaning(name):
    graph, inputs, shape = DEFINED[name]
    assert compiled(graph).run(*inputs)[0].shape == shape


@pytest.mark.parametrize(
    "argument",
    [floats(2, 5), floats(4), floats(2, 4).astype(np.float64), floats(2, 4).astype(np.int32)],
    ids=["size", "rank", "f64", "i32"],
)
def test_arguments_of_another_type(argument):
    module = compiled("(float[n, 4] x) => (float[n, 4] y) { [it] y = Relu(x) }")
    with pytest.raises(isthmus.IsthmusError, match=r"'x'.*expected \?x4xf32, got"):
        module.run(argument)
    with pytest.raises(isthmus.IsthmusError, match="expected 1 argument"):
        module.run()


def test_command_ends_with_status_1(tmp_path):
    compiled(CASES["reshape"][0]).save(tmp_path / "m.mlir")
    np.save(tmp_path / "x.npy", floats(6))
    np.save(tmp_path / "s.npy", ints(3, 3))
    inputs = ["--inputs", "x=x.npy", "sizes=s.npy", "--outputs", "y.npz"]
    command = [sys.executable, "-m", "isthmus", "run", "m.mlir", *inputs]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "node 'it': expected a shape" in done.stderr
    assert not (tmp_path / "y.npz").exists()


LOOP = """<ir_version: 9, opset_import: ["" : 20]> g (int64 t, float[n] x) => (float[k] y) {
  c = Constant <value = bool {1}> ()
  y = Loop <body = b (int64 i, bool ci, float[a] v) => (bool co, float[q] o) {
    co = Identity(ci) o = Concat <axis = 0> (v, x)
  }> (t, c, x)
}"""
MEMORY = """
import resource, sys
import numpy as np, onnx, isthmus
module = isthmus.import_onnx(onnx.parser.parse_model(sys.argv[1]).SerializeToString()).lower("linalg")
module.run(np.int64(10), np.ones(1, np.float32))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert len(module.run(np.int64(10_000), np.ones(1, np.float32))[0]) == 10_001
for size in range(1, 60):
    module.run(np.int64(1), np.ones(size << 18, np.float32))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


def test_memory_is_that_of_the_latest_state_and_sizes():
    """Memory of earlier states of a loop, and of inputs of earlier sizes, is freed.

    Otherwise the states of a loop that collects 10 thousand numbers take 400 MB, and inputs of 59 sizes 5 GB.
    """
    done = subprocess.run([sys.executable, "-c", MEMORY, LOOP], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 600  # MB: five buffers of the size of the largest input take 300


NUMBER = """
func.func @main(%x: !torch.vtensor<[?,?],f64>) -> !torch.vtensor<[],f64> {
  %number = torch.aten.Float.Tensor %x : !torch.vtensor<[?,?],f64> -> !torch.float
  %y = torch.prim.NumToTensor.Scalar %number : !torch.float -> !torch.vtensor<[],f64>
  return %y : !torch.vtensor<[],f64>
}
"""


@pytest.mark.parametrize("sizes", [(0, 1), (1, 0), (1, 2)])
def test_a_number_of_a_tensor_that_has_none_or_several(sizes):
    module = isthmus.parse(NUMBER).lower("linalg")
    assert module.run(np.full((1, 1), 2.5))[0] == 2.5
    with pytest.raises(isthmus.InputError, match="expected a tensor of one element, got [02] and 1"):
        module.run(np.zeros(sizes))


THREADS = """
import os, resource, sys
import numpy as np, onnx, isthmus
module = isthmus.import_onnx(onnx.parser.parse_model(sys.argv[1]).SerializeToString()).lower("linalg")
x = np.ones((64, 1 << 14), np.float32)
module.run(x, threads=2)
if os.fork() == 0:
    sys.exit(0)  # without workers
assert os.wait()[1] == 0
stack = 8 << 20
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 3 * stack, size + 3 * stack))
print(module.run(x, threads=64)[0].sum())
"""


def test_threads_that_do_not_start_are_done_without():
    graph = '<ir_version: 9, opset_import: ["" : 20]> g (float[n, m] x) => (float[n, m] y) { y = Relu(x) }'
    done = subprocess.run([sys.executable, "-c", THREADS, graph], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == 64 * (1 << 14)


FORKS = """
import os, signal, sys, threading
import numpy as np, onnx, isthmus
module = isthmus.import_onnx(onnx.parser.parse_model(sys.argv[1]).SerializeToString()).lower("linalg")
x = np.ones((4, 1 << 10), np.float32)
module.run(x)
held, is_done = threading.Event(), threading.Event()

def hold():  # as a thread does that compiles
    with module._lock:
        held.set()
        is_done.wait()

def run():
    while not is_done.is_set():
        module.run(x)

threads = [threading.Thread(target=target) for target in (run, run, run)]
for thread in threads:
    thread.start()
for turn in range(60):
    if turn == 30:
        is_done.set()
        for thread in threads:
            thread.join()
        is_done.clear()
        threads = [threading.Thread(target=hold)]
        threads[0].start()
        held.wait()
    if os.fork() == 0:
        signal.alarm(20)
        os._exit(0 if module.run(x, threads=1)[0].sum() == x.size else 1)
    status = os.wait()[1]
    if status:
        is_done.set()
        sys.exit(f"turn {turn}: {os.waitstatus_to_exitcode(status)}")
is_done.set()
"""


def test_a_fork_of_a_process_whose_threads_hold_locks():
    graph = '<ir_version: 9, opset_import: ["" : 20]> g (float[n, m] x) => (float[n, m] y) { y = Relu(x) }'
    done = subprocess.run([sys.executable, "-c", FORKS, graph], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# The index is the size of an argument: no tensor that a loop would run over.
INDEX_OF_SIZE = """
func.func @main(%x: !torch.vtensor<[?],f32>, %m: !torch.vtensor<[5],i1>, %n: !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %none = torch.constant.none
  %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int
  %sizes = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %index = torch.aten.full %sizes, %size, %int4, %none, %none, %none
      : !torch.list<int>, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[1],si64>
  %one = torch.aten.index_select %m, %int0, %index : !torch.vtensor<[5],i1>, !torch.int, !torch.vtensor<[1],si64> -> !torch.vtensor<[1],i1>
  %y = torch.aten.logical_and %one, %n : !torch.vtensor<[1],i1>, !torch.vtensor<[3],i1> -> !torch.vtensor<[3],i1>
  return %y : !torch.vtensor<[3],i1>
}
"""


def test_a_check_that_is_left_of_a_loop():
    module = isthmus.parse(INDEX_OF_SIZE).lower("linalg")
    m, n = np.array([False, False, True, False, True]), np.array([True, False, True])
    np.testing.assert_array_equal(module.run(floats(2), m, n)[0], n)
    with pytest.raises(isthmus.InputError, match="expected an index inside the dim it indexes, got 7 and 5"):
        module.run(floats(7), m, n)
