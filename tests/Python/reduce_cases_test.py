"""Some of ONNX's own test cases that do not lower to TOSA become smaller, as ONNX models and as MLIR text."""

import warnings

import onnx
import pytest
from onnx.backend.test.case import node

import isthmus
from isthmus import findings, reduce

pytestmark = pytest.mark.skipif(
    not {"onnx", "tosa"} <= set(isthmus.parts()), reason="this build reads no ONNX, or has no TOSA"
)
STEP = 60


def cases():
    """Every sixtieth case, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy, about infinities
        found = sorted((case.name, case.model) for case in node.collect_testcases(None) if case.model)
    return dict(found[::STEP])


def kinds_of(module):
    """The kinds of findings of a module; none if it lowers."""
    try:
        module.lower("tosa")
    except isthmus.UnsupportedError as error:
        return {findings.identity(message.removeprefix("<bytes>: ")) for message in error.messages}
    return set()


def check(path, small, load):
    """Checks that a small model fails like the file."""
    whole = isthmus.load(path) if path.suffix == ".mlir" else isthmus.import_onnx(path.read_bytes())
    assert kinds_of(load(small.data)) & kinds_of(whole)
    assert small.messages and 1 <= small.nodes <= small.nodes_before


def test_cases_of_onnx(tmp_path):
    reduced = 0
    for name, model in cases().items():
        path = tmp_path / f"{name}.onnx"
        onnx.save(model, path)
        module = isthmus.import_onnx(path.read_bytes())
        if not kinds_of(module):
            continue
        small = reduce.reduce(path, "tosa")
        onnx.checker.check_model(onnx.load_from_string(small.data))
        check(path, small, isthmus.import_onnx)
        text = tmp_path / f"{name}.mlir"
        module.save(text)
        check(text, reduce.reduce(text, "tosa"), isthmus.parse)
        reduced += 1
    assert reduced >= 5
