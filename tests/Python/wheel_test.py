"""The wheel works in an environment that contains only it and NumPy."""

import pathlib
import subprocess
import sys
import venv

import pytest

import isthmus

(WHEEL,) = pathlib.Path("python").glob("*.whl")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Makes an environment with the wheel and this environment's NumPy; returns its bin folder."""
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, with_pip=False)
    site = next(root.glob("lib/python*/site-packages"))
    import numpy

    for folder in ("numpy", "numpy.libs"):
        (site / folder).symlink_to(pathlib.Path(numpy.__file__).parents[1] / folder)
    pip = [sys.executable, "-m", "pip", "--python", root / "bin" / "python", "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", WHEEL], check=True)
    return root / "bin"


def test_is_small():
    assert WHEEL.stat().st_size < 30e6


def test_depends_on_system_libraries_only(environment):
    module = next(environment.parent.glob("lib/python*/site-packages/isthmus/_native.so"))
    needed = subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in needed.splitlines()}
    assert names <= {"ld-linux-x86-64", "libc", "libgcc_s", "libm", "libstdc++", "linux-vdso"}


def test_command(environment):
    said = subprocess.run([environment / "isthmus", "--version"], check=True, capture_output=True, text=True).stdout
    assert said.startswith("isthmus 0.")


def test_import_loads_nothing_else(environment):
    code = "import sys, isthmus; print([m for m in ('numpy', 'torch', 'onnx', 'isthmus._native') if m in sys.modules])"
    said = subprocess.run([environment / "python", "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.strip() == "[]"


@pytest.mark.skipif(not {"pt2", "linalg", "jit"} <= set(isthmus.parts()), reason="this build cannot run a .pt2 file")
def test_a_pytorch_program_runs_without_pytorch(environment, tmp_path):
    import torch

    torch.manual_seed(0)
    model, x = torch.nn.Linear(4, 3), torch.ones(2, 4)
    torch.export.save(torch.export.export(model, (x,)), tmp_path / "linear.pt2")
    code = (
        "import sys, numpy, isthmus\n"
        f"module = isthmus.compile({str(tmp_path / 'linear.pt2')!r})\n"
        "print(*module(numpy.ones((2, 4), numpy.float32)).ravel())\n"
        "assert 'torch' not in sys.modules"
    )
    said = subprocess.run([environment / "python", "-c", code], check=True, capture_output=True, text=True).stdout
    expected = model(x).detach().flatten().tolist()
    assert list(map(float, said.split())) == pytest.approx(expected, rel=1e-5)


def test_is_a_backend_of_torch_compile(environment):
    (entry_points,) = environment.parent.glob("lib/python*/site-packages/isthmus-*.dist-info/entry_points.txt")
    assert "[torch_dynamo_backends]\nisthmus = isthmus.pytorch:dynamo_backend\n" in entry_points.read_text()
