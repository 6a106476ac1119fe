"""Compiled programs: converts arrays between the model's dtypes and those of native code."""

import dataclasses
import functools

from isthmus.errors import BadModelError, InputError


@dataclasses.dataclass(frozen=True)
class Parameter:
    """An input or output: its name in the model, the program's dtype and the model's dtype."""

    name: str
    stored: str
    dtype: str


class Program:
    """The first function of a module as native code."""

    def __init__(self, native):
        self._native = native
        self._function = native.functions()[0]
        inputs, outputs = native.signature(self._function)
        self.inputs = [Parameter(*each) for each in inputs]
        self.outputs = [Parameter(*each) for each in outputs]
        self.is_stateful = native.is_stateful()
        if findings := [
            f"'{each.name}': expected a dtype that NumPy has, got {each.dtype}"
            for each in self.inputs + self.outputs
            if each.dtype != each.stored and not _is_dtype(each.dtype)
        ]:
            raise BadModelError(findings)
        self._plain = [_plain_dtype(each) for each in self.inputs]

    def run(self, arrays):
        """Runs the function on a sequence of array-likes; see `Module.run`."""

        arrays, findings = list(arrays), []
        for i, (value, parameter, plain) in enumerate(zip(arrays, self.inputs, self._plain)):
            try:
                array = _reader_of(type(value))(value)
                arrays[i] = array if plain is not None and array.dtype == plain else _stored(array, parameter)
            except ValueError as error:
                name = f" ('{parameter.name}')" if parameter.name else ""
                findings.append(f"argument {i}{name}: {error}")
        if findings:
            raise InputError(findings)
        results = self._native.run(self._function, arrays)
        return [_meant(result, parameter) for result, parameter in zip(results, self.outputs)]


def _is_dtype(name):
    import numpy as np

    try:
        np.dtype(name)
    except (TypeError, ValueError):
        return False
    return True


def _plain_dtype(parameter):
    """Returns the dtype whose arrays the program takes as they are; None for an input whose arrays may be converted."""
    import numpy as np

    is_plain = parameter.stored == parameter.dtype and _is_dtype(parameter.dtype)
    return np.dtype(parameter.dtype) if is_plain else None


@functools.cache
def _reader_of(kind):
    """Returns the function from an array-like of a type to an array; ValueError for a tensor that NumPy cannot view."""
    import numpy as np

    if kind.__module__.partition(".")[0] != "torch":
        return np.asarray
    from isthmus import pytorch

    return pytorch.to_array


def _stored(array, parameter):
    """Returns the array in the dtype that the program stores; ValueError if its dtype or values do not fit."""
    import numpy as np

    if array.dtype.name == parameter.stored == parameter.dtype:
        return array
    if array.dtype.kind not in "iu" or "int" not in parameter.dtype:
        # For other dtypes, the program accepts only its own, and reports errors itself.
        return array.astype(parameter.stored) if array.dtype.name == parameter.dtype else array
    meant, stored = np.dtype(parameter.dtype), np.dtype(parameter.stored)
    is_sign_alone = meant.itemsize == stored.itemsize  # an i8 holds the bits of a uint8
    is_own = array.dtype == meant or (array.dtype == stored and not is_sign_alone)
    if not is_own and array.itemsize <= meant.itemsize:
        raise ValueError(f"expected {meant}, got {array.dtype}")
    narrow = stored if stored.itemsize < meant.itemsize else meant
    if array.dtype != narrow:
        limits, low, high = np.iinfo(narrow), array.min(initial=0), array.max(initial=0)
        if low < limits.min or high > limits.max:
            raise ValueError(f"expected integers that fit {narrow}, got {low} to {high}")
        array = array.astype(narrow)
    return array.view(stored) if is_sign_alone else array.astype(stored, copy=False)


def _meant(array, parameter):
    """Returns a result in the model's dtype."""
    import numpy as np

    if parameter.stored == parameter.dtype:
        return array
    dtype = np.dtype(parameter.dtype)
    is_sign_alone = array.dtype.kind in "iu" and dtype.kind in "iu" and array.itemsize == dtype.itemsize
    return array.view(dtype) if is_sign_alone else array.astype(dtype)
