"""Models from onnxruntime's quantizers and optimizer compute the same on every target as onnxruntime.

TOSA multiplies i8 in these models, so MLIR's validator and Arm's reference model judge it as well.
"""

import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest
from onnxruntime import quantization

from tests.support.calibration import Calibration
from tests.support.isthmus_opt import isthmus_opt
from tests.support.models import TARGETS, Model
from tests.support.tosa import VALIDATE, run_reference_model

ZOO = pathlib.Path("tools/zoo")
NAMES = ["convnext", "distilbert", "resnet"]


def optimize(source, path, _):
    """Fuses ops into onnxruntime's own, but without optimizations for a single kind of machine."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(source, options)


def quantize_weights(source, path, _):
    """Quantizes weights to 8 bits. Activations are quantized at run time, by their range."""
    quantization.quantize_dynamic(source, path)


def quantize_operators(source, path, example):
    """Quantizes to QLinearConv and similar ops, with all values between ops in 8 bits."""
    quantization.quantize_static(source, path, Calibration(example), quant_format=quantization.QuantFormat.QOperator)


def quantize_values(source, path, example):
    """Inserts QuantizeLinear and DequantizeLinear, here onnxruntime's own and with activations of 16 bits."""
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
