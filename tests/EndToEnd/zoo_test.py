"""Real architectures compute the same on every target as onnxruntime.

One Linalg artifact of a model with open dimensions runs at its traced sizes and at two others. MHLO and
StableHLO run at one of these each. MLIR's validator and Arm's reference model judge TOSA as well.
"""

import functools
import pathlib

import numpy as np
import pytest

from tests.support.isthmus_opt import isthmus_opt
from tests.support.models import TARGETS, Model
from tests.support.tosa import VALIDATE, run_reference_model

ZOO = pathlib.Path("tools/zoo")
MODELS = sorted(path.stem for path in ZOO.glob("*.onnx") if not path.stem.endswith("_dynamic"))
DYNAMIC_MODELS = sorted(path.stem for path in ZOO.glob("*_dynamic.onnx"))


@functools.cache
def model_of(name):
    return Model(ZOO / f"{name}.onnx")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_static(name, target):
    model = model_of(name)
    model.check(model.runner(target, optimize=True)(*model.inputs))


@pytest.mark.parametrize("name", MODELS)
def test_reference_model(name):
    model = model_of(name)
    pipelines = ["--convert-onnx-to-torch-pipeline", "--torch-to-tosa-pipeline"]
    text = isthmus_opt("", str(model.path), *pipelines, *VALIDATE)
    model.check(run_reference_model(text, *model.inputs))


def resized(model, size):
    """The traced inputs with open dimension N set to `size + N`, by repeating elements.

    Exporters give one dimension several names, so its position distinguishes batch from sequence.
    """
    inputs = []
    assert all(isinstance(parameter.shape[0], str) for parameter in model.parameters)
    for parameter, array in zip(model.parameters, model.inputs, strict=True):
        for axis, dim in enumerate(parameter.shape):
            if isinstance(dim, str):
                array = np.take(array, np.arange(size + axis) % array.shape[axis], axis)
        inputs.append(np.ascontiguousarray(array))
    return inputs


# XLA compiles the program anew for each size, so MHLO and StableHLO run at one size only.
@pytest.mark.parametrize(("target", "sizes"), [("linalg", [None, 3, 5]), ("mhlo", [3]), ("stablehlo", [5])])
@pytest.mark.parametrize("name", DYNAMIC_MODELS)
def test_dynamic(name, target, sizes):
    model = model_of(name)
    run = model.runner(target)
    for size in sizes:
        inputs = resized(model, size) if size else model.inputs
        model.check(run(*inputs), inputs)
