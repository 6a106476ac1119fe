"""Small models through the torch dialect, run by PyTorch, against onnxruntime's numbers.

These are cases that ONNX's own node tests (EndToEnd/onnx_node_test.py) leave out.
"""

import numpy as np
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_onnx, model, run, value
from tests.support.torch_program import TorchProgram

node = helper.make_node
PIPELINE = "--convert-onnx-to-torch-pipeline"


def build(nodes, inputs=None, constants=None, outputs="y", dtype=TensorProto.FLOAT, opset=22):
    """A model from arrays by name: inputs are fed, constants are initializers."""
    return model(
        nodes,
        [value(k, v.shape, helper.np_dtype_to_tensor_dtype(v.dtype)) for k, v in (inputs or {}).items()],
        [value(name, None, dtype) for name in outputs.split()],
        opset=opset,
        initializers=[numpy_helper.from_array(np.asarray(v), k) for k, v in (constants or {}).items()],
    )


def check(nodes, inputs=None, constants=None, **others):
    """Both compute the same from the same inputs."""
    inputs = {k: np.asarray(v) for k, v in (inputs or {}).items()}
    graph = build(nodes, inputs, constants, **others)
    wanted = onnxruntime.InferenceSession(graph.SerializeToString()).run(None, inputs)
    got = TorchProgram(import_onnx(graph, PIPELINE)).run(*(torch.from_numpy(v.copy()) for v in inputs.values()))
    for result, expected in zip(got, wanted, strict=True):
        assert result.numpy().dtype == expected.dtype
        rtol, atol = (1e-5, 1e-6) if expected.dtype.kind == "f" else (0, 0)
        np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=atol)


def check_declined(message, nodes, inputs=None, constants=None, **others):
    """An error that says why, rather than a crash or a wrong program."""
    done = run(build(nodes, inputs, constants, **others), PIPELINE)
    assert done.returncode == 1, f"expected exit status 1, got {done.returncode}: {done.stderr}"
    assert message in done.stderr


def arange(*shape, dtype=np.float32):
    return np.arange(np.prod(shape), dtype=dtype).reshape(shape)


# ---- Loops ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trips", [3, 100])
@pytest.mark.parametrize("element", [0, 2])
def test_scan_output_of_a_body_with_constants(trips, element):
    """The body is emitted once for the types it yields; nothing of that draft may be left for the next time."""
    body = helper.make_graph(
        [
            node("Cast", ["i"], ["number"], to=TensorProto.FLOAT),
            node("Constant", [], ["k"], value_int=element),
            node("Gather", ["x_again", "k"], ["taken"], axis=0),
            node("Add", ["number", "taken"], ["each"]),
            node("Identity", ["before"], ["after"]),
        ],
        "body",
        [value("i", (), TensorProto.INT64), value("before", (), TensorProto.BOOL)],
        [value("after", (), TensorProto.BOOL), value("each", ())],
    )
    nodes = [node("Identity", ["x"], ["x_again"]), node("Loop", ["m", "c"], ["y"], body=body)]
    check(nodes, {"x": arange(128) + 5}, {"m": np.int64(trips), "c": np.bool_(True)})


def test_nested_loops_that_read_sizes():
    """Sizes become tensors in the drafts of both bodies."""
    inner = helper.make_graph(
        [
            node("Shape", ["x"], ["sizes"]),
            node("Cast", ["sizes"], ["as_floats"], to=TensorProto.FLOAT),
            node("Mul", ["state", "as_floats"], ["next"]),
            node("Identity", ["inner_before"], ["inner_after"]),
        ],
        "inner",
        [value("j", (), TensorProto.INT64), value("inner_before", (), TensorProto.BOOL), value("state", (2,))],
        [value("inner_after", (), TensorProto.BOOL), value("next", (2,)), value("next", (2,))],
    )
    outer = helper.make_graph(
        [
            node("Loop", ["n", "c", "init"], ["last", "gathered"], body=inner),
            node("ReduceSum", ["gathered"], ["each"], keepdims=0),
            node("Identity", ["before"], ["after"]),
        ],
        "outer",
        [value("i", (), TensorProto.INT64), value("before", (), TensorProto.BOOL)],
        [value("after", (), TensorProto.BOOL), value("each", ())],
    )
    inner.output[2].name = "next_again"
    inner.node.append(node("Identity", ["next"], ["next_again"]))
    constants = {"m": np.int64(70), "n": np.int64(80), "c": np.bool_(True), "init": np.array([1, 1], np.float32)}
    check([node("Loop", ["m", "c"], ["y"], body=outer)], {"x": arange(1, 1)}, constants)


