"""Programs with many ops, and ops with many operands, become code of proportional size, and compute the right numbers.

//benchmarks:scale measures the time of each stage. The programs of this test would take minutes if code grew faster.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import isthmus

FLOAT = TensorProto.FLOAT


def model(nodes, inputs, outputs, initializers=()):
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs],
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in outputs],
        list(initializers),
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def run(proto, *arrays, target="linalg"):
    return isthmus.import_onnx(proto.SerializeToString()).lower(target).run(*arrays)[0]


def chain(op, count, **attributes):
    names = ["x", *(f"t{i}" for i in range(1, count)), "y"]
    return [helper.make_node(op, [a], [b], **attributes) for a, b in zip(names, names[1:])]


X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize("shape", [("n", "m"), (3, 4)])
def test_a_long_chain_of_elementwise_ops(shape):
    proto = model(chain("Neg", 2001), [("x", shape)], [("y", shape)])
    np.testing.assert_array_equal(run(proto, X), -X)


@pytest.mark.parametrize("shape", [("n", "m"), (3, 4)])
def test_a_long_chain_of_reductions(shape):
    proto = model(chain("Softmax", 200, axis=-1), [("x", shape)], [("y", shape)])
    np.testing.assert_allclose(run(proto, X), np.full((3, 4), 0.25), rtol=1e-6)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("count", [2, 16, 17, 300])
@pytest.mark.parametrize("shape", [("n", "m"), (3, 4)])
def test_a_wide_concatenation(shape, count, axis):
    # Some parts of the concatenation are equal.
    shifts = [helper.make_tensor(f"c{i}", FLOAT, [], [float(i)]) for i in range(5)]
    nodes = [helper.make_node("Add", ["x", f"c{i}"], [f"t{i}"]) for i in range(5)]
    nodes.append(helper.make_node("Concat", [f"t{i % 5}" for i in range(count)], ["y"], axis=axis))
    proto = model(nodes, [("x", shape)], [("y", (None, None))], shifts)
    expected = np.concatenate([X + np.float32(i % 5) for i in range(count)], axis)
    np.testing.assert_array_equal(run(proto, X), expected)


def test_a_wide_concatenation_of_one_value_and_of_constants():
    part = onnx.numpy_helper.from_array(np.arange(8, dtype=np.float32).reshape(2, 4), "part")
    names = ["x", "part"] * 20
    proto = model([helper.make_node("Concat", names, ["y"], axis=0)], [("x", ("n", 4))], [("y", (None, 4))], [part])
    expected = np.concatenate([X, np.arange(8, dtype=np.float32).reshape(2, 4)] * 20)
    np.testing.assert_array_equal(run(proto, X), expected)


def test_a_sum_of_many_inputs_of_open_sizes():
    # The calls for them are one block of LLVM's, which is split.
    names = [f"x{i}" for i in range(400)]
    proto = model(
        [helper.make_node("Sum", names, ["y"])], [(name, ("n", "m")) for name in names], [("y", (None, None))]
    )
    inputs = [np.float32(i % 7) * (X if i % 3 else X[:1]) for i in range(400)]
    np.testing.assert_allclose(run(proto, *inputs), sum(inputs), rtol=1e-4, atol=1e-3)


def test_a_value_with_many_uses():
    nodes = [helper.make_node("Softmax", ["x"], [f"t{i}"], axis=i % 2) for i in range(60)]
    nodes.append(helper.make_node("Sum", [f"t{i}" for i in range(60)], ["y"]))
    proto = model(nodes, [("x", ("n", "m"))], [("y", ("n", "m"))])
    e = np.exp(X)
    expected = 30 * (e / e.sum(0, keepdims=True) + e / e.sum(1, keepdims=True))
    np.testing.assert_allclose(run(proto, X), expected, rtol=1e-5)


def test_many_loops_and_branches():
    """Each loop doubles its input k times; each branch adds 1 or nothing."""
    body = """
      {y} = Loop (k, more, {x}) <body = b{i} (int64 i{i}, bool c{i}, float[n] s{i}) => (bool d{i}, float[n] t{i}) {{
        d{i} = Identity(c{i}) t{i} = Add(s{i}, s{i})
      }}>
      {z} = If (more) <
        then_branch = p{i} () => (float[n] u{i}) {{ u{i} = Add({y}, one) }},
        else_branch = q{i} () => (float[n] v{i}) {{ v{i} = Identity({y}) }}>
    """
    steps = "".join(body.format(i=i, x=f"z{i - 1}" if i else "x", y=f"y{i}", z=f"z{i}") for i in range(40))
    proto = onnx.parser.parse_model(
        f"""
        <ir_version: 10, opset_import: ["" : 20]>
        g (float[n] x, int64 k, bool more) => (float[n] z39) <float one = {{1}}> {{ {steps} }}
        """
    )
    module = isthmus.import_onnx(proto.SerializeToString()).lower("linalg")
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(module.run(x, np.int64(0), np.bool_(True))[0], x + 40)
    # x becomes 2 * x + 1, 40 times.
    expected = x * np.float32(2**40)
    np.testing.assert_allclose(module.run(x, np.int64(1), np.bool_(True))[0], expected + 2.0**40, rtol=1e-6)
    np.testing.assert_array_equal(module.run(x, np.int64(1), np.bool_(False))[0], x)


def test_patterns_that_undo_one_another_end():
    proto = onnx.parser.parse_model(
        """
        <ir_version: 9, opset_import: ["" : 20]>
        g (float[0] x) => (float[n] y, int64[n] i, int64[k] j, int64[n] c) { y, i, j, c = Unique <sorted = 1> (x) }
        """
    )
    results = isthmus.import_onnx(proto.SerializeToString()).lower("linalg").run(np.zeros(0, np.float32))
    assert [array.shape for array in results] == [(0,)] * 4


SPLATS = """
<ir_version: 10, opset_import: ["" : 20]>
g (float[2] x) => (float[2] y)
<int64[1] size = {%d}> {
  many = ConstantOfShape <value = float[1] {0.5}> (size)
  sum = ReduceSum <keepdims = 0> (many)
  y = Add(x, sum)
}
"""


@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_what_is_all_alike_is_not_kept_in_memory(target):
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    y = run(onnx.parser.parse_model(SPLATS % 2**26), np.zeros(2, np.float32), target=target)
    # A sum of so many numbers in f32 depends on the order. The tolerance only shows that all were added.
    np.testing.assert_allclose(y, 2.0**25, rtol=0.5)
    # In KB. The numbers would take 256 MiB as data of the program, and 2.6 GB with copies as text and as code.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000


def test_many_outputs():
    # One output is an input, and two outputs are the same value.
    shifts = [helper.make_tensor(f"c{i}", FLOAT, [], [float(i)]) for i in range(500)]
    nodes = [helper.make_node("Add", ["x", f"c{i}"], [f"y{i}"]) for i in range(500)]
    nodes.append(helper.make_node("Identity", ["x"], ["same"]))
    nodes.append(helper.make_node("Identity", ["y7"], ["again"]))
    names = ["same", *(f"y{i}" for i in range(500)), "again"]
    proto = model(nodes, [("x", ("n", "m"))], [(name, ("n", "m")) for name in names], shifts)
    results = isthmus.import_onnx(proto.SerializeToString()).lower("linalg").run(X)
    for result, shift in zip(results, [0, *range(500), 7], strict=True):
        np.testing.assert_array_equal(result, X + np.float32(shift))


def test_one_value_as_many_outputs():
    names = [f"y{i}" for i in range(1000)]
    nodes = [helper.make_node("Neg", ["x"], [name]) for name in names]
    proto = model(nodes, [("x", ("n", "m"))], [(name, ("n", "m")) for name in names])
    results = isthmus.import_onnx(proto.SerializeToString()).lower("linalg").run(X)
    assert all((result == -X).all() for result in results) and len(results) == 1000
