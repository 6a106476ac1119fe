"""Real architectures on every target: lowered, run, and compared with onnxruntime.

Linalg and TOSA run in the embedded JIT, MHLO and StableHLO in XLA. A model with
open dimensions is run at its traced sizes and at two others, Linalg from one
artifact.
"""

import functools
import pathlib

import numpy as np
import onnxruntime
import pytest

import isthmus
from isthmus.verify import relative_error
from tests.support import xla

ZOO = pathlib.Path("tools/zoo")
MODELS = sorted(path.stem for path in ZOO.glob("*.onnx") if not path.stem.endswith("_dynamic"))
DYNAMIC_MODELS = sorted(path.stem for path in ZOO.glob("*_dynamic.onnx"))
TOLERANCE = 1e-4


@functools.cache
def session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(ZOO / f"{model}.onnx", options)


@functools.cache
def traced_inputs(model):
    """The inputs that the model was traced with, in its order."""
    arrays = np.load(ZOO / f"{model}.npz")
    return [arrays[parameter.name] for parameter in session(model).get_inputs()]


def expected(model, inputs):
    names = [parameter.name for parameter in session(model).get_inputs()]
    return session(model).run(None, dict(zip(names, inputs, strict=True)))


@functools.cache
def imported(model):
    return isthmus.import_onnx(ZOO / f"{model}.onnx")


def runner(model, target):
    """A function from inputs to results, over one lowered module."""
    module = imported(model).lower(target)
    if target in ("linalg", "tosa"):
        return module.run
    weights = module.hoist_weights(min_bytes=1024)  # XLA takes weights as arguments
    text = module.text()
    run = xla.run_mhlo if target == "mhlo" else xla.run_stablehlo
    return lambda *inputs: run(text, *inputs, *weights)


def check(model, inputs, results):
    for got, want in zip(results, expected(model, inputs), strict=True):
        assert relative_error(np.asarray(got), want) < TOLERANCE


@pytest.mark.parametrize("target", ["linalg", "tosa", "mhlo", "stablehlo"])
@pytest.mark.parametrize("model", MODELS)
def test_static(model, target):
    inputs = traced_inputs(model)
    check(model, inputs, runner(model, target)(*inputs))


def resized(model, size):
    """The traced inputs with open dimension N set to `size + N`, by repeating what is there.

    Exporters give one dimension several names, so it is its place that tells batch from sequence.
    """
    inputs = []
    for parameter, array in zip(session(model).get_inputs(), traced_inputs(model), strict=True):
        for axis, dim in enumerate(parameter.shape):
            if isinstance(dim, str):
                array = np.take(array, np.arange(size + axis) % array.shape[axis], axis)
        inputs.append(np.ascontiguousarray(array))
    return inputs


@pytest.mark.parametrize("target", ["linalg", "mhlo", "stablehlo"])
@pytest.mark.parametrize("model", DYNAMIC_MODELS)
def test_dynamic(model, target):
    run = runner(model, target)
    for inputs in [traced_inputs(model), resized(model, 3), resized(model, 5)]:
        check(model, inputs, run(*inputs))
