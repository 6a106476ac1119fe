"""Sizes that are known when a function is called, as JAX's symbolic dimensions."""

import ast
import re

from jax import errors, export

from isthmus.errors import BadModelError
from isthmus.jax import expressions

# JAX assumes that a symbolic dimension is 1 or more, and compares them with Python's ints.
_LEAST, _MOST = 1, 2**31

# No size of a model has a greater power, and no error shows a longer text.
_MOST_POWER, _MOST_TEXT = 8, 80


def _power(base, power):
    if not isinstance(power, int) or not 0 <= power <= _MOST_POWER:
        raise ValueError(f"{base} ** {power}")
    return base**power


_GRAMMAR = expressions.Grammar(
    numbers=(int,), operators=expressions.INTEGER_OPERATORS | {ast.Pow: _power}, most_number=_MOST
)

# The functions in JAX's syntax of sizes.
_RESERVED = ("floordiv", "max", "min", "mod", "non_negative")


class Name(str):
    """A size that is a name, as in ONNX, and no expression whatever its text."""


class Sizes:
    """The symbols of a program: `isthmus.dim_params` of its inputs and results, with the ranges in `torch.ranges`.

    Args:
      ranges: the smallest and the largest value of each symbol.
    """

    def __init__(self, ranges):
        self._names = {}
        bounds = []
        for symbol, (least, most) in ranges.items():
            name = self._name_of(symbol)
            if least > _LEAST:
                bounds.append(f"{name} >= {least}")
            if most < _MOST:
                bounds.append(f"{name} <= {most}")
        self._scope = export.SymbolicScope(bounds)

    def of_input(self, text, name, dim):
        """Returns the size of a dim of an input.

        Args:
          text: see `isthmus.dim_params`; "" for a size of its own, which is named after the input and the dim.

        Raises:
          BadModelError: the text is no size.
        """
        return self._value(text) if text else self._symbol(f"{name} {dim}")

    def of_result(self, text):
        """Returns the size of a dim of a result; None if the text has none, or another symbol than the inputs."""
        try:
            return self._value(text, are_known=True) if text else None
        except KeyError:
            return None

    def _value(self, text, are_known=False):
        if isinstance(text, Name):
            return self._symbol(text, are_known)
        try:
            size = expressions.evaluate(text, lambda symbol: self._symbol(symbol, are_known), _GRAMMAR)
            if _is_negative(size):
                raise ValueError
        except ValueError:
            raise BadModelError([f"expected a size such as '2*s0+1', got {text[:_MOST_TEXT]!r}"]) from None
        return size

    def _symbol(self, symbol, is_known=False):
        if is_known and symbol not in self._names:
            raise KeyError(symbol)
        (size,) = export.symbolic_shape(self._name_of(symbol), scope=self._scope)
        return size

    def _name_of(self, symbol):
        """Returns a name that JAX takes, which is unique."""
        if symbol not in self._names:
            plain = re.sub(r"\W", "_", symbol.strip(), flags=re.ASCII)
            name = first = plain if plain[:1].isalpha() and plain not in _RESERVED else f"n_{plain}"
            number = 1
            while name in self._names.values():
                number += 1
                name = f"{first}_{number}"
            self._names[symbol] = name
        return self._names[symbol]


def _is_negative(size):
    """Whether a size is negative for all values of its symbols."""
    try:
        return not size >= 0
    except errors.InconclusiveDimensionOperation:
        return False
