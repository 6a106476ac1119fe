"""The commands and expressions of Isthmus in docs/coming-from.md run."""

import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import onnx
import pytest

from isthmus.cli import main

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "coming-from.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL))
BLOCKS = re.findall(r"^\$ (isthmus .*)$", PAGE, re.MULTILINE)
# Others are names of commands, without their arguments.
COMMANDS = sorted({code for code in CODE if re.match(r"isthmus (ops$|\w+ m\.)", code)} | set(BLOCKS))
EXPRESSIONS = sorted({code for code in CODE if re.match(r"(isthmus|fx)\.\w+\(.*\)", code) and "…" not in code})
MODEL = """
<ir_version: 10, opset_import: ["" : 21, "com.acme" : 1]>
g (float[n, 64] x) => (float[n, 64] y) {
  a = MatMul(x, w)
  y = com.acme.FancyNorm(a)
}
<domain: "com.acme", opset_import: ["" : 21]>
FancyNorm (p) => (q) { q = Softmax(p) }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page names, as the current one."""
    model = onnx.parser.parse_model(MODEL)
    weight = np.random.default_rng(0).standard_normal((64, 64), np.float32) / 8
    model.graph.initializer.append(onnx.numpy_helper.from_array(weight, "w"))
    onnx.save(model, tmp_path / "m.onnx")
    np.save(tmp_path / "x.npy", np.ones((2, 64), np.float32))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ISTHMUS_SAVE_STAGES", "")  # which --save-stages changes
    return tmp_path


def test_there_are_commands_and_expressions():
    assert len(COMMANDS) >= 8 and len(EXPRESSIONS) >= 3


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, folder, capfd):
    assert main(shlex.split(command)[1:]) == 0, capfd.readouterr().err
    written = re.search(r"-o (m\.\w+)", command)
    assert written is None or (folder / written[1]).stat().st_size
    assert ("--weights iree" in command) == (folder / "m.irpa").exists()


@pytest.mark.parametrize("tool", ["iree-import-onnx", "torch-mlir-import-onnx"])
def test_every_flag_has_a_counterpart(tool):
    path = pathlib.Path(sys.executable).with_name(tool)
    said = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=60).stdout
    flags = {flag.replace("--no-", "--") for flag in re.findall(r"--[a-z][\w-]+", said)} - {"--help"}
    shown = {flag.replace("--no-", "--") for code in CODE for flag in re.findall(r"--[a-z][\w-]+", code)}
    assert len(flags) >= 6 and not flags - shown


def names():
    """What the page's Python takes as given."""
    import torch

    import isthmus
    from isthmus.compat.torch_mlir import fx

    return {"isthmus": isthmus, "fx": fx, "model": torch.nn.Linear(64, 4), "x": torch.ones(2, 64)}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression):
    eval(expression, names())


def test_python():
    scripts = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(scripts) >= 2
    for script in scripts:
        exec(script, names())
