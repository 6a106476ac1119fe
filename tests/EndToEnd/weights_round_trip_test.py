"""Each pass that moves weights has an inverse pass, and after both the program is the same as before.

The texts are compared as `mlir_text.normalized`.
"""

import pathlib
import re
import subprocess
import tempfile

import pytest

from tests.support import mlir_text

# MiniLM has the ops of BERT, and 90 MB of weights to print.
NAMES = [path.stem for path in sorted(pathlib.Path("tools/zoo").glob("*.onnx")) if path.stem != "minilm"]
TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]


def normalized(path):
    with path.open() as file:
        return mlir_text.normalized(file)


def isthmus_opt(source, target, *passes):
    subprocess.run(["tools/isthmus-opt/isthmus-opt", source, "-o", target, *passes], check=True)
    return target


@pytest.fixture
def tmp_path():
    """A folder that is removed after each test, since all tests together write gigabytes."""
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(params=TARGETS)
def program(name, request, tmp_path):
    lowering = ["--convert-onnx-to-torch-pipeline", f"--torch-to-{request.param}-pipeline"]
    return isthmus_opt(f"tools/zoo/{name}.onnx", tmp_path / "program.mlir", *lowering)


def test_there_and_back(program, tmp_path):
    weights = tmp_path / "w.safetensors"
    to_files = ["--weights-to-globals=min-bytes=1024", f"--externalize-globals=file={weights}"]
    to_constants = [f"--inline-globals=file={weights}", "--globals-to-weights"]
    wanted = normalized(program)
    assert len(wanted) > 50, "expected a program"
    for way in (
        ["--weights-to-globals=min-bytes=1024", "--globals-to-weights"],
        [*to_files, *to_constants],
        [*to_files, "--globals-to-arguments", "--arguments-to-globals", *to_constants],
    ):
        there = isthmus_opt(program, tmp_path / "there.mlir", *way[: len(way) // 2])
        assert re.search(r"ml_program.global private|isthmus.weight", there.read_text()), "expected weights to move"
        assert normalized(isthmus_opt(program, tmp_path / "back.mlir", *way)) == wanted, way


def test_functions_there_and_back(program, tmp_path):
    wanted = isthmus_opt(program, tmp_path / "wanted.mlir").read_text()
    there = isthmus_opt(program, tmp_path / "there.mlir", "--func-to-ml-program")
    assert "ml_program.func @main" in there.read_text()
    assert isthmus_opt(there, tmp_path / "back.mlir", "--ml-program-to-func").read_text() == wanted
