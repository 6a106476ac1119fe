"""Models as onnxruntime's quantizers and optimizer write them compute on every target what onnxruntime does.

TOSA, where such products are of i8, is judged by MLIR's validator and by Arm's reference model as well.
"""

import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest
from onnxruntime import quantization

from tests.support.isthmus_opt import isthmus_opt
from tests.support.models import TARGETS, Model
from tests.support.tosa import VALIDATE, run_reference_model

ZOO = pathlib.Path("tools/zoo")
NAMES = ["convnext", "distilbert", "resnet"]


class Calibration(quantization.CalibrationDataReader):
    """The ranges of a model's values are those that one example gives them."""

    def __init__(self, example):
        self.examples = iter([example])

    def get_next(self):
        return next(self.examples, None)


def optimize(source, path, _):
    """Fuses ops into onnxruntime's own, but leaves them for any machine."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(source, options)


def quantize_weights(source, path, _):
    """To 8 bits; what they are multiplied with is quantized by its range when the model runs."""
    quantization.quantize_dynamic(source, path)


def quantize_operators(source, path, example):
    """To QLinearConv and its like: all is of 8 bits from one to the next."""
    quantization.quantize_static(source, path, Calibration(example), quant_format=quantization.QuantFormat.QOperator)


def quantize_values(source, path, example):
    """Through QuantizeLinear and DequantizeLinear, here onnxruntime's own and of 16 bits."""
    quantization.quantize_static(
        source,
        path,
        Calibration(example),
        activation_type=quantization.QuantType.QUInt16,
        extra_options={"UseQDQContribOps": True},
    )


KINDS = {
    "optimized": optimize,
    "weights": quantize_weights,
    "operators": quantize_operators,
    "values": quantize_values,
}


@pytest.fixture(scope="module", params=[f"{name}-{kind}" for name in NAMES for kind in KINDS])
def model(request, tmp_path_factory):
    name, kind = request.param.split("-")
    source = ZOO / f"{name}.onnx"
    inputs = list(np.load(source.with_suffix(".npz")).values())
    names = [value.name for value in onnx.load(source, load_external_data=False).graph.input]
    path = tmp_path_factory.mktemp(kind) / f"{name}.onnx"
    KINDS[kind](source, path, dict(zip(names, inputs, strict=True)))
    return Model(path, inputs)


@pytest.mark.parametrize("target", TARGETS)
def test_numbers(model, target):
    model.check(model.runner(target)(*model.inputs))


def test_reference_model(model):
    pipelines = ["--convert-onnx-to-torch-pipeline", "--torch-to-tosa-pipeline"]
    text = isthmus_opt("", str(model.path), *pipelines, *VALIDATE)
    model.check(run_reference_model(text, *model.inputs))
