"""Nodes of older opsets become nodes of the newest opset with the same meaning. One case per row of Upgrades.cpp.

Rows of versions up to 7 have theirs in tests/EndToEnd/onnx_old_opsets_test.py.
"""

import re

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support.onnx_models import import_errors, import_onnx, model, run, value

node = helper.make_node


def imported(n, opset, inputs=("x",), outputs=("y",), **kwargs):
    return import_onnx(model([n], inputs, outputs, opset=opset, **kwargs))


def ops(text):
    """The ops of the main graph in order, constants as their values: ["dense<0> : tensor<i64>", "Relu"]."""
    found = re.findall(r'onnx\.Constant (dense<.*)|"onnx\.(?!NoValue|EntryPoint)(\w+)"', text)
    return [constant or op for constant, op in found]


def test_batch_normalization_for_inference():
    inputs = [value("x", [1, 2, 3])] + [value(n, [2]) for n in "sbmv"]
    for opset in (7, 9, 14):
        text = imported(node("BatchNormalization", list("xsbmv"), ["y"]), opset, inputs)
        assert "-> (tensor<*xf32>, none, none)" in text and "training_mode = 0" in text


def test_batch_normalization_for_training():
    inputs = [value("x", [1, 2, 3])] + [value(n, [2]) for n in "sbmv"]
    text = imported(node("BatchNormalization", list("xsbmv"), ["y", "rm", "rv"]), 9, inputs)
    assert "training_mode = 1 : si64" in text
    assert "-> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)" in text
    text = imported(node("BatchNormalization", list("xsbmv"), ["y", "rm"]), 9, inputs)
    assert "-> (tensor<*xf32>, tensor<*xf32>, none)" in text
    (error,) = import_errors(
        model([node("BatchNormalization", list("xsbmv"), ["y", *"cdef"], name="n")], inputs, opset=9)
    )
    assert (
        error
        == "node 'n' (BatchNormalization-9): expected at most the outputs Y, mean and var, which newer versions have, got more"
    )


def test_batch_normalization_per_element():
    inputs = [value("x", [1, 2, 3])] + [value(n, [2, 3]) for n in "sbmv"]
    text = imported(node("BatchNormalization", list("xsbmv"), ["y"], spatial=0, epsilon=0.5), 7, inputs)
    assert ops(text) == ["dense<5.000000e-01> : tensor<f32>", "Add", "Sqrt", "Div", "Sub", "Mul", "Add"]


def test_batch_normalization_per_element_in_training():
    inputs = [value("x", [1, 2, 3])] + [value(n, [2, 3]) for n in "sbmv"]
    training = node("BatchNormalization", list("xsbmv"), list("ypqrt"), name="n", spatial=0)
    (error,) = import_errors(model([training], inputs, opset=7))
    assert error == "node 'n' (BatchNormalization-7): expected spatial to be 1 in training, got 0"


def test_clip():
    text = imported(node("Clip", ["x"], ["y"], min=-1.0, max=2.0), 6 + 1)
    assert ops(text) == ["dense<-1.000000e+00> : tensor<f32>", "dense<2.000000e+00> : tensor<f32>", "Clip"]
    half = [value("x", [2], TensorProto.FLOAT16)], [value("y", None, TensorProto.FLOAT16)]
    text = imported(node("Clip", ["x"], ["y"], max=2.0), 10, *half)
    assert ops(text) == ["dense<2.000000e+00> : tensor<f16>", "Clip"]
    assert re.search(r'"onnx.Clip"\(%arg0, %0, %1\)', text), "min stays absent"


def test_dft():
    text = imported(node("DFT", ["x"], ["y"]), 17, [value("x", [1, 4, 1])])
    assert ops(text) == ["dense<1> : tensor<i64>", "DFT"]
    text = imported(node("DFT", ["x"], ["y"], axis=2), 19, [value("x", [1, 4, 4, 1])])
    assert ops(text) == ["dense<2> : tensor<i64>", "DFT"]


def test_dropout():
    text = imported(node("Dropout", ["x"], ["y"], ratio=0.25), 7)
    assert ops(text) == ["dense<2.500000e-01> : tensor<f32>", "Dropout"]
    text = imported(node("Dropout", ["x"], ["y", "m"]), 7, outputs=["y", "m"])
    assert ops(text) == ["Dropout", "Cast"]
    assert "(tensor<*xi1>) -> tensor<*xf32>" in text
    text = imported(node("Dropout", ["x"], ["y", "m"]), 10, outputs=["y", value("m", None, TensorProto.BOOL)])
    assert ops(text) == ["Dropout"]


