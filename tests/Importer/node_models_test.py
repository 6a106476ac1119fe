"""All of ONNX's own node models can be imported, and the printed program parses to the same program."""

from pathlib import Path

import onnx
import pytest
from onnx.backend.test import loader

import isthmus

# This model gets an error, which upgrades_test.py checks.
SCAN_8 = "test_scan_sum"

CASES = {case.name: case.model for case in loader.load_model_tests(kind="node") if case.name != SCAN_8}


@pytest.mark.parametrize("name", CASES)
def test_node_model(name):
    text = isthmus.import_onnx(CASES[name].SerializeToString()).text()
    assert isthmus.parse(text).text() == text


LIGHT = sorted(Path(onnx.__file__).parent.glob("backend/test/data/light/*.onnx"))


@pytest.mark.parametrize("path", LIGHT, ids=lambda path: path.stem)
def test_light_network(path):
    text = isthmus.import_onnx(path).text()
    assert isthmus.parse(text).text() == text
