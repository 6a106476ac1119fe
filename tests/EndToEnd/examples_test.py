"""The examples print small errors: each says so by its exit status."""

import importlib

import pytest


@pytest.mark.parametrize("name", ["bert", "resnet"])
def test_pytorch(name, capsys):
    example = importlib.import_module(f"examples.pytorch.{name}")
    assert example.main() == 0, capsys.readouterr().out
