"""ONNX's own node models all come in, and what is written reads back the same."""

import subprocess
from pathlib import Path

import onnx
import pytest
from onnx.backend.test import loader

from tests.support.onnx_models import import_onnx

# Not read, and the error says so (upgrades_test.py).
SCAN_8 = "test_scan_sum"

CASES = {case.name: case.model for case in loader.load_model_tests(kind="node") if case.name != SCAN_8}


@pytest.mark.parametrize("name", CASES)
def test_node_model(name):
    text = import_onnx(CASES[name])
    again = subprocess.run(["tools/isthmus-opt/isthmus-opt"], input=text, capture_output=True, text=True)
    assert again.stdout.strip() == text.strip(), again.stderr


LIGHT = sorted(Path(onnx.__file__).parent.glob("backend/test/data/light/*.onnx"))


@pytest.mark.parametrize("path", LIGHT, ids=lambda path: path.stem)
def test_light_network(path):
    import_onnx(path.read_bytes())
