"""`isthmus bug-report` writes versions and findings, and neither weights nor folders."""

import os
import platform
import re
import signal

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import isthmus
from isthmus import api
from isthmus.cli import main

needs_tosa = pytest.mark.skipif(
    not {"onnx", "tosa"} <= set(isthmus.parts()), reason="this build reads no ONNX, or has no TOSA"
)
HEAD = '<ir_version: 10, opset_import: ["" : 18]>'


def sections(text):
    """Returns the sections of a report: {title: text}."""
    found = re.findall(r"^## ([^\n]*)\n\n(`{3,})text\n(.*?)\n\2$", text, re.MULTILINE | re.DOTALL)
    return {title: body for title, _, body in found}


@pytest.fixture
def model(tmp_path):
    """A model in a folder of its own, that TOSA refuses, with weights."""
    model = onnx.parser.parse_model(
        f"{HEAD} g (float[N, M, 64] x, int64[3] s) => (float[a, b, c] y) {{ z = MatMul(x, w) y = Reshape(z, s) }}"
    )
    weight = np.full((64, 64), 1.0625, np.float32)
    weight[0, 0] = 1.1875
    model.graph.initializer.append(numpy_helper.from_array(weight, "w"))
    (tmp_path / "secret").mkdir()
    path = tmp_path / "secret" / "model.onnx"
    onnx.save(model, path)
    return str(path)


def test_versions(capfd):
    assert main(["bug-report"]) == 0
    (versions,) = sections(capfd.readouterr().out).values()
    rows = dict(line.split(maxsplit=1) for line in versions.splitlines())
    assert rows["isthmus"].startswith(f"{isthmus.__version__} (")
    assert rows["Python"].endswith(platform.python_version())
    assert (rows["onnx"], rows["numpy"]) == (onnx.__version__, np.__version__)
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", rows["MLIR"])


@needs_tosa
def test_a_model_that_does_not_lower(model, tmp_path, capfd):
    report = tmp_path / "report.md"
    options = ["--target", "tosa", "--custom-ops", "aten.gelu"]
    assert main(["bug-report", model, *options, "-o", str(report)]) == 0
    assert capfd.readouterr() == ("", "")
    text = report.read_text()
    found = sections(text)
    assert list(found) == ["Versions", "Command", "Model", "Signature", "Ops", "Findings"]
    assert found["Command"] == "isthmus compile model.onnx --target tosa --custom-ops aten.gelu"
    assert found["Model"] == f"model.onnx, {os.path.getsize(model):,} bytes"
    assert "tensor<?x?x64xf32>" in found["Signature"] and "tensor<3xi64>" in found["Signature"]
    assert dict(reversed(line.split()) for line in found["Ops"].splitlines())["onnx.MatMul"] == "1"
    assert "no lowering to tosa" in found["Findings"] and "model.onnx: " in found["Findings"]
    assert "secret" not in text and str(tmp_path) not in text and os.path.expanduser("~") not in text
    assert "1.1875" not in text and "1.0625" not in text


@needs_tosa
def test_a_model_that_lowers(model, capfd, monkeypatch):
    monkeypatch.setenv("ISTHMUS_UPSTREAM", "/home/someone")
    assert main(["bug-report", model, "--target", "torch"]) == 0
    said = capfd.readouterr().out
    found = sections(said)
    assert found["Findings"] == "none: the model lowers to torch"
    assert "torch.aten.view" in found["Ops in torch"]
    assert "ISTHMUS_UPSTREAM" in found["Versions"] and "someone" not in said
    assert main(["bug-report", model]) == 0
    assert sections(capfd.readouterr().out)["Findings"] == "none"


@needs_tosa
def test_a_crash_is_part_of_the_report(model, capfd, monkeypatch):
    monkeypatch.setattr(api.Module, "lower", lambda *_, **__: os.kill(os.getpid(), signal.SIGSEGV))
    assert main(["bug-report", model, "--target", "tosa"]) == 0
    found = sections(capfd.readouterr().out)
    assert found["Findings"] == "the process ended by SIGSEGV" and "onnx.MatMul" in found["Ops"]


@needs_tosa
def test_names_of_a_model_end_no_section(tmp_path, capfd):
    proto = onnx.parser.parse_model(f"{HEAD} g (float[4] x) => (string[4] y) {{ y = Cast<to = 8>(x) }}")
    proto.graph.node[0].name = "a\n```\n# No heading\n```\n"
    path = str(tmp_path / "model.onnx")
    onnx.save(proto, path)
    assert main(["bug-report", path, "--target", "torch"]) == 0
    said = capfd.readouterr().out
    assert "# No heading" in sections(said)["Findings"]


@needs_tosa
def test_what_is_no_model(model, tmp_path, capfd):
    before = open(model, "rb").read()
    assert main(["bug-report", model, "-o", model]) == 1
    assert "expected another file than the model to write to" in capfd.readouterr().err
    assert open(model, "rb").read() == before
    assert main(["bug-report", "--target", "tosa"]) == 1
    assert "--target tosa: expected a model to lower, got none" in capfd.readouterr().err
    assert main(["bug-report", str(tmp_path / "none.onnx"), "-o", str(tmp_path / "report.md")]) == 1
    assert "No such file or directory" in capfd.readouterr().err
    assert not (tmp_path / "report.md").exists()
    (tmp_path / "bad.onnx").write_bytes(b"\x7fELF and so on")
    assert main(["bug-report", str(tmp_path / "bad.onnx")]) == 0
    assert "expected" in sections(capfd.readouterr().out)["Findings"]
