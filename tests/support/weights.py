"""A small program with weights in files, and functions to run it."""

import json

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import isthmus
from tests.support import onnx_models

SCALE = np.arange(300, dtype=np.float32) - 7
TABLE = np.arange(1024, dtype=np.int64) * 3


@pytest.fixture
def folder(tmp_path):
    """A folder with a program that multiplies x by a scale and looks up y in a table, and with its weights."""
    nodes = [
        helper.make_node("Mul", ["x", "scale"], ["scaled"]),
        helper.make_node("Gather", ["table", "y"], ["found"]),
    ]
    model = onnx_models.model(
        nodes,
        inputs=[onnx_models.value("x", (300,)), onnx_models.value("y", (2,), TensorProto.INT64)],
        outputs=["scaled", onnx_models.value("found", (2,), TensorProto.INT64)],
        initializers=[numpy_helper.from_array(SCALE, "scale"), numpy_helper.from_array(TABLE, "table")],
    )
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    isthmus.import_onnx(tmp_path / "model.onnx").lower("linalg").save(
        tmp_path / "m.mlir", weights="external", checksums=True
    )
    return tmp_path


def run(folder):
    return isthmus.load(folder / "m.mlir").run(np.ones(300, np.float32), np.array([5, 1023]))


def errors(folder):
    """The errors of a program whose weights cannot be read."""
    with pytest.raises(isthmus.BadModelError) as caught:
        run(folder)
    return caught.value.messages


def read_manifest(folder):
    return json.loads((folder / "m.weights.json").read_text())
