"""Each pass that moves weights has an inverse pass, and after both the program is the same as before.

Two texts count as the same program if they differ only in the position of constants, the number of equal constants,
the names of values, and whether elements are in an attribute or in a resource.
"""

import hashlib
import pathlib
import re
import subprocess
import tempfile

import pytest

NAMES = [path.stem for path in sorted(pathlib.Path("tools/zoo").glob("*.onnx"))]
TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]

CONSTANT = re.compile(r'\s*(%\w+) = "?(?:arith\.constant|tosa\.const|mhlo\.constant|stablehlo\.constant)"?\b(.*)')
RESOURCE = re.compile(r'\s*([\w.$]+|"[^"]*"): "0x(\w+)",?')
HEX = re.compile(r'dense<"0x(\w+)">')
VALUE = re.compile(r"%\w+")


def digest(data):
    return f"dense<{hashlib.sha256(data.encode()).hexdigest()}>"


def normalized(path):
    """The lines of a program's text, with each constant written in place of its uses."""
    lines, constants, resources = [], {}, {}
    with path.open() as file:
        for line in map(str.rstrip, file):
            if match := RESOURCE.fullmatch(line):
                resources[match[1]] = digest(match[2][8:])  # after its alignment
            else:
                lines.append(HEX.sub(lambda match: digest(match[1]), line))

    def with_resources(text):
        return re.sub(r'dense_resource<([\w.$]+|"[^"]*")>', lambda match: resources[match[1]], text)

    names, result = {}, []

    def rename(match):
        name = match[0]
        return constants.get(name) or names.setdefault(name, f"%{len(names)}")

    for line in lines:
        if match := CONSTANT.fullmatch(line):
            constants[match[1]] = f"({with_resources(match[2]).strip()})"
        elif line.startswith(("{-#", "#-}")) or re.fullmatch(r"\s*(dialect_resources: \{|builtin: \{|\},?)", line):
            continue
        else:
            result.append(VALUE.sub(rename, with_resources(line)))
    return result


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
