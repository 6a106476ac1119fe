"""Attributes and numbers at the edges of what ops of ai.onnx allow: every target computes what onnxruntime does."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from tests.EndToEnd.onnxruntime_cases import Case, Constant, floats
from tests.support.models import Model
from tests.support.targets import TARGETS


def case(op, name, *inputs, opset=19, dtypes=None, **attributes):
    return Case(op, name, list(inputs), attributes, dtypes=dtypes or {}, domain="", opset=opset)


def transposed(name, **attributes):
    """A transposed convolution with a bias, which reaches fewer elements than it has."""
    filters, bias = Constant(floats(3, 2, 1, 2)), Constant(floats(2))
    return case("ConvTranspose", name, floats(2, 3, 3, 4), filters, bias, **attributes)


def nearest(name, size, wanted, roi=None, **attributes):
    """Nearest elements where a coordinate is an integer, but for rounding."""
    x = np.arange(2 * size, dtype=np.float32).reshape(2, 1, size)
    sizes = Constant(np.array([2, 1, wanted]))
    roi = Constant(np.float32([0, 0, roi[0], 1, 1, roi[1]])) if roi else None
    return case("Resize", name, x, roi, None, sizes, mode="nearest", **attributes)


EMPTY_REGIONS = np.float32([[3, 3, 3, 3], [1, 3, 4, 3]])

CASES = [
    transposed("beyond_the_reach", strides=[2, 3], output_shape=[6, 12]),
    transposed("cropped", strides=[2, 3], output_shape=[4, 9]),
    nearest("floor", 7, 9, nearest_mode="floor"),
    nearest(
        "ceil_of_a_part", 5, 8, (0.1, 0.8), nearest_mode="ceil", coordinate_transformation_mode="tf_crop_and_resize"
    ),
    case("Neg", "least", np.array([-(2**31), 5, 2**31 - 1], np.int32), dtypes={"y": TensorProto.INT32}),
    case("Div", "by_infinity", np.float32([np.inf, np.nan, -np.inf, 2]), Constant(np.float32(np.inf))),
    case(
        *("RoiAlign", "empty_regions", floats(1, 2, 8, 8), EMPTY_REGIONS, Constant(np.array([0, 0]))),
        output_height=2,
        output_width=1,
        spatial_scale=0.7,
    ),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_numbers(case, target, tmp_path):
    onnx.save(case.model(), tmp_path / "m.onnx")
    model = Model(tmp_path / "m.onnx", case.arrays())
    model.check(model.runner(target)(*model.inputs))


@pytest.mark.parametrize("case", [each for each in CASES if each.op != "Neg"], ids=str)
def test_open_sizes(case, tmp_path):
    onnx.save(case.model(dynamic=True), tmp_path / "m.onnx")
    model = Model(tmp_path / "m.onnx", case.arrays())
    model.check(model.runner("linalg")(*model.inputs))
