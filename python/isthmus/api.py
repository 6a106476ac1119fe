"""The functions of Isthmus, over the native module that does the work."""

import os
import pathlib

from isthmus import _native

__version__ = _native.version


def parts() -> list[str]:
    """Returns the names of the optional parts that this build has: `["jit", "linalg", ...]`."""
    return _native.parts()


class Module:
    """A program in one of the dialects of Isthmus. `print` shows it as MLIR text."""

    def __init__(self, native):
        self._native = native
        self._programs = {}

    def __str__(self):
        return self._native.text()

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

    def run(self, *inputs, threads: int = 1, function: str | None = None) -> list:
        """Runs a Linalg or TOSA program on this machine.

        The first call compiles; one compilation serves every size of dynamic
        dimensions. Inputs are read where they lie.

        Args:
          inputs: arrays of NumPy or anything that NumPy can view, such as torch
            tensors; in the order of the function's arguments.
          threads: threads to run on; 0 is one per core.
          function: which function, if there are several.

        Returns:
          The results as NumPy arrays.

        Raises:
          InputError: the inputs' number, dtypes or sizes are not the function's.
          UnsupportedError: the module holds what the compiler has no code for.
          MissingPartError: this build has no JIT.
        """
        import numpy as np

        program = self._program(threads)
        return program.run(function or program.functions()[0], [np.asarray(array) for array in inputs])

    def _program(self, threads):
        if threads not in self._programs:
            self._programs[threads] = self._native.compile(threads)
        return self._programs[threads]


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
