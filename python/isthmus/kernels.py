"""Kernels of custom ops: functions that compute the custom ops of a program.

docs/custom_ops.md describes the encoding of a custom op. A Python kernel does not see it: it takes the op's arguments in
PyTorch's order, or an ONNX node's inputs and its attributes by name.
"""

import ctypes
import functools
import json
import os
import runpy
from _ctypes import CFuncPtr
from collections.abc import Callable
from typing import Any

from isthmus.errors import InputError

_DTYPES = {"i1": "bool", "bf16": "bfloat16", "complex<f32>": "complex64", "complex<f64>": "complex128"}
_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf"), "-0": -0.0}

_registered: dict[str, Callable[..., Any] | int] = {}


def register_kernel(name: str, kernel: Callable[..., Any] | int) -> None:
    """Registers the kernel of a custom op for programs that this process compiles from now on.

    Args:
      name: the op's full name with its overload: "torch.aten.clamp.Tensor", "onnx.Einsum",
        "com.acme.FancyAttention"; "torch." and "onnx." are optional.
      kernel: a function that takes the op's arguments (NumPy arrays, numbers, strings,
        lists and None; an ONNX node's attributes by name) and returns an array, or a
        tuple of arrays for several results, with None for a result that the program
        does not use. Arrays have the model's dtypes, those that NumPy lacks from
        ml_dtypes, and the shapes of this call; a number is an array of rank 0 as a
        result. Or a C function, as a ctypes function or its address:
        `isthmus_kernel` of `isthmus/Runtime/Kernel.h`.

    Raises:
      InputError: `kernel` is neither.
    """
    native: Callable[..., Any] | int
    if isinstance(kernel, int):
        native = kernel
    elif isinstance(kernel, CFuncPtr):
        native = ctypes.cast(kernel, ctypes.c_void_p).value or 0
    elif callable(kernel):
        native = functools.partial(_call, kernel)
    else:
        raise InputError([f"kernel of '{name}': expected a function, got {type(kernel).__name__}"])
    for prefix in ("", "torch.", "onnx."):
        _registered[prefix + name] = native


def load(source: str) -> None:
    """Runs a Python file, which calls `register_kernel`, or registers one function of a C library.

    Args:
      source: "kernels.py", or "aten.gelu=libkernels.so:gelu".

    Raises:
      InputError: the file or the function in it does not exist or fails.
    """
    name, _, rest = source.rpartition("=")
    library, _, symbol = rest.rpartition(":")
    if name and library:
        try:
            register_kernel(name, getattr(ctypes.CDLL(os.path.abspath(library)), symbol))
        except (OSError, AttributeError) as error:
            raise InputError([f"kernel of '{name}': {error}"]) from error
    elif source.endswith(".py"):
        try:
            runpy.run_path(source)
        except Exception as error:
            raise InputError([f"{source}: {type(error).__name__}: {error}"]) from error
    else:
        raise InputError([f"--kernels: expected FILE.py or OP=LIBRARY:FUNCTION, got '{source}'"])


def registered() -> dict[str, Callable[..., Any] | int]:
    """Returns the functions that native code calls, by the full names of ops."""
    return dict(_registered)


def _call(kernel, attributes, inputs):
    """Calls a Python kernel with a custom op's arguments, and returns its outputs as a list of arrays."""
    says = _parsed(attributes)
    arguments, named = [], {}
    for argument in says["arguments"]:
        value = _decoded(argument["type"], argument.get("value"), inputs)
        if argument.get("keyword"):
            named[argument["name"]] = value
        else:
            arguments.append(value)
    for name, attribute in says.get("attributes", {}).items():
        named[name] = _decoded(attribute["type"], attribute["value"], inputs)
    results = kernel(*arguments, **named)
    expected = says["results"]
    if len(expected) == 1:
        results = [results]
    elif not expected:
        results = []
    elif len(results) != len(expected):
        raise ValueError(f"expected {len(expected)} results, got {len(results)}")
    outputs = []
    for result, one in zip(results, expected):
        if "elements" in one:
            if len(result) != len(one["elements"]):
                raise ValueError(f"expected a list of {len(one['elements'])}, got {len(result)}")
            outputs += [_output(*pair) for pair in zip(result, one["elements"])]
        else:
            outputs.append(_output(result, one))
    return outputs


@functools.lru_cache(maxsize=1024)
def _parsed(attributes):
    says = json.loads(attributes)
    if says.get("version") != 1:
        raise ValueError(f"expected version 1 of its attributes, got {says.get('version')}")
    return says


def _dtype(name):
    """Returns the NumPy dtype for a dtype of the torch dialect: int64 for "si64"."""
    import numpy as np

    if name.startswith("f8"):  # f8E4M3FN
        name = f"float8_{name[2:].lower()}"
    else:
        name = _DTYPES.get(name) or name.replace("si", "int").replace("ui", "uint").replace("f", "float")
    if name == "bfloat16" or name.startswith("float8"):
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def _decoded(kind, value, inputs):
    """Returns an argument as a Python value."""
    if kind == "none":
        return None
    if isinstance(value, list):
        inner = kind.removeprefix("list<").removesuffix(">")
        return [_decoded(inner, element, inputs) for element in value]
    if not isinstance(value, dict):
        return float(_NUMBERS.get(value, value)) if kind == "float" else value
    if value.get("type") == "none":
        return None
    array = inputs[value["operand"]]
    if "dtype" in value:
        return _as(array, _dtype(value["dtype"]))
    if kind == "float" and array.dtype == "float32":
        return float(str(array[()]))  # a constant operand: the shortest decimal that rounds to it
    return array.tolist()  # a number known at run time, or constant operands


def _as(array, dtype):
    """Returns an array in the model's dtype: an i8 may hold a uint8, a TOSA i32 an int64."""
    if array.dtype == dtype:
        return array
    return array.view(dtype) if array.itemsize == dtype.itemsize else array.astype(dtype)


def _output(value, expected):
    import numpy as np

    if value is None:
        return None
    kinds = {"int": np.dtype(np.int64), "float": np.dtype(np.float64), "bool": np.dtype(np.bool_)}
    array = np.asarray(value)
    meant = _dtype(expected["dtype"]) if "dtype" in expected else kinds[expected["type"]]
    if not np.can_cast(array.dtype, meant, "same_kind"):
        raise ValueError(f"expected {meant}, got {array.dtype}")
    return array.astype(meant, copy=False)
