"""What ONNX's node tests lack of numbers narrower than a byte, and of n-grams: weights, and values between nodes."""

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import isthmus
from isthmus.onnx_values import stored

node, value = helper.make_node, helper.make_tensor_value_info


def check(nodes, inputs, constants):
    """Compares a model with ONNX's reference; the inputs and constants are arrays by name."""
    declared = [
        value(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in inputs.items()
    ]
    weights = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "g", declared, [value("y", TensorProto.FLOAT, None)], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11)
    (expected,) = ReferenceEvaluator(model).run(None, inputs)
    program = isthmus.import_onnx(model.SerializeToString()).lower("linalg")
    (result,) = program.run(*map(stored, inputs.values()))
    np.testing.assert_allclose(result, expected, rtol=1e-6)


NUMBERS = np.array([[0.5, 1, 6], [-3, 2, -0.5]], np.float32)
# More elements than one that MLIR would keep as a resource, and an odd number of them.
MANY = np.random.default_rng(0).choice([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -1.0, -6.0], (33, 63)).astype(np.float32)


@pytest.mark.parametrize("numbers", [NUMBERS, MANY], ids=["few", "many"])
def test_codes_keep_their_meaning_between_nodes(numbers):
    """The model declares no types between its nodes."""
    nodes = [
        node("Transpose", ["x"], ["t"], perm=[1, 0]),
        node("Reshape", ["t", "shape"], ["r"]),
        node("Identity", ["r"], ["i"]),
        node("Cast", ["i"], ["y"], to=TensorProto.FLOAT),
    ]
    shape = {"shape": np.array([-1])}
    for dtype in (ml_dtypes.float4_e2m1fn, ml_dtypes.int4, ml_dtypes.uint2):
        x = (np.abs(numbers) % 4 if dtype == ml_dtypes.uint2 else numbers).astype(dtype)
        check(nodes, {"x": x}, shape)
        check(nodes, {}, {"x": x, **shape})


def test_blocks_of_floats_with_powers_of_two():
    """A weight in the form MXFP4: codes of 4 bits, and a power of two for each block of a row."""
    scales = np.array([[0.25, 2.0], [4.0, 0.5]], np.float32).astype(ml_dtypes.float8_e8m0fnu)
    weight = np.tile(NUMBERS[:, :2], (1, 2)).astype(ml_dtypes.float4_e2m1fn)
    nodes = [
        node("Cast", ["s"], ["scales"], to=TensorProto.FLOAT),
        node("DequantizeLinear", ["w", "scales"], ["d"], axis=1, block_size=2),
        node("MatMul", ["x", "d"], ["y"]),
    ]
    x = np.random.default_rng(1).standard_normal((3, 2)).astype(np.float32)
    check(nodes, {"x": x}, {"w": weight, "s": scales})


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
def test_ngrams_with_weights(mode):
    attributes = {
        "mode": mode,
        "min_gram_length": 1,
        "max_gram_length": 2,
        "max_skip_count": 2,
        "ngram_counts": [0, 3],
        "ngram_indexes": [1, 3, 0, 4, 2],
        "pool_int64s": [2, 3, 5, 2, 3, 5, 2],
        "weights": [0.5, 2.0, 3.0, 0.25, 10.0],
    }
    tokens = np.array([[2, 3, 2, 5, 2, 3], [1, 1, 3, 3, 3, 7]])
    check([node("TfIdfVectorizer", ["x"], ["y"], **attributes)], {"x": tokens}, {})
