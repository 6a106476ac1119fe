"""Debian's mlir-opt runs the passes of Isthmus from its plugin, as isthmus-opt runs them."""

import pathlib
import re
import subprocess

import numpy as np
import pytest
from onnx import helper, numpy_helper

from tests.support.isthmus_opt import isthmus_opt
from tests.support.onnx_models import import_onnx, model, value

PLUGIN = "cc/lib/Plugin/IsthmusPlugin.so"
PASSES = pathlib.Path("cc/include/isthmus/Conversion/Passes.md")


def mlir_opt(text, *args):
    command = ["mlir-opt-22", f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}", *args]
    return subprocess.run(command, input=text, capture_output=True, text=True)


@pytest.fixture(scope="module")
def imported():
    """A model of a convolution and a branch, in the onnx dialect."""
    weight = numpy_helper.from_array(np.linspace(-1, 1, 54, dtype=np.float32).reshape(2, 3, 3, 3), "w")
    branches = {
        f"{name}_branch": helper.make_graph([helper.make_node(op, ["c"], ["z"])], name, [], [value("z", None)])
        for name, op in (("then", "Relu"), ("else", "Neg"))
    }
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("ReduceMax", ["c"], ["m"], keepdims=0),
        helper.make_node("Cast", ["m"], ["b"], to=9),
        helper.make_node("If", ["b"], ["i"], **branches),
        helper.make_node("Softmax", ["i"], ["y"], axis=1),
    ]
    return import_onnx(model(nodes, [value("x", [1, 3, 8, 8])], initializers=[weight]))


@pytest.mark.parametrize("target", ["torch", "linalg", "mhlo", "stablehlo", "tosa"])
def test_pipelines(imported, target):
    pipeline = f"--pass-pipeline=builtin.module(convert-onnx-to-torch-pipeline,torch-to-{target}-pipeline)"
    theirs = mlir_opt(imported, pipeline)
    assert theirs.returncode == 0, theirs.stderr
    assert theirs.stdout == isthmus_opt(imported, pipeline)
    assert "onnx." not in theirs.stdout.replace("onnx.name", "")


def test_all_passes_are_known():
    names = re.findall("^### `-(.*)`$", PASSES.read_text(), re.MULTILINE)
    shown = mlir_opt("", "--help").stdout
    assert len(names) > 30
    assert [name for name in names if f" --{name} " not in shown] == []


def test_errors_name_the_op():
    text = """
        func.func @f(%x: tensor<9xui8>) -> tensor<?x?x3xui8> {
          %y = "onnx.ImageDecoder"(%x) : (tensor<9xui8>) -> tensor<?x?x3xui8>
          return %y : tensor<?x?x3xui8>
        }
    """
    done = mlir_opt(text, "--pass-pipeline=builtin.module(convert-onnx-to-torch)")
    assert done.returncode == 1
    assert "no lowering to torch for 'onnx.ImageDecoder'" in done.stderr
