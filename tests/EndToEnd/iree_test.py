"""IREE compiles our linalg, with known sizes and with unknown ones, and computes the same as onnxruntime."""

import pathlib

import pytest

from isthmus import runtimes
from tests.support.models import Model

NAMES = [path.stem for path in sorted(pathlib.Path("tools/zoo").glob("*.onnx"))]


@pytest.mark.parametrize("name", NAMES)
def test_compiles_and_runs(name):
    model = Model(f"tools/zoo/{name}.onnx")
    program = model.imported.lower("linalg", consumer="iree")
    model.check(runtimes.run_in_iree(program.text(), *model.inputs))
