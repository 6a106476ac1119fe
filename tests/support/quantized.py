"""ONNX models with quantized weights: models of the zoo, and one that computes in integers."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.support import onnx_models

BLOCK = 16
OPSET = 21  # the first opset with int4 and blocks


def quantize_weights(model, bits):
    """Quantizes all matrices and filters, with DequantizeLinear after them.

    They become int8 with a scale per row, or int4 with a scale per block.

    Returns:
      the bytes of the weights, without their scales.
    """
    graph, size, nodes = model.graph, 0, []
    for tensor in list(graph.initializer):
        if tensor.data_type != TensorProto.FLOAT or len(tensor.dims) < 2 or np.prod(tensor.dims) < 4096:
            continue
        array, name = numpy_helper.to_array(tensor), tensor.name
        is_blocked = bits == 4 and tensor.dims[-1] % BLOCK == 0
        blocks = array.reshape(*array.shape[:-1], -1, BLOCK) if is_blocked else array.reshape(len(array), -1)
        largest = 2 ** (bits - 1) - 1
        scale = (np.abs(blocks).max(-1) / largest).astype(np.float32)
        scale[scale == 0] = 1
        numbers = np.round(blocks / scale[..., None]).astype(np.int8).reshape(-1)
        if bits == 4:
            nibbles = np.append(numbers, np.zeros(len(numbers) % 2, np.int8)).view(np.uint8) & 15
            data = (nibbles[::2] | nibbles[1::2] << 4).tobytes()
        else:
            data = numbers.tobytes()
        graph.initializer.remove(tensor)
        graph.initializer.extend(
            [
                TensorProto(
                    name=f"{name}_quantized",
                    data_type=TensorProto.INT4 if bits == 4 else TensorProto.INT8,
                    dims=array.shape,
                    raw_data=data,
                ),
                numpy_helper.from_array(scale, f"{name}_scale"),
            ]
        )
        attributes = {"axis": array.ndim - 1, "block_size": BLOCK} if is_blocked else {"axis": 0}
        nodes.append(helper.make_node("DequantizeLinear", [f"{name}_quantized", f"{name}_scale"], [name], **attributes))
        size += len(data)
    assert nodes, "expected weights to quantize"
    for i, node in enumerate(nodes):
        graph.node.insert(i, node)
    (opset,) = (each for each in model.opset_import if each.domain in ("", "ai.onnx"))
    opset.version = max(opset.version, OPSET)
    model.ir_version = max(model.ir_version, 10)
    onnx.checker.check_model(model)
    return size


def integer_network():
    """A convolution and a product of int8. Scales are powers of two, so every consumer must compute the same numbers.

    Returns:
      the model and an input.
    """
    rng = np.random.default_rng(0)

    def constant(name, array):
        return numpy_helper.from_array(array, name)

    # Weights are small, since some kernels add two products in 16 bits.
    initializers = [
        constant("step", np.float32(2**-4)),
        constant("zero", np.int8(3)),
        constant("filters", rng.integers(-31, 32, (32, 4, 3, 3), np.int8)),
        constant("filter_steps", (2.0 ** rng.integers(-6, -3, 32)).astype(np.float32)),
        constant("filter_zeros", np.zeros(32, np.int8)),
        constant("bias", rng.integers(-2000, 2000, 32, np.int32)),
        constant("hidden_step", np.float32(2**-2)),
        constant("hidden_zero", np.int8(-5)),
        constant("rows", np.array([-1, 8])),
        constant("matrix", rng.integers(-31, 32, (8, 9000), np.int8)),  # large enough to be mapped from a file
        constant("matrix_step", np.float32(2**-5)),
        constant("matrix_zero", np.int8(0)),
        constant("result_step", np.float32(2**-1)),
        constant("result_zero", np.int8(7)),
    ]
    node = helper.make_node
    nodes = [
        node("QuantizeLinear", ["x", "step", "zero"], ["q"]),
        node(
            "QLinearConv",
            ["q", "step", "zero", "filters", "filter_steps", "filter_zeros", "hidden_step", "hidden_zero", "bias"],
            ["h"],
        ),
        node("Reshape", ["h", "rows"], ["r"]),
        node(
            "QLinearMatMul",
            [
                *("r", "hidden_step", "hidden_zero"),
                *("matrix", "matrix_step", "matrix_zero"),
                *("result_step", "result_zero"),
            ],
            ["p"],
        ),
        node("DequantizeLinear", ["p", "result_step", "result_zero"], ["y"]),
    ]
    shape = (2, 4, 8, 8)
    inputs = [onnx_models.value("x", shape)]
    x = rng.integers(-100, 100, shape).astype(np.float32) / 16
    return onnx_models.model(nodes, inputs, ["y"], opset=OPSET, initializers=initializers), x
