"""Isthmus converts ONNX and PyTorch models to Linalg, TOSA, MHLO and StableHLO."""

import importlib

# Names are loaded on first use, so `import isthmus` takes only milliseconds.
_HOMES = {
    "isthmus.api": [
        "BACKEND_LEGAL_OPS",
        "FileFormat",
        "Module",
        "OutputType",
        "SavedWeights",
        "WeightForm",
        "__version__",
        "compile",
        "import_model",
        "import_onnx",
        "load",
        "output_types",
        "parse",
        "parts",
    ],
    "isthmus.config": ["get_include", "get_library_dir"],
    "isthmus.jax.function": ["to_jax"],
    "isthmus.kernels": ["register_kernel"],
    "isthmus.options": ["Consumer", "CustomOpEncoding", "LoweringOptions", "MutableBuffers", "Quantized"],
    "isthmus.ops": ["Coverage", "coverage"],
    "isthmus.errors": [
        "BadModelError",
        "FileError",
        "InputError",
        "IsthmusError",
        "KernelError",
        "LoweringWarning",
        "MissingPartError",
        "UnsupportedError",
    ],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name):
    if name not in _HOME_OF:
        raise AttributeError(f"module 'isthmus' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(globals() | _HOME_OF)
