"""The wheel works in an environment that contains only it and NumPy, and programs in C use the library in it."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import venv

import pytest

import isthmus

(WHEEL,) = pathlib.Path("python").glob("*.whl")

# Without this test's own modules.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def said(*command, env=ENV, **keywords):
    """Runs a command; returns its output."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=env, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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


def test_the_module_finds_the_library_beside_it(environment):
    module = next(environment.parent.glob("lib/python*/site-packages/isthmus/_native.abi3.so"))
    assert f" {module.parent}/lib/libisthmus.so.0 " in said("ldd", module)


# Any model will do.
RELU = """<ir_version: 9, opset_import: ["" : 20]> main (float[4] x) => (float[4] y) { y = Relu(x) }"""


def test_command(environment):
    assert said(environment / "isthmus", "--version").startswith("isthmus 0.")


def test_import_loads_nothing_else(environment):
    code = "import sys, isthmus; print([m for m in ('numpy', 'torch', 'onnx', 'isthmus._native') if m in sys.modules])"
    assert said(environment / "python", "-c", code).strip() == "[]"


@pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build reads no ONNX")
def test_compile_loads_little(environment, tmp_path):
    import onnx

    onnx.save(onnx.parser.parse_model(RELU), tmp_path / "model.onnx")
    command = [str(tmp_path / "model.onnx"), "--target", "torch", "-o", str(tmp_path / "model.mlir")]
    code = (
        f"import sys; from isthmus import cli; assert cli.main(['compile', *{command}]) == 0;"
        " print([m for m in ('dataclasses', 'inspect', 'numpy', 'tempfile') if m in sys.modules])"
    )
    assert said(environment / "python", "-c", code).strip() == "[]"


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
    expected = model(x).detach().flatten().tolist()
    assert list(map(float, said(environment / "python", "-c", code).split())) == pytest.approx(expected, rel=1e-5)


def test_is_a_backend_of_torch_compile(environment):
    (entry_points,) = environment.parent.glob("lib/python*/site-packages/isthmus-*.dist-info/entry_points.txt")
    assert "[torch_dynamo_backends]\nisthmus = isthmus.pytorch:dynamo_backend\n" in entry_points.read_text()


def test_says_what_else_it_needs(environment):
    (metadata,) = environment.parent.glob("lib/python*/site-packages/isthmus-*.dist-info/METADATA")
    lines = metadata.read_text().split("\n\n")[0].splitlines()
    assert "Requires-Python: >=3.11" in lines
    needed = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    assert [re.split("[><=;]", line)[0] for line in needed if "extra" not in line] == ["numpy"]
    extras = {line.removeprefix("Provides-Extra: ") for line in lines if line.startswith("Provides-Extra: ")}
    assert extras == {line.split('"')[1] for line in needed if "extra ==" in line} >= {"torch", "verify"}


def test_has_its_types(environment):
    (package,) = environment.parent.glob("lib/python*/site-packages/isthmus")
    assert {"__init__.pyi", "_native.pyi", "py.typed"} <= set(os.listdir(package))


def test_writes_pages(environment, tmp_path):
    model = tmp_path / "model.mlir"
    model.write_text(
        "func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> { return %x : !torch.vtensor<[2],f32> }"
    )
    page = said(environment / "isthmus", "check", model, "--targets", "torch", "--format", "html")
    assert page.startswith("<!DOCTYPE html>") and "prefers-color-scheme: dark" in page


def test_the_package_says_where_the_library_is(environment):
    code = "import isthmus; print(isthmus.get_include(), isthmus.get_library_dir(), sep='\\n')"
    include, library = said(environment / "python", "-c", code).splitlines()
    assert (pathlib.Path(include) / "isthmus.h").exists() and (pathlib.Path(library) / "libisthmus.so.0").exists()
    cflags, libs, cmake = said(environment / "isthmus-config", "--cflags", "--libs", "--cmakedir").splitlines()
    assert cflags == f"-I{include}"
    assert libs == f"-L{library} -l:libisthmus.so.0 -Wl,-rpath,{library}"
    assert cmake == f"{library}/cmake/Isthmus"


def test_the_command_for_compilers_wants_a_question(environment):
    done = subprocess.run([environment / "isthmus-config"], capture_output=True, text=True, env=ENV)
    assert done.returncode == 2 and "expected --cflags, --libs or --cmakedir, got none" in done.stderr


def test_cmake_builds_the_example(environment, tmp_path):
    if missing := [tool for tool in ("cmake", "ninja") if not shutil.which(tool)]:
        pytest.fail(f"expected {', '.join(missing)}, got nothing: run tools/setup")
    folder = said(environment / "isthmus-config", "--cmakedir").strip()
    example = pathlib.Path("examples/c_compiler").absolute()
    said("cmake", "-G", "Ninja", "-S", example, "-B", tmp_path, f"-DIsthmus_DIR={folder}")
    said("cmake", "--build", tmp_path)
    text = "func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> { return %x : !torch.vtensor<[2],f32> }"
    model = tmp_path / "model.mlir"
    model.write_text(text)
    target, result = ("tosa", ": 1 1\n") if "jit" in isthmus.parts() else ("torch", "")
    assert said(tmp_path / "c_compiler", model, target) == str(isthmus.parse(text).lower(target)) + result


VERSION = "#include <isthmus.h>\n#include <stdio.h>\nint main(void) { puts(isthmus_version()); return 0; }\n"


@pytest.mark.parametrize("tool", ["isthmus-config", "pkg-config"])
def test_a_compiler_takes_the_flags(environment, tmp_path, tool):
    command = [environment / tool, "--cflags", "--libs"]
    env, library = (
        dict(os.environ),
        said(environment / "python", "-c", "import isthmus; print(isthmus.get_library_dir())"),
    )
    if tool == "pkg-config":
        command = [tool, "--cflags", "--libs", "isthmus"]
        env |= {"PKG_CONFIG_PATH": f"{library.strip()}/pkgconfig", "LD_LIBRARY_PATH": library.strip()}
    (tmp_path / "version.c").write_text(VERSION)
    said("clang-22", "version.c", *shlex.split(said(*command, env=env)), "-o", "version", cwd=tmp_path)
    assert said(tmp_path / "version", env=env) == isthmus.__version__ + "\n"