# ---- Integers followed while compiling -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "op, dtype, a, b",
    [
        ("Sub", np.uint8, [0, 200], [5, 100]),
        ("Add", np.int8, [127, -128], [1, -1]),
        ("Mul", np.uint32, [1 << 31, 3], [2, 5]),
        ("Add", np.int32, [2**31 - 1, 5], [1, 1]),
        ("Mul", np.int32, [1 << 20, 3], [1 << 20, 5]),
    ],
)
def test_integers_wrap_around(op, dtype, a, b):
    nodes = [node(op, ["a", "b"], ["c"]), node("Cast", ["c"], ["y"], to=TensorProto.INT64)]
    check(nodes, constants={"a": np.array(a, dtype), "b": np.array(b, dtype)}, dtype=TensorProto.INT64)


def test_cast_to_int32_wraps_around():
    nodes = [node("Cast", ["a"], ["c"], to=TensorProto.INT32), node("Cast", ["c"], ["y"], to=TensorProto.INT64)]
    check(nodes, constants={"a": np.array([2**32 + 7, 2**31], np.int64)}, dtype=TensorProto.INT64)


def test_constant_of_shape_is_unsigned():
    fill = numpy_helper.from_array(np.array([255], np.uint8))
    nodes = [node("ConstantOfShape", ["n"], ["c"], value=fill), node("Cast", ["c"], ["y"], to=TensorProto.INT64)]
    check(nodes, constants={"n": np.array([2], np.int64)}, dtype=TensorProto.INT64)


@pytest.mark.parametrize("step", [2**63 - 1, -(2**63), 5, -2])
def test_long_steps(step):
    ends = (3, 2**63 - 1) if step > 0 else (-1, -(2**63))
    constants = {
        "list": np.arange(4, dtype=np.int64),
        "start": np.array([ends[0]]),
        "end": np.array([ends[1]]),
        "axis": np.array([0]),
        "step": np.array([step]),
        "first": np.int64(ends[0]),
        "limit": np.int64(ends[0] + (1 if step > 0 else -1)),
        "delta": np.int64(step),
    }
    nodes = [
        node("Slice", ["list", "start", "end", "axis", "step"], ["y"]),
        node("Range", ["first", "limit", "delta"], ["z"]),
    ]
    check(nodes, constants=constants, outputs="y z", dtype=TensorProto.INT64)


def test_a_long_chain_of_sums_is_divided():
    """n + n, again and again: each sum is looked at once."""
    sums = [node("Add", [f"n{i}"] * 2, [f"n{i + 1}"]) for i in range(50)]
    nodes = [node("Shape", ["x"], ["n0"]), *sums, node("Div", ["n50", "two"], ["y"])]
    check(nodes, {"x": arange(3)}, {"two": np.array([2], np.int64)}, dtype=TensorProto.INT64)
    open_size = build(nodes, {"x": arange(3)}, {"two": np.array([2], np.int64)}, dtype=TensorProto.INT64)
    open_size.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    [result] = TorchProgram(import_onnx(open_size, PIPELINE)).run(torch.zeros(3))
    assert result.tolist() == [3 << 49]


# ---- Ops -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", [np.float32(2), np.array([2, 3, 1], np.float32), np.float64(0.5)])
def test_pow_of_integers_is_exact(exponent):
    x = np.array([50001, -7, 9], np.int64) if exponent.dtype == np.float32 else np.array([50001, 7, 9], np.int64)
    nodes = [node("Pow", ["x", "e"], ["y"])]
    check(nodes, {"x": x}, {"e": exponent}, dtype=TensorProto.INT64)
    check(nodes, {"x": x, "e": np.asarray(exponent)}, dtype=TensorProto.INT64)


def recurrent(op, gates, inputs=2, hidden=3, directions=1, **attributes):
    choose = np.random.default_rng(3)
    x = choose.normal(size=(4, 2, inputs)).astype(np.float32)
    constants = {
        "w": choose.normal(size=(directions, gates * hidden, inputs)).astype(np.float32),
        "r": choose.normal(size=(directions, gates * hidden, hidden)).astype(np.float32),
    }
    direction = "bidirectional" if directions == 2 else "forward"
    check(
        [node(op, ["x", "w", "r"], ["y"], hidden_size=hidden, direction=direction, **attributes)], {"x": x}, constants
    )


