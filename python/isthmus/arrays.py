"""Arrays on disk: .npy and .npz, by the names of a model's inputs."""

import os
import pathlib
import zipfile

import numpy as np

from isthmus.errors import InputError


def read(arguments):
    """Reads `.npz` files and `NAME=FILE.npy` or `FILE.npy` arguments.

    Returns:
      {name: array}; an array without a name has its position for one.
    """
    found = {}
    for argument in arguments:
        # A path may have a "=" of its own.
        name, path = ("", argument) if os.path.exists(argument) else _named(argument)
        try:
            content = np.load(path, allow_pickle=False)
            if not isinstance(content, np.ndarray):
                content = dict(content)  # members are read, and refused, one by one
        except (ValueError, EOFError, zipfile.BadZipFile) as error:
            raise InputError([f"{path}: expected a .npy or .npz file, got {error}"]) from error
        if isinstance(content, np.ndarray):
            found[name or len(found)] = content
        else:
            found.update(content)
    return found


def _named(argument):
    name, is_named, path = argument.partition("=")
    return (name, path) if is_named else ("", name)


def in_order(given, names):
    """Returns the arrays of `given` in the order of the inputs `names`.

    Raises:
      InputError: some are missing or left over; it lists them all.
    """
    given, result, missing = dict(given), [], []
    for position, name in enumerate(names):
        key = name if name in given else position
        if key in given:
            result.append(given.pop(key))
        else:
            missing.append(f"input '{name or position}': expected an array, got none")
    left_over = [f"input '{key}': expected one of {', '.join(map(repr, names))}" for key in given]
    if missing or left_over:
        raise InputError(missing + left_over)
    return result


def write(path, arrays):
    """Writes an .npz file, whole or not at all."""
    path = pathlib.Path(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            np.savez(file, **arrays)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def describe(name, array):
    """Returns one line about an array: `output_0: float32 2x384, min -0.21, max 0.19`."""
    sizes = "x".join(map(str, array.shape)) or "scalar"
    line = f"{name}: {array.dtype} {sizes}"
    if array.size and np.issubdtype(array.dtype, np.number) and not np.iscomplexobj(array):
        line += f", min {array.min():.6g}, max {array.max():.6g}"
    return line
