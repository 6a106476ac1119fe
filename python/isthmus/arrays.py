"""Arrays in .npy and .npz files, by the names of a model's inputs."""

import os
import stat
import urllib.parse
import zipfile

import numpy as np

from isthmus import api
from isthmus.errors import FileError, InputError


def read(arguments):
    """Reads `.npz` files and `NAME=FILE.npy` or `FILE.npy` arguments.

    Returns:
      {name: array}; an unnamed array has its position as its name.
    """
    found = {}
    for argument in arguments:
        # A path may contain "=".
        name, path = ("", argument) if os.path.exists(argument) else _named(argument)
        content = _load(path)
        if isinstance(content, np.ndarray):
            found[name or len(found)] = content
        else:
            found.update(content)
    return found


def _load(path):
    """Returns the array of a file, or its arrays by name."""
    try:
        content = np.load(path, allow_pickle=False)
        if isinstance(content, np.ndarray):
            return _native(content)
        # Members are read, and refused, one by one. A member that is not an array is read as bytes.
        return {name: _native(np.asarray(content[name])) for name in content}
    except MemoryError:
        raise
    except Exception as error:  # errors of zip files, compression and headers have no common base
        if isinstance(error, OSError) and error.errno is not None:
            raise
        got = str(error) or type(error).__name__
        raise InputError([f"{path}: expected a .npy or .npz file, got {got}"]) from error


def _native(array):
    """Returns an array in the machine's byte order."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _named(argument):
    name, is_named, path = argument.partition("=")
    return (name, path) if is_named else ("", name)


def in_order(given, names):
    """Returns the arrays of `given` in the order of the inputs `names`.

    Raises:
      InputError: some are missing or left over; the error lists all of them.
    """
    given, result, missing = dict(given), [], []
    for position, name in enumerate(names):
        key = name if name in given else position
        if key in given:
            result.append(given.pop(key))
        else:
            missing.append(f"input '{name or position}': expected an array, got none")
    known = ", ".join(repr(name) if name else f"file {position} by position" for position, name in enumerate(names))
    left_over = [f"input '{key}': expected one of {known or 'no inputs'}" for key in given]
    if missing or left_over:
        raise InputError(missing + left_over)
    return result


def write(path, arrays):
    """Writes pairs of a name and an array to an .npz file, whole or not at all.

    Raises:
      FileError: the file cannot be written.
    """

    def write_members(descriptor):
        taken = set()
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        with (
            os.fdopen(os.dup(descriptor), "wb") as file,
            zipfile.ZipFile(file if is_file else _Stream(file), "w") as archive,
        ):
            for name, array in arrays:
                with archive.open(_unique(_member(name), taken) + ".npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, array, allow_pickle=False)

    try:
        api.write_file(path, write_members)
    except FileError:
        raise
    except OSError as error:
        raise FileError([f"{path}: {error.strerror or error}"]) from error


class _Stream:
    """A device or a pipe, without the position that a device reports."""

    def __init__(self, file):
        self.write, self.flush = file.write, file.flush


# In bytes, of a name in a zip file.
_LONGEST_NAME = 32_000


def _member(name):
    """Returns a safe member name for a model's name: no path outside the folder where the file is unpacked."""
    encoded = name.encode(errors="surrogateescape")
    steps = name.split("/")
    is_path = all(steps) and not {".", ".."}.intersection(steps)
    if is_path and name.isprintable() and "\\" not in name and ":" not in steps[0][:2]:
        return name if len(encoded) <= _LONGEST_NAME else name[: _LONGEST_NAME // 4]
    return urllib.parse.quote(encoded[: _LONGEST_NAME // 4], safe=" ")


def _unique(name, taken):
    """Returns the name, with a number if it is taken, and marks the result as taken."""
    result, count = name, 1
    while result in taken:
        count += 1
        result = f"{name}_{count}"
    taken.add(result)
    return result


def describe(name, array):
    """Returns one line about an array: `output_0: float32 2x384, min -0.21, max 0.19`."""
    sizes = "x".join(map(str, array.shape)) or "scalar"
    line = f"{name}: {array.dtype} {sizes}"
    if array.size and np.issubdtype(array.dtype, np.number) and not np.iscomplexobj(array):
        line += f", min {array.min():.6g}, max {array.max():.6g}"
    return line
