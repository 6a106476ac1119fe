"""The functions of Isthmus, over the native module that does the work."""

import enum
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence

from isthmus import _native
from isthmus.errors import InputError

__version__ = _native.version


class OutputType(enum.StrEnum):
    """The dialects that a model compiles to."""

    TORCH = "torch"
    LINALG_ON_TENSORS = "linalg"
    TOSA = "tosa"
    MHLO = "mhlo"
    STABLEHLO = "stablehlo"


def parts() -> list[str]:
    """Returns the names of the optional parts that this build has: `["jit", "linalg", ...]`."""
    return _native.parts()


def output_types() -> list[OutputType]:
    """Returns the output types that this build can compile to."""
    return [OutputType(name) for name in _native.available_targets()]


class Module:
    """A program in one of the dialects of Isthmus. `print` shows it as MLIR text, large constants elided."""

    def __init__(self, native):
        self._native = native
        self._programs = {}

    def __str__(self):
        return self._native.text(True)

    def text(self) -> str:
        """Returns the whole module as MLIR text, every constant included."""
        return self._native.text(False)

    def save(self, path: str | os.PathLike, *, bytecode: bool | None = None) -> None:
        """Writes the module to a file, whole or not at all.

        Args:
          path: where to. What is there stays as it is if writing fails.
          bytecode: MLIR bytecode (small, quick to read) or text. Without it the
            file's name decides: `.mlirbc` is bytecode.

        Raises:
          FileError: the file cannot be written.
        """
        path = pathlib.Path(path)
        self._native.save(str(path), path.suffix == ".mlirbc" if bytecode is None else bytecode)

    def count_ops(self) -> dict[str, int]:
        """Returns how often each op occurs, by its full name."""
        return self._native.count_ops()

    def nodes(self) -> list[tuple[str, str]]:
        """Returns the nodes of a model as pairs: the op's full name, and what messages about the node begin with."""
        return self._native.nodes()

    def lower(
        self,
        output_type: OutputType | str,
        *,
        specialize: Mapping[str, Sequence[int]] | None = None,
        backend_legal_ops: Iterable[str] = (),
    ) -> "Module":
        """Returns the program lowered to another dialect; this module stays as it is.

        Args:
          output_type: where to; see `OutputType`.
          specialize: sizes by input name, which become static:
            `{"input": [1, 3, 224, 224]}`.
          backend_legal_ops: composite ATen ops to keep whole, by full name with
            overload: `["aten.gelu"]`.

        Raises:
          UnsupportedError: some ops have no lowering. Its messages name the node,
            what was expected and what was there, for all of them.
          MissingPartError: this build leaves the output type out.
        """
        lowered = self._native.clone()
        sizes = {name: list(shape) for name, shape in (specialize or {}).items()}
        lowered.lower(OutputType(output_type), sizes, list(backend_legal_ops))
        return Module(lowered)

    def hoist_weights(self, min_bytes: int = 0) -> list:
        """Turns constants into parameters that come after the function's own.

        Args:
          min_bytes: the size from which on a constant is a weight.

        Returns:
          The weights in the order of their parameters, as NumPy arrays over the
          memory they already lie in. Splats and bools stay constants.
        """
        return [array for _, array in self._native.hoist_weights(min_bytes)]

    def input_names(self, *, threads: int = 1) -> list[str]:
        """Returns the names of the inputs that `run` takes, as the model calls them."""
        program = self._program(threads)
        return [name for name, _ in program.inputs(program.functions()[0])]

    def run(self, *inputs, threads: int = 1) -> list:
        """Runs a Linalg or TOSA program on this machine.

        The first call compiles; one compilation serves every size of dynamic
        dimensions. Inputs are read where they lie.

        Args:
          inputs: arrays of NumPy or anything that NumPy can view, such as torch
            tensors; in the order of the function's arguments. Where the program
            has narrower integers (TOSA has no i64), values that fit are narrowed.
          threads: threads to run on; 0 is one per core.

        Returns:
          The results as NumPy arrays.

        Raises:
          InputError: the inputs' number, dtypes or sizes are not the function's.
          UnsupportedError: the module holds what the compiler has no code for.
          MissingPartError: this build has no JIT.
        """
        program = self._program(threads)
        function = program.functions()[0]
        dtypes = [dtype for _, dtype in program.inputs(function)]
        arrays = [_as_array(array, dtypes[i] if i < len(dtypes) else None) for i, array in enumerate(inputs)]
        return program.run(function, arrays)

    def _program(self, threads):
        if threads not in self._programs:
            self._programs[threads] = self._native.compile(threads)
        return self._programs[threads]


def _as_array(value, dtype):
    """Returns a view of `value`, or its values in the integer `dtype` if that is narrower and they fit."""
    import numpy as np

    array = np.asarray(value)
    is_narrower = (
        dtype and dtype.startswith("int") and array.dtype.kind in "iu" and array.itemsize > np.dtype(dtype).itemsize
    )
    if not is_narrower:
        return array
    limits, low, high = np.iinfo(dtype), array.min(initial=0), array.max(initial=0)
    if low < limits.min or high > limits.max:
        raise InputError([f"expected integers that fit {dtype}, got {low} to {high}"])
    return array.astype(dtype)


def import_onnx(model: str | os.PathLike | bytes) -> Module:
    """Imports an ONNX model, opset 7 to 28, into the `onnx` dialect.

    Args:
      model: path of a `.onnx` file, or its serialized bytes. A file stays mapped
        while the module lives, and its large tensors are never copied; external
        data is looked for in its folder.

    Raises:
      FileNotFoundError: `model` is a path and nothing is there.
      BadModelError: not a valid model, or of a version that is not known.
    """
    if isinstance(model, bytes):
        return Module(_native.import_onnx(model))
    os.stat(model)
    return Module(_native.import_onnx_file(os.fspath(model)))


def compile(
    model: str | os.PathLike | bytes,
    output_type: OutputType | str = OutputType.LINALG_ON_TENSORS,
    *,
    specialize: Mapping[str, Sequence[int]] | None = None,
    backend_legal_ops: Iterable[str] = (),
) -> Module:
    """Compiles an ONNX model to one of the output types.

    See `import_onnx` for the model and `Module.lower` for everything else.
    """
    return import_onnx(model).lower(output_type, specialize=specialize, backend_legal_ops=backend_legal_ops)


def load(path: str | os.PathLike) -> Module:
    """Reads a module from a file of MLIR text or bytecode.

    Raises:
      FileNotFoundError: nothing is there.
      BadModelError: the file is neither, or its program is not valid.
    """
    os.stat(path)
    return Module(_native.parse_file(os.fspath(path)))


def parse(source: str | bytes) -> Module:
    """Reads a module from MLIR text or bytecode in memory.

    Raises:
      BadModelError: it is neither, or its program is not valid.
    """
    return Module(_native.parse(source.encode() if isinstance(source, str) else source))