def test_grid_sample():
    inputs = [value("x", [1, 1, 4, 4]), value("g", [1, 2, 2, 2])]
    assert 'mode = "linear"' in imported(node("GridSample", ["x", "g"], ["y"], mode="bilinear"), 16, inputs)
    assert 'mode = "cubic"' in imported(node("GridSample", ["x", "g"], ["y"], mode="bicubic"), 16, inputs)


def test_group_normalization():
    inputs = [value("x", [1, 4, 8]), value("s", [2]), value("b", [2])]
    text = imported(node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2), 18, inputs)
    repeat = ["dense<1> : tensor<1xi64>", "Unsqueeze", "Expand", "Reshape"]
    assert ops(text) == ["Shape", "dense<2> : tensor<1xi64>", "Div", "Concat", *repeat, *repeat, "GroupNormalization"]


def test_pad():
    text = imported(node("Pad", ["x"], ["y"], pads=[0, 1, 2, 3], value=1.5), 7)
    assert ops(text) == ["dense<[0, 1, 2, 3]> : tensor<4xi64>", "dense<1.500000e+00> : tensor<f32>", "Pad"]


@pytest.mark.parametrize("op", ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"])
def test_reductions(op):
    text = imported(node("Reduce" + op, ["x"], ["y"], axes=[1], keepdims=0), 11)
    assert ops(text) == ["dense<1> : tensor<1xi64>", "Reduce" + op]
    assert " axes =" not in text and "keepdims = 0 : si64" in text


@pytest.mark.parametrize(
    "scales, modes",
    [([1, 1, 2, 3], ["floor"]), ([1, 1, 0.6, 0.6], ["ceil"]), ([1, 1, 2, 0.6], ["floor", "ceil"])],
    ids=["grows", "shrinks", "both"],
)
def test_resize_10(scales, modes):
    scales = numpy_helper.from_array(np.float32(scales), "s")
    text = imported(node("Resize", ["x", "s"], ["y"]), 10, [value("x", [1, 1, 4, 4])], initializers=[scales])
    assert re.findall(r'nearest_mode = "(\w+)"', text) == modes
    assert text.count('coordinate_transformation_mode = "asymmetric"') == len(modes)


def test_resize_10_of_unknown_scales():
    inputs = [value("x", [1, 1, 2, 2]), value("s", [4])]
    nearest = imported(node("Resize", ["x", "s"], ["y"]), 10, inputs)
    linear = imported(node("Resize", ["x", "s"], ["y"], mode="linear"), 10, inputs)
    assert re.findall(r'nearest_mode = "(\w+)"', nearest) == ["floor", "ceil"]
    assert '"onnx.Resize"(%arg0, %0, %arg1, %0)' in linear


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_resize_10_with_scales_of_another_dtype(dtype):
    scales = numpy_helper.from_array(np.array([1, 1, 2, 0.5], dtype), "s")
    resize = model([node("Resize", ["x", "s"], ["y"])], [value("x", [1, 1, 4, 4])], opset=10, initializers=[scales])
    done = run(resize)
    assert done.returncode in (0, 1), done.stderr


def test_resize_11_with_empty_roi():
    empty = numpy_helper.from_array(np.zeros(0, np.float32), "e")
    sizes = numpy_helper.from_array(np.int64([1, 1, 4, 4]), "z")
    text = imported(
        node("Resize", ["x", "e", "e", "z"], ["y"]), 11, [value("x", [1, 1, 2, 2])], initializers=[empty, sizes]
    )
    assert re.search(r'"onnx.Resize"\(%arg0, %0, %0, %\d\)', text)


def test_roi_align():
    inputs = [value("x", [1, 1, 4, 4]), value("r", [1, 4]), value("b", [1], TensorProto.INT64)]
    text = imported(node("RoiAlign", ["x", "r", "b"], ["y"]), 10, inputs)
    assert 'coordinate_transformation_mode = "output_half_pixel"' in text


def test_scan_8():
    body = helper.make_graph([node("Identity", ["s"], ["t"])], "b", [value("s", [2])], [value("t", [2])])
    scan = node("Scan", ["", "x"], ["y"], name="n", body=body, num_scan_inputs=1, directions=[1])
    text = imported(scan, 8, [value("x", [3, 4, 2])])
    assert ops(text) == ["Scan", "Scan", "Identity"]
    assert re.findall("scan_input_directions = (.*?[]])", text) == ["[1]"]


@pytest.mark.parametrize("count", [0, 2])
def test_scan_8_of_wrong_counts(count):
    body = helper.make_graph([node("Identity", ["s"], ["t"])], "b", [value("s", [2])], [value("t", [2])])
    scan = node("Scan", ["", "x"], ["y"], name="n", body=body, num_scan_inputs=count)
    (error,) = import_errors(model([scan], ["x"], opset=8))
    assert error == f"node 'n' (Scan-8): attribute 'num_scan_inputs': expected 1 to 1, got {count}"


def test_scan_8_without_an_output_of_each_state():
    states = [value("a", [2]), value("b", [2])]
    body = helper.make_graph([], "b", [*states, value("s", [2])], states[:1])
    scan = node("Scan", ["lengths", "u", "v", "x"], ["y"], name="n", body=body, num_scan_inputs=1)
    (error,) = import_errors(model([scan], ["lengths", "u", "v", "x"], opset=8))
    assert error == "node 'n' (Scan-8): expected an output of each of 2 states, got 1"


@pytest.mark.parametrize("opset", [9, 11])
def test_scatter(opset):
    inputs = ["x", value("i", [1, 1], TensorProto.INT64), value("u", [1, 1])]
    assert ops(imported(node("Scatter", ["x", "i", "u"], ["y"], axis=1), opset, inputs)) == ["ScatterElements"]


def test_slice():
    text = imported(node("Slice", ["x"], ["y"], starts=[1], ends=[2], axes=[0]), 9)
    assert ops(text) == ["dense<1> : tensor<1xi64>", "dense<2> : tensor<1xi64>", "dense<0> : tensor<1xi64>", "Slice"]
    text = imported(node("Slice", ["x"], ["y"], starts=[1, 0], ends=[2, 2]), 9)
    assert re.search(r'"onnx.Slice"\(%arg0, %\d, %\d, %0, %0\)', text)


@pytest.mark.parametrize("op", ["Hardmax", "LogSoftmax", "Softmax"])
def test_softmax_over_several_axes(op):
    text = imported(node(op, ["x"], ["y"]), 11, [value("x", [2, 3, 4])])
    assert ops(text) == ["Flatten", op, "Shape", "Reshape"]
    assert '"onnx.Flatten"(%arg0) {axis = 1 : si64}' in text and f'"onnx.{op}"(%0) {{axis = -1 : si64}}' in text


def test_softmax_over_the_last_axis():
    assert ops(imported(node("Softmax", ["x"], ["y"]), 11)) == ["Softmax"]
    assert ops(imported(node("Softmax", ["x"], ["y"], axis=-1), 11, [value("x", None)])) == ["Softmax"]
    text = imported(node("Softmax", ["x"], ["y"], axis=1), 13, [value("x", [2, 3, 4])])
    assert ops(text) == ["Softmax"] and "axis = 1" in text


def test_split():
    text = imported(node("Split", ["x"], ["y", "z"], axis=1, split=[1, 2]), 11, outputs=["y", "z"])
    assert ops(text) == ["dense<[1, 2]> : tensor<2xi64>", "Split"] and "num_outputs" not in text
    text = imported(node("Split", ["x"], ["y", "z"]), 13, outputs=["y", "z"])
    assert ops(text) == ["Split"] and "num_outputs = 2 : si64" in text


@pytest.mark.parametrize("op", ["Squeeze", "Unsqueeze"])
def test_squeeze(op):
    text = imported(node(op, ["x"], ["y"], axes=[0]), 11, [value("x", [1, 3])])
    assert ops(text) == ["dense<0> : tensor<1xi64>", op]


def test_top_k():
    outputs = ["y", value("i", None, TensorProto.INT64)]
    text = imported(node("TopK", ["x"], ["y", "i"], k=2), 9, outputs=outputs)
    assert ops(text) == ["dense<2> : tensor<1xi64>", "TopK"]


def test_upsample():
    inputs = [value("x", [1, 1, 2, 2]), value("s", [4])]
    old = imported(node("Upsample", ["x"], ["y"], mode="linear", scales=[1.0, 1.0, 2.0, 2.0]), 7, inputs[:1])
    new = imported(node("Upsample", ["x", "s"], ["y"], mode="linear"), 9, inputs)
    assert ops(old) == ["dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<4xf32>", "Resize"]
    assert ops(new) == ["Resize"]
    for text in (old, new):
        for attribute in ['coordinate_transformation_mode = "asymmetric"', 'mode = "linear"', 'nearest_mode = "floor"']:
            assert attribute in text


@pytest.mark.parametrize("opset", [-1, 29])
def test_unknown_opsets(opset):
    (error,) = import_errors(model([node("Relu", ["x"], ["y"])], ["x"], opset=opset))
    assert error == f"graph 'g': expected ai.onnx opset 1 to 28, got {opset}"


def test_ops_that_come_with_a_later_opset():
    (error,) = import_errors(model([node("Gelu", ["x"], ["y"], name="n")], ["x"], opset=19))
    assert error == "node 'n' (Gelu): expected ai.onnx opset 20 or newer for this op, got 19"
