"""Nodes of older opsets compute the same on every target as in onnxruntime. At least a case per row of Upgrades.cpp."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from tests.EndToEnd.onnxruntime_cases import Case, Constant, floats
from tests.support.models import Model
from tests.support.targets import TARGETS

X = floats(2, 3, 4)
IMAGE = floats(1, 2, 4, 6)
VOLUME = floats(2, 2, 4, 5, 6)


def case(op, opset, *inputs, name="", outputs=("y",), dtypes=None, **attributes):
    return Case(op, f"{opset}-{name}".rstrip("-"), list(inputs), attributes, outputs, dtypes or {}, "", opset)


def resize_10(name, scales, mode="nearest"):
    return case("Resize", 10, IMAGE, Constant(np.float32(scales)), name=name, mode=mode)


STATISTICS = [Constant(array) for array in (floats(3), floats(3), floats(3), np.abs(floats(3)) + 1)]
EXAMPLE_STATISTICS = [floats(3, 4), floats(3, 4), floats(3, 4), np.abs(floats(3, 4)) + 1]
BOXES = np.float32([[0, 0, 3, 3], [1, 1, 5, 3]])
STEP = onnx.parser.parse_graph(
    "step (float[4] sum, float[4] x) => (float[4] next, float[4] y) { next = Add(sum, x) y = Mul(next, x) }"
)
LOOPED = onnx.parser.parse_graph(
    "looped (int64 i, bool more, float[2, 3, 4] x) => (bool go, float[2, 3, 4] next, float[2, 3, 4] y)"
    "{ go = Identity(more) next = Add(x, x) y = Neg(next) }"
)
ROIS = np.float32([[0, 0, 0, 3, 3], [0, 1, 1, 5, 3]])
GRID = np.random.default_rng(1).uniform(-1, 1, (1, 3, 3, 2)).astype(np.float32)

CASES = [
    case("BatchNormalization", 7, X, *STATISTICS),
    case("BatchNormalization", 9, X, *STATISTICS),
    *(
        case("BatchNormalization", opset, X, *map(Constant, EXAMPLE_STATISTICS), name="examples", spatial=0)
        for opset in (7, 8)
    ),
    case("Clip", 7, X, min=-0.5, max=0.5),
    case("DepthToSpace", 1, floats(1, 8, 2, 3), blocksize=2),
    case("Dropout", 7, X),
    case("Dropout", 10, X),
    case("GridSample", 16, IMAGE, GRID, mode="bilinear"),
    case("Hardmax", 11, X, axis=1),
    case("LogSoftmax", 11, X, axis=1),
    *(
        case(
            "Loop",
            opset,
            Constant(np.array(3)),
            Constant(np.array(True)),
            X,
            outputs=("y", "z"),
            body=LOOPED,
        )
        for opset in (7, 13, 16, 19, 21, 23, 24, 25)
    ),
    case("MaxRoiPool", 7, IMAGE, ROIS, pooled_shape=[2, 2]),
    case("MeanVarianceNormalization", 13, IMAGE),
    case("Pad", 7, X, pads=[0, 1, 0, 1, 0, 2], value=3.0),
    *(
        case(
            "MaxPool",
            12,
            VOLUME,
            name=name,
            outputs=("y", "places"),
            dtypes={"places": TensorProto.INT64},
            kernel_shape=[2, 3, 2],
            strides=[2, 1, 2],
            pads=[1, 1, 0, 0, 1, 1],
            storage_order=order,
        )
        for order, name in enumerate(["volume", "volume-by-columns"])
    ),
    *(case(f"Reduce{kind}", 11, X, axes=[1], keepdims=0) for kind in ("Sum", "Mean", "Max", "L2")),
    case(
        "Resize",
        11,
        IMAGE,
        Constant(np.zeros(0, np.float32)),
        Constant(np.float32([1, 1, 2, 1.5])),
        mode="linear",
        coordinate_transformation_mode="align_corners",
    ),
    resize_10("grows", [1, 1, 2, 1.5]),
    resize_10("shrinks", [1, 1, 0.5, 0.6]),
    resize_10("both", [1, 1, 2, 0.6]),
    resize_10("linear", [1, 1, 0.5, 2], mode="linear"),
    case("Resize", 10, IMAGE, np.float32([1, 1, 2, 0.6]), name="unknown", mode="nearest"),
    case("RoiAlign", 10, IMAGE, BOXES, Constant(np.int64([0, 0])), output_height=2, output_width=2, sampling_ratio=2),
    *(
        case(
            "Scan",
            8,
            Constant(np.int64(lengths)) if lengths else None,
            floats(2, 4),
            X,
            name=name,
            outputs=("y", "z"),
            body=STEP,
            num_scan_inputs=1,
            directions=[int(name == "backwards")],
        )
        for name, lengths in {"": None, "backwards": None, "lengths": [3, 1]}.items()
    ),
    case("Scatter", 9, X, Constant(np.zeros((2, 1, 4), np.int64)), Constant(floats(2, 1, 4)), axis=1),
    case("Slice", 7, X, axes=[1], starts=[1], ends=[3]),
    case("Softmax", 11, X, axis=1),
    case("Split", 11, X, axis=1, split=[1, 2], outputs=("y", "z")),
    case("Split", 13, X, axis=2, outputs=("y", "z")),
    case("Squeeze", 11, X[:, :1], axes=[1]),
    case("TopK", 9, X, k=2, outputs=("y", "places"), dtypes={"places": TensorProto.INT64}),
    case("Unsqueeze", 11, X, axes=[1]),
    case("Upsample", 7, IMAGE, scales=[1.0, 1.0, 2.0, 3.0]),
    case("Upsample", 9, IMAGE, Constant(np.float32([1, 1, 2, 1.5]))),
]

# The targets of cases with sizes that are known only at run time: of the first of two ops, and of the result.
FEWER_TARGETS = {
    "Resize-10-both": ["linalg", "mhlo", "stablehlo"],
    "Resize-10-unknown": ["linalg"],
    "Scan-8-lengths": ["linalg"],
}


@pytest.mark.parametrize(
    "case, target",
    [
        pytest.param(case, target, id=f"{case}-{target}")
        for case in CASES
        for target in FEWER_TARGETS.get(str(case), TARGETS)
    ],
)
def test_numbers(case, target, tmp_path):
    onnx.save(case.model(), tmp_path / "m.onnx")
    model = Model(tmp_path / "m.onnx", case.arrays())
    model.check(model.runner(target)(*model.inputs))
