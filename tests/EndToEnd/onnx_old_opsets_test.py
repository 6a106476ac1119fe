"""Old versions of ops compute what these versions say, on every target. One case per row of Upgrades.cpp up to opset 7."""

import functools

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import isthmus

random = np.random.default_rng(0)
X = random.normal(size=(2, 3, 4, 5)).astype(np.float32)
CHANNEL = random.normal(size=3).astype(np.float32)
PAIR = random.normal(size=(3, 4)).astype(np.float32)
MATRIX = random.normal(size=(3, 4)).astype(np.float32)


def old(op, opset, *inputs, outputs=1, open_rank=False, **attributes):
    """A model of one node of an opset, whose inputs are like these arrays. One of open rank hides the rank."""
    names = [f"x{i}" for i in range(len(inputs))]
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in zip(names, inputs)
    ]
    nodes = []
    if open_rank:  # types of values between nodes are not known while nodes are upgraded
        nodes = [helper.make_node("Identity", [name], [f"{name}_same"]) for name in names]
        names = [f"{name}_same" for name in names]
    made = [f"y{i}" for i in range(outputs)]
    nodes.append(helper.make_node(op, names, made, name="n", **attributes))
    results = [onnx.ValueInfoProto(name=name) for name in made]
    graph = helper.make_graph(nodes, "g", infos, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=3)


def at_channels(function):
    """function(X, CHANNEL) where CHANNEL stands for dim 1."""
    return function(X, CHANNEL[:, None, None])


def interpolated(x, axis, scale):
    """A dim with `scale` times as many elements, at multiples of 1 / scale; those behind the last are the last."""
    places = np.arange(x.shape[axis] * scale) / scale
    return np.apply_along_axis(lambda row: np.interp(places, range(len(row)), row), axis, x).astype(x.dtype)


BINARY = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
    "Equal": np.equal,
    "Less": np.less,
    "Greater": np.greater,
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
}


def operands(op, x, y):
    if op in ("And", "Or", "Xor"):
        return x > 0, y > 0
    return (np.int32(x), np.int32(y)) if op == "Equal" else (x, y)


CASES = {}
for name, function in BINARY.items():
    for hidden in (False, True):
        x, y = operands(name, X, CHANNEL)
        CASES[f"{name}-axis{'-open' * hidden}"] = (
            old(name, 6, x, y, broadcast=1, axis=1, open_rank=hidden),
            [x, y],
            [function(x, y[:, None, None])],
        )
    x, y = operands(name, X, X[1, 1])
    CASES[f"{name}-suffix"] = old(name, 1, x, y, broadcast=1), [x, y], [function(x, y)]
    x, y = operands(name, X, X[::-1].copy())
    CASES[f"{name}-same"] = old(name, 6, x, y), [x, y], [function(x, y)]
