"""The examples run and produce the right results. Those in Python check their numbers and return 0 if they match."""

import importlib
import subprocess

import numpy as np
import pytest
import torch
from onnx import helper

from tests.support import onnx_models


@pytest.mark.parametrize("name", ["bert", "resnet"])
def test_pytorch(name, capsys):
    example = importlib.import_module(f"examples.pytorch.{name}")
    assert example.main() == 0, capsys.readouterr().out


def test_kernel_in_cpp():
    printed = subprocess.run(["examples/cpp_kernel/layer_norm"], capture_output=True, text=True, check=True).stdout
    x, weight, bias = (
        torch.tensor([[1.0, 2, 3, 4], [0, 0, 4, 4]]),
        torch.tensor([1.0, 1, 1, 2]),
        torch.tensor([0.0, 0, 0, 1]),
    )
    expected = torch.nn.functional.layer_norm(x, [4], weight, bias)
    np.testing.assert_allclose(np.loadtxt(printed.splitlines()), expected.numpy(), atol=1e-4)


def test_embedded(tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"])
    model = onnx_models.model([node], inputs=[onnx_models.value("x", (2, 3))])
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    command = ["examples/embed/onnx_to_tosa", tmp_path / "model.onnx"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "tosa.maximum %arg0" in printed and "torch." not in printed
    (tmp_path / "model.onnx").write_bytes(b"no model")
    failed = subprocess.run(command, capture_output=True, text=True)
    assert failed.returncode == 1 and "expected" in failed.stderr and not failed.stdout
