"""The real networks of the onnx package compute the same on both targets of the JIT as in onnxruntime.

Their files have constants of one value in place of weights, and would not reveal most mistakes. The test replaces them
with random numbers that keep activations about equally large from layer to layer.
"""

import functools
import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest

import isthmus
from isthmus.verify import relative_error

LIGHT = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"
NETWORKS = sorted(path.stem.removeprefix("light_") for path in LIGHT.glob("*.onnx"))


def with_random_weights(model):
    """Replaces each ConstantOfShape by a random initializer."""
    rng = np.random.default_rng(0)
    sizes = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    kept = []
    for node in model.graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        shape = tuple(sizes[node.input[0]])
        if len(shape) > 1:
            weight = rng.standard_normal(shape, np.float32) * np.float32((2 / np.prod(shape[1:])) ** 0.5)
        else:  # biases, and the means and variances of normalizations
            weight = rng.uniform(0.5, 1.5, shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(weight, node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return model


def with_scores(model):
    """Makes the input of a last Softmax a result too, since its output is mostly ones and zeros."""
    last = model.graph.node[-1]
    if last.op_type == "Softmax":
        scores = model.graph.output.add()
        scores.CopyFrom(model.graph.output[0])
        scores.name = last.input[0]
    return model


@functools.cache
def network(name):
    """The model's bytes, an input, and onnxruntime's results for it."""
    model = with_scores(with_random_weights(onnx.load(LIGHT / f"light_{name}.onnx"))).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3  # unused initializers
    session = onnxruntime.InferenceSession(model, options)
    (parameter,) = session.get_inputs()
    x = np.random.default_rng(1).standard_normal(parameter.shape, np.float32)
    return model, x, session.run(None, {parameter.name: x})


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_light_network(name, target):
    model, x, expected = network(name)
    results = isthmus.import_onnx(model).lower(target).run(x)
    for result, reference in zip(results, expected, strict=True):
        assert relative_error(result, reference) < 1e-4
