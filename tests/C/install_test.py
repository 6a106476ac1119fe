"""The installed C library is found by CMake and pkg-config, wherever its tree is, and runs the example."""

import os
import pathlib
import shlex
import shutil
import subprocess

import numpy as np
import onnx
import pytest

import isthmus
from tests.support import onnx_models

EXAMPLE = pathlib.Path("examples/c_compiler").absolute()
TOOLS = ["cmake", "ninja", "pkg-config"]


def run(*command, **keywords):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **keywords)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """A tree that was moved after it was installed, twice."""
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        pytest.fail(f"expected {', '.join(missing)}, got nothing: run tools/setup")
    folder = tmp_path_factory.mktemp("installed")
    for _ in range(2):
        run("tools/install/install", f"--version={isthmus.__version__}", folder / "first")
    (folder / "first").rename(folder / "with space")
    return folder / "with space"


@pytest.fixture(scope="module")
def program(prefix, tmp_path_factory):
    """The example, as CMake builds it."""
    build = tmp_path_factory.mktemp("build")
    run(
        "cmake",
        "-G",
        "Ninja",
        "-S",
        EXAMPLE,
        "-B",
        build,
        f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_C_FLAGS=-Wall -Werror",
    )
    run("cmake", "--build", build)
    return build / "c_compiler"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    weight = onnx.numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(3, 2), "w")
    nodes = [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])]
    inputs, outputs = [onnx_models.value("x", ["batch", 3])], [onnx_models.value("y", ["batch", 2])]
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(onnx_models.model(nodes, inputs, outputs, initializers=[weight]), path)
    return path


def test_files(prefix):
    files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    assert files == {
        "include/isthmus.h",
        "include/isthmus/Runtime/Kernel.h",
        "lib/IsthmusPlugin.so",
        "lib/cmake/Isthmus/IsthmusConfig.cmake",
        "lib/cmake/Isthmus/IsthmusConfigVersion.cmake",
        "lib/libisthmus.so",
        "lib/libisthmus.so.0",
        f"lib/libisthmus.so.{isthmus.__version__}",
        "lib/pkgconfig/isthmus.pc",
        "share/doc/isthmus/LICENSE",
    }
    assert (prefix / "lib/libisthmus.so").resolve().name == f"libisthmus.so.{isthmus.__version__}"


@pytest.mark.skipif(not {"onnx", "tosa", "jit"} <= set(isthmus.parts()), reason="this build cannot run the model")
@pytest.mark.parametrize("target", ["linalg", "tosa"])
def test_the_example_runs(program, model, target):
    text = run(program, model, target, "specialize=x=1x3")
    expected = isthmus.import_onnx(model).lower(target, specialize={"x": [1, 3]})
    assert text == f"{expected}y: 6 9\n"


@pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build has no onnx part")
def test_the_example_without_a_run(program, model):
    assert run(program, model, "torch") == str(isthmus.import_onnx(model).lower("torch"))


@pytest.mark.parametrize(
    "arguments, status, said",
    [
        ([], 2, "usage: "),
        (["none.onnx", "tosa"], 1, "none.onnx: No such file or directory"),
        (["none.onnx"], 2, "usage: "),
    ],
)
def test_the_example_says_what_is_wrong(program, arguments, status, said):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (status, "") and said in done.stderr


@pytest.mark.skipif("onnx" not in isthmus.parts(), reason="this build has no onnx part")
@pytest.mark.parametrize(
    "option, said", [("no_such=1", "expected an option of 'target'"), ("specialize=x", "expected NAME=SIZExSIZE")]
)
def test_the_example_says_which_option_is_wrong(program, model, option, said):
    done = subprocess.run([program, model, "torch", option], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "") and said in done.stderr


def test_pkg_config(prefix, tmp_path):
    env = os.environ | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    assert run("pkg-config", "--modversion", "isthmus", env=env) == isthmus.__version__ + "\n"
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "isthmus", env=env))
    (tmp_path / "version.c").write_text(
        '#include <isthmus.h>\n#include <stdio.h>\nint main(void) { printf("%s", isthmus_version()); return 0; }\n'
    )
    run("clang-22", "version.c", *flags, "-o", "version", cwd=tmp_path)
    said = run(tmp_path / "version", env={"LD_LIBRARY_PATH": str(prefix / "lib")})
    assert said == isthmus.__version__


@pytest.mark.parametrize(
    "wanted, fits",
    [("", True), ("0.1", True), ("0.1.0", True), ("0.1.0 EXACT", True), ("0", False), ("0.1.9", False), ("1", False)],
)
def test_versions_of_cmake(prefix, tmp_path, wanted, fits):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(p C)\n"
        f"find_package(Isthmus {wanted} REQUIRED)\nfind_package(Isthmus {wanted} REQUIRED)\n"
    )
    command = ["cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) == fits, done.stderr