POSITIVE = np.abs(X)
CASES |= {
    "Add-two-dims": (old("Add", 6, X, PAIR, broadcast=1, axis=1), [X, PAIR], [X + PAIR[:, :, None]]),
    "Add-from-the-end": (old("Add", 6, X, PAIR, broadcast=1, axis=-3), [X, PAIR], [X + PAIR[:, :, None]]),
    "Pow-axis": (
        old("Pow", 1, POSITIVE, CHANNEL, broadcast=1, axis=1),
        [POSITIVE, CHANNEL],
        [POSITIVE ** CHANNEL[:, None, None]],
    ),
    "consumed_inputs": (old("Relu", 1, X, consumed_inputs=[1]), [X], [np.maximum(X, 0)]),
    "Cast-float": (old("Cast", 1, X, to="INT32"), [X], [X.astype(np.int32)]),
    "Cast-bool": (old("Cast", 1, X, to="BOOL"), [X], [X != 0]),
    "Clip": (old("Clip", 1, X, min=-0.5, max=0.25, consumed_inputs=[0]), [X], [X.clip(-0.5, 0.25)]),
    "Concat": (old("Concat", 1, X, X), [X, X], [np.concatenate([X, X], 1)]),
    "Concat-axis": (old("Concat", 1, X, X, axis=2), [X, X], [np.concatenate([X, X], 2)]),
    **{
        f"Dropout-{opset}": (old("Dropout", opset, X, is_test=1, ratio=0.5, **consumed), [X], [X])
        for opset, consumed in {1: {"consumed_inputs": [0]}, 6: {}}.items()
    },
    **{
        f"Gemm-{opset}": (
            old("Gemm", opset, MATRIX, MATRIX, CHANNEL, broadcast=1, transB=1),
            [MATRIX, MATRIX, CHANNEL],
            [MATRIX @ MATRIX.T + CHANNEL],
        )
        for opset in (1, 6)
    },
    **{
        f"GlobalLpPool-{opset}": (
            old("GlobalLpPool", opset, X, p=p),
            [X],
            [np.sqrt((X**2).sum((2, 3), keepdims=True))],
        )
        for opset, p in {1: 2.0, 2: 2, 22: 2}.items()
    },
    "LpPool": (
        old("LpPool", 1, X, p=1.0, kernel_shape=[4, 5]),
        [X],
        [np.abs(X).sum((2, 3), keepdims=True)],
    ),
    "PRelu-channels": (
        old("PRelu", 6, X, CHANNEL),
        [X, CHANNEL],
        [at_channels(lambda x, slope: np.where(x < 0, x * slope, x))],
    ),
    "PRelu-one": (old("PRelu", 1, X, CHANNEL[:1]), [X, CHANNEL[:1]], [np.where(X < 0, X * CHANNEL[0], X)]),
    "Pad": (
        old("Pad", 1, X, paddings=[0, 0, 1, 2, 0, 0, 0, 3], value=1.5),
        [X],
        [np.pad(X, [(0, 0), (0, 0), (1, 0), (2, 3)], constant_values=1.5)],
    ),
    "Reshape": (old("Reshape", 1, X, shape=[0, -1, 5]), [X], [X.reshape(2, 12, 5)]),
    "Selu": (old("Selu", 1, X), [X], [np.float32(1.0507) * np.where(X > 0, X, np.float32(1.6732) * np.expm1(X))]),
    "Selu-6": (
        old("Selu", 6, X),
        [X],
        [np.float32(1.05070098) * np.where(X > 0, X, np.float32(1.67326324) * np.expm1(X))],
    ),
    "Slice": (old("Slice", 1, X, starts=[1, 0], ends=[3, -1], axes=[1, 3]), [X], [X[:, 1:3, :, :-1]]),
    "Split": (old("Split", 1, X, outputs=2, axis=1, split=[1, 2]), [X], [X[:, :1], X[:, 1:]]),
    "Split-equal": (old("Split", 2, X, outputs=2), [X], [X[:1], X[1:]]),
    "Upsample": (
        old("Upsample", 1, X, height_scale=2.0, width_scale=3.0, mode="nearest"),
        [X],
        [X.repeat(2, axis=2).repeat(3, axis=3)],
    ),
    "Upsample-bilinear": (
        old("Upsample", 1, X, height_scale=2.0, width_scale=3.0, mode="bilinear"),
        [X],
        [interpolated(interpolated(X, 2, 2), 3, 3)],
    ),
}


