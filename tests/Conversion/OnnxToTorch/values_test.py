"""Small models, converted to the torch dialect and run by PyTorch, compute the same as in onnxruntime.

These cases are missing in ONNX's own node tests (EndToEnd/onnx_node_test.py).
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
    """A model with inputs and constants given as arrays by name. Constants become initializers."""
    return model(
        nodes,
        [value(k, v.shape, helper.np_dtype_to_tensor_dtype(v.dtype)) for k, v in (inputs or {}).items()],
        [value(name, None, dtype) for name in outputs.split()],
        opset=opset,
        initializers=[numpy_helper.from_array(np.asarray(v), k) for k, v in (constants or {}).items()],
    )


def check(nodes, inputs=None, constants=None, **others):
    """Asserts that PyTorch and onnxruntime compute the same from the same inputs."""
    inputs = {k: np.asarray(v) for k, v in (inputs or {}).items()}
    graph = build(nodes, inputs, constants, **others)
    wanted = onnxruntime.InferenceSession(graph.SerializeToString()).run(None, inputs)
    got = TorchProgram(import_onnx(graph, PIPELINE)).run(*(torch.from_numpy(v.copy()) for v in inputs.values()))
    for result, expected in zip(got, wanted, strict=True):
        assert result.numpy().dtype == expected.dtype
        rtol, atol = (1e-5, 1e-6) if expected.dtype.kind == "f" else (0, 0)
        np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=atol)


def check_declined(message, nodes, inputs=None, constants=None, **others):
    """Asserts that the conversion ends with an error that has this message."""
    done = run(build(nodes, inputs, constants, **others), PIPELINE)
    assert done.returncode == 1, f"expected exit status 1, got {done.returncode}: {done.stderr}"
    assert message in done.stderr


def arange(*shape, dtype=np.float32):
    return np.arange(np.prod(shape), dtype=dtype).reshape(shape)


# ---- Loops ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trips", [3, 100])
@pytest.mark.parametrize("element", [0, 2])
def test_scan_output_of_a_body_with_constants(trips, element):
    """The body is first emitted as a draft, to find the types it yields. The draft must leave no constants behind."""
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
    """The drafts of both bodies turn sizes into tensors."""
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
    """Doubles n many times. Each sum must be analysed only once."""
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
    message = "expected training_mode to be known while compiling"
    check_declined(message, nodes, {"x": x}, {"ratio": ratio, "training": training})
    message = "expected shapes that broadcast, got [3] and [0]"
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


# ---- Between the elements of an image ---------------------------------------------------------------------------------


@pytest.mark.parametrize("align_corners", [0, 1])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
def test_grid_sample(mode, padding_mode, align_corners):
    rng = np.random.default_rng(0)
    attributes = {"mode": mode, "padding_mode": padding_mode, "align_corners": align_corners}
    grid = rng.uniform(-1.7, 1.7, (2, 4, 5, 2)).astype(np.float32)
    check([node("GridSample", ["x", "grid"], ["y"], **attributes)], {"x": arange(2, 3, 6, 7), "grid": grid}, opset=20)


@pytest.mark.parametrize("shift", ["half_pixel", "output_half_pixel"])
@pytest.mark.parametrize("mode", ["avg", "max"])
def test_roi_align(mode, shift):
    attributes = {"output_height": 3, "output_width": 2, "sampling_ratio": 2, "spatial_scale": 0.5}
    rois = np.float32([[0, 0, 5, 7], [2.5, 1, 3, 1.2], [-9, -9, 40, 40], [6, 8, 4, 2]])
    inputs = {"x": np.sin(arange(2, 3, 8, 9)), "rois": rois, "images": np.int64([0, 1, 1, 0])}
    roi_align = node("RoiAlign", list(inputs), ["y"], mode=mode, coordinate_transformation_mode=shift, **attributes)
    check([roi_align], inputs, opset=16)


@pytest.mark.parametrize("center_point_box", [0, 1])
@pytest.mark.parametrize("boxes", [20, 90])
def test_non_max_suppression(boxes, center_point_box):
    rng = np.random.default_rng(boxes)
    corners = rng.uniform(0, 1, (2, boxes, 4)).astype(np.float32)
    inputs = {"boxes": corners, "scores": rng.uniform(0, 1, (2, 3, boxes)).astype(np.float32)}
    limits = {"most": np.int64([7]), "overlap": np.float32([0.3]), "score": np.float32([0.4])}
    suppress = node("NonMaxSuppression", [*inputs, *limits], ["y"], center_point_box=center_point_box)
    check([suppress], inputs, limits, dtype=TensorProto.INT64)


def test_columns_to_an_image():
    attributes = {"strides": [2, 1], "pads": [1, 0, 0, 2], "dilations": [1, 2]}
    sizes = {"image": np.int64([7, 6]), "block": np.int64([2, 3])}
    check([node("Col2Im", ["x", *sizes], ["y"], **attributes)], {"x": arange(2, 12, 16)}, sizes)


# ---- Data that decides on sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_sorted", [0, 1])
@pytest.mark.parametrize("attributes", [{}, {"axis": 0}, {"axis": -1}])
def test_unique(attributes, is_sorted):
    x = np.random.default_rng(1).integers(0, 2, (7, 3)).astype(np.float32)
    names = "y first inverse counts"
    unique = node("Unique", ["x"], names.split(), sorted=is_sorted, **attributes)
    graph = build([unique], {"x": x}, outputs=names)
    for output in graph.graph.output[1:]:
        output.type.tensor_type.elem_type = TensorProto.INT64
    wanted = onnxruntime.InferenceSession(graph.SerializeToString()).run(None, {"x": x})
    got = TorchProgram(import_onnx(graph, PIPELINE)).run(torch.from_numpy(x))
    for result, expected in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(result.numpy(), expected)


# ---- Sequences ---------------------------------------------------------------------------------------------------------


def test_sequences_of_parts():
    nodes = [
        node("SplitToSequence", ["x", "two"], ["parts"], axis=1),
        node("SequenceAt", ["parts", "last"], ["end"]),
        node("SequenceErase", ["parts"], ["rest"]),
        node("SequenceInsert", ["rest", "end", "zero"], ["turned"]),
        node("SequenceLength", ["turned"], ["count"]),
        node("Cast", ["count"], ["number"], to=TensorProto.FLOAT),
        node("ConcatFromSequence", ["turned"], ["joined"], axis=1),
        node("Add", ["joined", "number"], ["y"]),
    ]
    check(nodes, {"x": arange(3, 7)}, {"two": np.int64(2), "last": np.int64(-1), "zero": np.int64(0)})


def test_sequence_map():
    body = helper.make_graph(
        [node("Mul", ["each", "other"], ["scaled"]), node("Neg", ["each"], ["negated"])],
        "body",
        [value("each", (None, 2)), value("other", (None, 2))],
        [value("scaled", (None, 2)), value("negated", (None, 2))],
    )
    nodes = [
        node("SequenceConstruct", ["x", "z"], ["both"]),
        node("SequenceConstruct", ["z", "x"], ["swapped"]),
        node("SequenceMap", ["both", "swapped"], ["a", "b"], body=body),
        node("ConcatFromSequence", ["a"], ["y"], axis=0, new_axis=1),
        node("ConcatFromSequence", ["b"], ["w"], axis=-1),
    ]
    check(nodes, {"x": arange(3, 2), "z": arange(3, 2) + 10}, outputs="y w")


# ---- Signals, matrices, quantized images -------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["BlackmanWindow", "HammingWindow", "HannWindow"])
@pytest.mark.parametrize("size", [2, 17])
def test_symmetric_windows(op, size):
    window = node(op, ["size"], ["window"], periodic=0)
    check([window, node("Mul", ["x", "window"], ["y"])], {"x": np.ones(size, np.float32)}, {"size": np.int64(size)})


@pytest.mark.parametrize("length", [9, 16])
def test_half_a_spectrum_makes_a_signal(length):
    signal = np.random.default_rng(0).standard_normal((2, length))
    spectrum = np.fft.rfft(signal)
    x = np.stack([spectrum.real, spectrum.imag], -1).astype(np.float32)
    dft = node("DFT", ["x", "length"], ["y"], inverse=1, onesided=1)
    graph = build([dft], {"x": x}, {"length": np.int64(length)})
    (got,) = TorchProgram(import_onnx(graph, PIPELINE)).run(torch.from_numpy(x))
    np.testing.assert_allclose(got.numpy()[..., 0], signal, rtol=1e-5, atol=1e-6)


def test_determinants():
    x = np.random.default_rng(0).standard_normal((3, 2, 5, 5)).astype(np.float32)
    x[1, 1, :, 2] = x[1, 1, :, 3]  # a singular matrix
    x[2, 0, 0, 0] = 0  # the first pivot is 0, so rows must be swapped
    check([node("Det", ["x"], ["y"])], {"x": x})


def test_quantized_convolution_per_channel():
    rng = np.random.default_rng(0)
    inputs = {"x": rng.integers(0, 256, (1, 4, 9, 9)).astype(np.uint8)}
    constants = {
        "x_scale": np.float32(0.013),
        "x_zero": np.uint8(119),
        # Weights of 7 bits: on a processor without VNNI, onnxruntime adds pairs of products in 16 bits with saturation.
        "w": rng.integers(-64, 64, (6, 2, 3, 3)).astype(np.int8),
        "w_scale": rng.uniform(0.001, 0.01, 6).astype(np.float32),
        "w_zero": np.zeros(6, np.int8),
        "y_scale": np.float32(0.031),
        "y_zero": np.uint8(131),
        "bias": rng.integers(-3000, 3000, 6).astype(np.int32),
    }
    attributes = {"group": 2, "pads": [1, 0, 1, 2], "strides": [2, 1]}
    convolve = node("QLinearConv", ["x", *constants], ["y"], **attributes)
    check([convolve], inputs, constants, dtype=TensorProto.UINT8)


# ---- Random numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "op, attributes, mean, deviation",
    [
        ("RandomNormalLike", {"mean": 2.0, "scale": 0.5}, 2, 0.5),
        ("RandomUniformLike", {"low": -1.0, "high": 5.0}, 2, 6 / 12**0.5),
        ("Bernoulli", {}, 0.25, (0.25 * 0.75) ** 0.5),
    ],
)
def test_random_numbers(op, attributes, mean, deviation):
    x = np.full((300, 400), 0.25, np.float32)
    graph = build([node(op, ["x"], ["y"], **attributes)], {"x": x})
    (got,) = TorchProgram(import_onnx(graph, PIPELINE)).run(torch.from_numpy(x))
    # The tolerance is five standard errors of 120000 numbers.
    assert abs(got.mean().item() - mean) < 5 * deviation / 120000**0.5
    assert abs(got.std().item() - deviation) < 5 * deviation / 120000**0.5


def test_multinomial():
    shares = np.array([[0.1, 0.0, 0.6, 0.3], [0.25, 0.25, 0.25, 0.25]])
    x = np.log(shares + 1e-30).astype(np.float32)
    sample = node("Multinomial", ["x"], ["y"], sample_size=20000, dtype=TensorProto.INT64)
    graph = build([sample], {"x": x}, dtype=TensorProto.INT64)
    (got,) = TorchProgram(import_onnx(graph, PIPELINE)).run(torch.from_numpy(x))
    counts = np.stack([np.bincount(row, minlength=4) for row in got.numpy()])
    np.testing.assert_allclose(counts / 20000, shares, atol=5 * 0.5 / 20000**0.5)


def test_max_roi_pool():
    rois = np.float32([[0, 0, 0, 6, 7], [1, 2.4, 1.6, 3, 9], [1, 5, 5, 4, 3], [0, 7, 7, 30, 30]])
    pool = node("MaxRoiPool", ["x", "rois"], ["y"], pooled_shape=[3, 2], spatial_scale=0.7)
    check([pool], {"x": np.sin(arange(2, 3, 8, 9)), "rois": rois}, opset=20)
