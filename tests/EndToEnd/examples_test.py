"""The examples print small errors: each says so by its exit status. That in C++ prints a result."""

import importlib
import subprocess

import numpy as np
import pytest
import torch


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