def with_constants(model, arrays):
    """The model with its last inputs as initializers."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    result.graph.initializer.extend(
        onnx.numpy_helper.from_array(array, value.name)
        for value, array in zip(result.graph.input[-len(arrays) :], arrays)
    )
    return result


TILES = [np.float32([3]), np.float32([1])]
SIZES = np.float32([1, 2])
CASES |= {
    "Tile": (with_constants(old("Tile", 1, X, *TILES), TILES), [X], [np.tile(X, (1, 3, 1, 1))]),
    "Tile-run-time": (old("Tile", 1, X, *TILES), [X, *TILES], [np.tile(X, (1, 3, 1, 1))]),
    "Split-sizes": (
        with_constants(old("Split", 1, X, SIZES, outputs=2, axis=1), [SIZES]),
        [X],
        [X[:, :1], X[:, 1:]],
    ),
}


@functools.cache
def statistics():
    mean, var, scale, bias = (np.abs(random.normal(size=3)).astype(np.float32) for _ in range(4))
    normal = (X - mean[:, None, None]) / np.sqrt(var[:, None, None] + np.float32(1e-5))
    return [X, scale, bias, mean, var], [normal * scale[:, None, None] + bias[:, None, None]]


for version, attributes in ((1, {"consumed_inputs": [0, 0, 0, 1, 1]}), (6, {})):
    inputs, expected = statistics()
    CASES[f"BatchNormalization-{version}"] = (
        old("BatchNormalization", version, *inputs, is_test=1, **attributes),
        inputs,
        expected,
    )


def recurrent(op, opset, gates):
    """A layer whose weights are all 0.1, run for two steps."""
    weights = np.full((1, gates * 2, 3), 0.1, np.float32), np.full((1, gates * 2, 2), 0.1, np.float32)
    x = random.normal(size=(2, 1, 3)).astype(np.float32)
    attributes = {"hidden_size": 2, "output_sequence": 1}
    newest = old(op, 14, x, *weights, outputs=2, hidden_size=2)
    results = ReferenceEvaluator(newest).run(None, dict(zip(("x0", "x1", "x2"), (x, *weights))))
    model = old(op, opset, x, *weights, outputs=2, **attributes)
    return with_constants(model, weights), [x], results


for op, opset, gates in (("RNN", 1, 1), ("GRU", 1, 3), ("GRU", 3, 3), ("LSTM", 1, 4)):
    CASES[f"{op}-{opset}"] = recurrent(op, opset, gates)


@pytest.mark.parametrize("target", ["linalg", "stablehlo", "tosa"])
@pytest.mark.parametrize("name", CASES)
def test_case(name, target):
    if name == "Tile-run-time" and target != "linalg":
        pytest.skip("XLA and TOSA 1.0 have no result whose sizes are known at run time only")
    model, inputs, expected = CASES[name]
    program = isthmus.compile(model.SerializeToString(), output_type=target)
    if target == "stablehlo":
        from tests.support.xla import run_stablehlo

        results = run_stablehlo(program.text(weights="inline"), *inputs)
    else:
        results = program.run(*inputs, optimize=False)
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected):
        assert result.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=1e-6)


def test_nearest_of_tf_half_pixel_for_nn():
    """Resize-11 has floor((y + 0.5) / scale), as tf2onnx writes it."""
    scales = np.float32([1, 1, 2.5, 2.5])
    x = X[:1, :1]
    model = old(
        "Resize",
        11,
        x,
        np.zeros(0, np.float32),
        scales,
        coordinate_transformation_mode="tf_half_pixel_for_nn",
        nearest_mode="floor",
    )
    rows, columns = (np.int64((np.arange(int(n * 2.5)) + 0.5) / 2.5) for n in x.shape[2:])
    program = isthmus.compile(with_constants(model, [np.zeros(0, np.float32), scales]).SerializeToString())
    (result,) = program.run(x, optimize=False)
    np.testing.assert_array_equal(result, x[:, :, rows][:, :, :, columns])


def test_sign_keeps_nan():
    x = np.float32([np.nan, -2, 0, 3])
    for target in ("linalg", "tosa"):
        program = isthmus.compile(old("Sign", 13, x).SerializeToString(), output_type=target)
        np.testing.assert_array_equal(program.run(x, optimize=False)[0], np.float32([np.nan, -1, 0, 1]))


def test_a_bound_of_one_element():
    low = np.float32([-0.25])
    model = with_constants(old("Clip", 13, X, low), [low])
    (result,) = isthmus.compile(model.SerializeToString()).run(X, optimize=False)
    np.testing.assert_array_equal(result, X.clip(-0.25))
    (result,) = isthmus.compile(old("Clip", 13, X, low).SerializeToString()).run(X, low, optimize=False)
    np.testing.assert_array_equal(result, X.clip(-0.25))


def test_a_condition_of_one_element():
    def branch(value):
        made = helper.make_node("Constant", [], ["z"], value=onnx.numpy_helper.from_array(np.float32(value)))
        return helper.make_graph([made], "branch", [], [onnx.ValueInfoProto(name="z")])

    chosen = helper.make_node("If", ["c"], ["y"], then_branch=branch(1), else_branch=branch(2))
    condition = helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, ["n"])
    graph = helper.make_graph([chosen], "g", [condition], [helper.make_tensor_value_info("y", 1, [])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    program = isthmus.compile(model.SerializeToString())
    assert [program.run(np.array([c]), optimize=False)[0] for c in (True, False)] == [1, 2]
    with pytest.raises(isthmus.InputError):
        program.run(np.array([True, False]), optimize=False)


def errors(model):
    with pytest.raises(isthmus.IsthmusError) as error:
        isthmus.compile(model.SerializeToString(), output_type="linalg")
    return error.value.messages


def test_messages():
    assert errors(old("Cast", 1, X, to="STRING")) == [
        "<bytes>: node 'n' (Cast-1): attribute 'to': expected the name of a dtype of numbers, got 'STRING'"
    ]
    assert errors(old("LpPool", 1, X, p=1.5, kernel_shape=[2, 2])) == [
        "<bytes>: node 'n' (LpPool-1): attribute 'p': expected a whole number, which all newer versions have, got 1.500000e+00"
    ]
    assert errors(old("Upsample", 1, X, height_scale=2.0)) == [
        "<bytes>: node 'n' (Upsample-1): expected attribute 'width_scale', got none"
    ]
