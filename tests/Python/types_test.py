"""The stubs have the names that there are, and the public functions have all of their types. `tools/types` reads both."""

import ast
import enum
import inspect
import pathlib

import pytest

import isthmus
from isthmus import _native, bug_report, check, config, onnx_backend, ops, options, pytorch, reduce, verify
from isthmus.compat.torch_mlir import fx

STUBS = pathlib.Path("python/isthmus")


def names_in(body):
    """The names that statements of a stub declare, and those of its classes: {name: names}."""
    names = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = names_in(node.body)
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = {}
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = {}
    return names


def names_of(thing):
    return {
        name: names_of(value) if isinstance(value, type) else {}
        for name, value in vars(thing).items()
        if not name.startswith("_")
    }


def test_the_stub_has_the_names_of_the_native_module():
    stub = ast.parse((STUBS / "_native.pyi").read_text(encoding="utf-8"))
    assert names_in(stub.body) == names_of(_native)


def test_the_stub_has_the_public_names():
    stub = ast.parse((STUBS / "__init__.pyi").read_text(encoding="utf-8"))
    imported = [alias for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert all(alias.name == alias.asname for alias in imported)
    assert sorted(alias.name for alias in imported) == isthmus.__all__


def test_the_enums_of_options_are_public():
    enums = {name for name, value in vars(options).items() if isinstance(value, type) and issubclass(value, enum.Enum)}
    assert enums and not enums - set(isthmus.__all__)


def functions():
    """The public functions and methods, by name."""
    homes = {
        isthmus: isthmus.__all__,
        check: ["Report", "TargetReport", "check"],
        fx: ["Module", "OutputType", "export_and_import", "stateless_fx_import"],
        config: ["get_include", "get_library_dir", "cmake_dir", "cflags", "libs"],
        onnx_backend: ["Backend", "PreparedModel"],
        ops: ["OnnxOp", "TorchOp", "render"],
        pytorch: ["dynamo_backend", "to_array", "to_tensor"],
        reduce: ["Reduced", "reduce"],
        bug_report: ["write"],
        verify: ["Difference", "Report", "compare", "relative_error"],
    }
    found = {}
    for home, names in homes.items():
        for name in names:
            value = getattr(home, name)
            for member, function in vars(value).items() if isinstance(value, type) else [("", value)]:
                function = getattr(function, "fget", None) or getattr(function, "__func__", function)
                is_own = inspect.isfunction(function) and function.__module__.startswith("isthmus")
                if is_own and (not member.startswith("_") or member == "__call__"):
                    found[f"{home.__name__}.{name}.{member}".rstrip(".")] = function
    return found


@pytest.mark.parametrize("function", functions().values(), ids=functions())
def test_types_are_whole(function):
    named = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    assert sorted(function.__annotations__) == sorted([*named, "return"])