def test_activations_take_their_parameters_in_order():
    recurrent("GRU", 3, activations=["Sigmoid", "LeakyRelu"], activation_alpha=[0.5])
    recurrent("RNN", 1, directions=2, activations=["Tanh", "ThresholdedRelu"], activation_alpha=[0.25])
    functions = ["HardSigmoid", "Tanh", "ScaledTanh"]
    recurrent("LSTM", 4, activations=functions, activation_alpha=[0.3, 0.5], activation_beta=[0.4, 0.75])


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
@pytest.mark.parametrize("bias", [1.5, 2.0])
def test_shrink(dtype, bias):
    x = np.array([-4, -1, 0, 1, 4], dtype)
    onnx_dtype = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    check([node("Shrink", ["x"], ["y"], bias=bias, lambd=1.0)], {"x": x}, dtype=onnx_dtype)


def test_softplus_of_doubles():
    x = np.array([-30, 0, 19, 21, 30, 39, 41, 700], np.float64)
    graph = build([node("Softplus", ["x"], ["y"])], {"x": x}, dtype=TensorProto.DOUBLE)
    [result] = TorchProgram(import_onnx(graph, PIPELINE)).run(torch.from_numpy(x))
    np.testing.assert_allclose(result.numpy(), np.logaddexp(x, 0), rtol=1e-15)


# ---- Models that mean nothing --------------------------------------------------------------------------------------------


def test_dropout_without_numbers():
    nodes = [node("Dropout", ["x", "ratio", "training"], ["y"])]
    x, ratio, training = arange(3), np.float32(0.5), np.array([], np.bool_)
    message = "expected training_mode to be false or ratio to be 0"
    check_declined(message, nodes, {"x": x}, {"ratio": ratio, "training": training})
    check_declined(message, nodes, {"x": x}, {"ratio": np.array([], np.float32), "training": np.bool_(True)})


def test_expand_to_sizes_that_do_not_broadcast():
    nodes = [node("Expand", ["x", "shape"], ["y"])]
    message = "expected sizes that broadcast, got 3 and 2"
    check_declined(message, nodes, {"x": arange(3)}, {"shape": np.array([2], np.int64)})


@pytest.mark.parametrize("op", ["GatherND", "ScatterND"])
def test_no_dims_are_indexed(op):
    inputs = {"x": arange(2, 3), "indices": np.zeros([4, 0], np.int64), "updates": arange(4, 2, 3)}
    if op == "GatherND":
        del inputs["updates"]
    message = "expected indices for at least one dim, got '!torch.vtensor<[4,0],si64>'"
    check_declined(message, [node(op, list(inputs), ["y"])], inputs)
    if op == "ScatterND":
        check_declined(message, [node(op, list(inputs), ["y"], reduction="max")], inputs)


@pytest.mark.parametrize(
    "op, inputs, attributes",
    [
        ("AveragePool", {"x": (1, 3, 4, 4)}, {"kernel_shape": [2, 2], "dilations": [2, 93], "ceil_mode": 1}),
        ("AveragePool", {"x": (1, 3, 4, 4)}, {"kernel_shape": [2**62, 2], "dilations": [2**62, 1]}),
        ("Attention", {"q": (2, 4, 24), "k": (2, 6, 24), "v": (2, 6, 24)}, {"q_num_heads": 35, "kv_num_heads": 3}),
        (
            "Attention",
            {"q": (2, 4, 24), "k": (2, 4, 24), "v": (2, 6, 24)},
            {"q_num_heads": 3, "kv_num_heads": 3, "softcap": 3.0},
        ),
        ("Attention", {"q": (2, 3, 4, 8), "k": (2, 3, 4, 8), "v": (2, 3, 4, 8)}, {"softmax_precision": 99}),
        ("GRU", {"x": (2, 3, 3), "w": (1, 15, 3), "r": (1, 40, 5)}, {"hidden_size": 5}),
        ("RNN", {"x": (3, 1, 51), "w": (1, 12, 2), "r": (1, 4, 4)}, {"hidden_size": 4}),
        ("Resize", {"x": (1, 1, 2, 2), "roi": (0,), "scales": ()}, {}),
    ],
)
def test_operands_that_do_not_fit(op, inputs, attributes):
    inputs = {name: np.ones(shape, np.float32) for name, shape in inputs.items()}
    message = f"no lowering to torch for 'onnx.{op}': expected"
    check_declined(message, [node(op, list(inputs), ["y"], **attributes)], inputs, opset=23)


def test_quantized_matrices_that_do_not_fit():
    one, zero = np.ones(1, np.float32), np.zeros(1, np.uint8)
    matrices = {"a": np.zeros([2, 2, 6], np.uint8), "b": np.zeros([2, 4, 3], np.uint8)}
    names = ["a", "scale", "zero", "b", "scale", "zero", "scale", "zero"]
    message = "no lowering to torch for 'onnx.QLinearMatMul': expected"
    inputs = {**matrices, "scale": one, "zero": zero}
    check_declined(message, [node("QLinearMatMul", names, ["y"])], inputs, dtype=TensorProto.UINT8)
