"""Nodes of older opsets compute the same on every target as in onnxruntime. At least a case per row of Upgrades.cpp."""

import dataclasses

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.support import onnx_models
from tests.support.models import Model
from tests.support.targets import TARGETS


def floats(*shape):
    return np.random.default_rng(0).standard_normal(shape, np.float32)


X = floats(2, 3, 4)
IMAGE = floats(1, 2, 4, 6)


@dataclasses.dataclass
class Case:
    """A node of an opset.

    Attributes:
      inputs: the arrays of its first inputs, which are inputs of the graph.
      constants: the arrays of its other inputs, which are initializers.
      dtypes: the dtypes of the outputs that are not floats, by position.
      targets: the targets that can have its sizes.
    """

    op: str
    opset: int
    inputs: list
    constants: list = dataclasses.field(default_factory=list)
    attributes: dict = dataclasses.field(default_factory=dict)
    outputs: int = 1
    dtypes: dict = dataclasses.field(default_factory=dict)
    name: str = ""
    targets: list = dataclasses.field(default_factory=lambda: TARGETS)

    def __str__(self):
        return f"{self.op}-{self.opset}" + (f"-{self.name}" if self.name else "")

    def model(self):
        arrays = [np.asarray(array) for array in self.inputs + self.constants]
        names = [f"in{i}" for i in range(len(arrays))]
        given = len(self.inputs)
        outputs = [f"out{i}" for i in range(self.outputs)]
        return onnx_models.model(
            [helper.make_node(self.op, names, outputs, **self.attributes)],
            inputs=[
                onnx_models.value(name, array.shape, helper.np_dtype_to_tensor_dtype(array.dtype))
                for name, array in zip(names[:given], arrays[:given], strict=True)
            ],
            outputs=[
                onnx_models.value(name, None, self.dtypes.get(i, TensorProto.FLOAT)) for i, name in enumerate(outputs)
            ],
            initializers=[
                numpy_helper.from_array(array, name) for name, array in zip(names[given:], arrays[given:], strict=True)
            ],
            opset=self.opset,
        )


def resize_10(name, scales, mode="nearest", targets=TARGETS):
    return Case("Resize", 10, [IMAGE], [np.float32(scales)], {"mode": mode}, name=name, targets=targets)


STATISTICS = [floats(3), floats(3), floats(3), np.abs(floats(3)) + 1]
BOXES = np.float32([[0, 0, 3, 3], [1, 1, 5, 3]])
GRID = np.random.default_rng(1).uniform(-1, 1, (1, 3, 3, 2)).astype(np.float32)

CASES = [
    Case("BatchNormalization", 7, [X], STATISTICS),
    Case("BatchNormalization", 9, [X], STATISTICS),
    Case("Clip", 7, [X], attributes={"min": -0.5, "max": 0.5}),
    Case("Dropout", 7, [X]),
    Case("Dropout", 10, [X]),
    Case("GridSample", 16, [IMAGE, GRID], attributes={"mode": "bilinear"}),
    Case("Hardmax", 11, [X], attributes={"axis": 1}),
    Case("LogSoftmax", 11, [X], attributes={"axis": 1}),
    Case("Pad", 7, [X], attributes={"pads": [0, 1, 0, 1, 0, 2], "value": 3.0}),
    *(Case(f"Reduce{kind}", 11, [X], attributes={"axes": [1], "keepdims": 0}) for kind in ("Sum", "Mean", "Max", "L2")),
    resize_10("grows", [1, 1, 2, 1.5]),
    resize_10("shrinks", [1, 1, 0.5, 0.6]),
    # The first of two ops has a result of unknown sizes, which TOSA lacks.
    resize_10("both", [1, 1, 2, 0.6], targets=["linalg", "mhlo", "stablehlo"]),
    resize_10("linear", [1, 1, 0.5, 2], mode="linear"),
    # The result has sizes that are known only at run time.
    Case("Resize", 10, [IMAGE, np.float32([1, 1, 2, 0.6])], name="unknown", targets=["linalg"]),
    Case(
        "RoiAlign", 10, [IMAGE, BOXES], [np.int64([0, 0])], {"output_height": 2, "output_width": 2, "sampling_ratio": 2}
    ),
    Case("Scatter", 9, [X], [np.zeros((2, 1, 4), np.int64), floats(2, 1, 4)], {"axis": 1}),
    Case("Slice", 7, [X], attributes={"axes": [1], "starts": [1], "ends": [3]}),
    Case("Softmax", 11, [X], attributes={"axis": 1}),
    Case("Split", 11, [X], attributes={"axis": 1, "split": [1, 2]}, outputs=2),
    Case("Split", 13, [X], attributes={"axis": 2}, outputs=2),
    Case("Squeeze", 11, [X[:, :1]], attributes={"axes": [1]}),
    Case("TopK", 9, [X], attributes={"k": 2}, outputs=2, dtypes={1: TensorProto.INT64}),
    Case("Unsqueeze", 11, [X], attributes={"axes": [1]}),
    Case("Upsample", 7, [IMAGE], attributes={"scales": [1.0, 1.0, 2.0, 3.0]}),
    Case("Upsample", 9, [IMAGE], [np.float32([1, 1, 2, 1.5])]),
]


@pytest.mark.parametrize(
    "case, target",
    [pytest.param(case, target, id=f"{case}-{target}") for case in CASES for target in case.targets],
)
def test_numbers(case, target, tmp_path):
    onnx.save(case.model(), tmp_path / "m.onnx")
    model = Model(tmp_path / "m.onnx", case.inputs)
    model.check(model.runner(target)(*model.inputs))
