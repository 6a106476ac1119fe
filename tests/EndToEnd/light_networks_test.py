"""The networks of the onnx package (AlexNet to VGG-19) run on every target, and the results equal onnxruntime's.

In the package nearly every weight is 0.02, so all thousand results would be equal even if a lowering were wrong.
So this test draws random weights, with a variance that keeps activations in range.
"""

import functools
import pathlib
import tempfile
import zlib

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from tests.support.models import TARGETS, Model

LIGHT = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"
NETWORKS = sorted(path.stem.removeprefix("light_") for path in LIGHT.glob("*.onnx"))


def scales(graph):
    """The names of tensors by which channels are multiplied or divided. Their elements should be about 1."""
    unsqueezed = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Unsqueeze"}
    for node in graph.node:
        if node.op_type == "BatchNormalization":
            _, scale, _, _, variance = node.input
            yield from (scale, variance)
        if node.op_type == "Mul":
            yield from (unsqueezed[name] for name in node.input if name in unsqueezed)


def draw(name, shape, mean):
    """Draws a weight. Filters and matrices have variance 2 / fan-in (He et al., arXiv:1502.01852)."""
    values = np.random.default_rng(zlib.crc32(name.encode())).standard_normal(shape, dtype=np.float32)
    deviation = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.1
    return values * np.float32(deviation) + np.float32(mean)


def with_drawn_weights(model):
    """The model with initializers in place of its ConstantOfShape nodes."""
    graph = model.graph
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    about_one = set(scales(graph))
    kept = []
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        (shape,), (name,) = node.input, node.output
        values = draw(name, shapes[shape], mean=float(name in about_one))
        graph.initializer.append(numpy_helper.from_array(values, name))
    del graph.node[:]
    graph.node.extend(kept)
    return model


@functools.lru_cache(maxsize=1)  # VGG-19 alone is 600 MB
def network(name):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, f"{name}.onnx")
        onnx.save(with_drawn_weights(onnx.load(LIGHT / f"light_{name}.onnx")), path)
        model = Model(path, [draw("image", (1, 3, 224, 224), mean=0)])
        (probabilities,) = model.expected()
        assert np.ptp(probabilities) > probabilities.max() / 2, "expected classes to differ"
    return model


# The small ones, since only the form of their weights is of interest.
@pytest.mark.parametrize("name", ["bvlc_alexnet", "resnet50", "shufflenet", "squeezenet"])
def test_as_it_ships(name):
    model = Model(LIGHT / f"light_{name}.onnx", [draw("image", (1, 3, 224, 224), mean=0)])
    model.check(model.runner("linalg", optimize=True)(*model.inputs))


# Their MHLO is their StableHLO in another dialect; zoo_test.py runs both.
@pytest.mark.parametrize("target", [target for target in TARGETS if target != "mhlo"])
@pytest.mark.parametrize("name", NETWORKS)
def test_static(name, target):
    model = network(name)
    model.check(model.runner(target, optimize=True)(*model.inputs))
