"""The tables in third_party agree with the pinned packages."""

import pathlib
import subprocess
import sys

import pytest

REGISTRY = sorted(pathlib.Path("cc/include/isthmus/Dialect/Torch/registry").glob("*/*.txt"))


@pytest.mark.parametrize(
    "file, generator, arguments",
    [
        ("third_party/onnx/schemas.json", "print_onnx_schemas.py", []),
        ("third_party/onnxruntime/schemas.json", "print_onnxruntime_schemas.py", []),
        ("third_party/torch/overloads.txt", "print_torch_overloads.py", []),
        ("third_party/torch/schemas.json", "print_torch_schemas.py", REGISTRY),
        ("third_party/torch/views.txt", "print_torch_views.py", []),
    ],
)
def test_is_fresh(file, generator, arguments):
    printed = subprocess.run(
        [sys.executable, f"tools/generators/{generator}", *arguments], capture_output=True, text=True, check=True
    )
    is_fresh = printed.stdout == pathlib.Path(file).read_text(encoding="utf-8")
    assert is_fresh, f"{file} is stale: run tools/refresh_schemas"
