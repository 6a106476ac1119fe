"""Sizes that are known when a function is called, as JAX's symbolic dimensions."""

import ast
import operator
import re

from jax import export

from isthmus.errors import BadModelError

# JAX assumes that a symbolic dimension is 1 or more, and compares them with Python's ints.
_LEAST, _MOST = 1, 2**31

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


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
          text: a symbol or an expression of symbols, `"2*s0+1"`; "" for a size of its own, which is named after the
            input and the dim.
        """
        return self._value(text) if text else self._symbol(f"{name} {dim}")

    def of_result(self, text):
        """Returns the size of a dim of a result; None if the text has none, or another symbol than the inputs."""
        try:
            return self._value(text, are_known=True) if text else None
        except KeyError:
            return None

    def _value(self, text, are_known=False):
        if not _is_expression(text):  # a name of ONNX, which may be any text
            return self._symbol(text, are_known)
        return self._evaluated(ast.parse(text, mode="eval").body, are_known)

    def _evaluated(self, node, are_known):
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                return self._symbol(name, are_known)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._evaluated(operand, are_known)
            case ast.BinOp(left=left, op=kind, right=right):
                return _OPERATORS[type(kind)](self._evaluated(left, are_known), self._evaluated(right, are_known))
        raise BadModelError([f"expected a size, got {ast.unparse(node)!r}"])

    def _symbol(self, symbol, is_known=False):
        if is_known and symbol not in self._names:
            raise KeyError(symbol)
        (size,) = export.symbolic_shape(self._name_of(symbol), scope=self._scope)
        return size

    def _name_of(self, symbol):
        """Returns a name that JAX takes, which is unique."""
        if symbol not in self._names:
            plain = re.sub(r"\W", "_", symbol.strip(), flags=re.ASCII)
            name = first = plain if plain[:1].isalpha() else f"n{plain}"
            number = 1
            while name in self._names.values():
                number += 1
                name = f"{first}_{number}"
            self._names[symbol] = name
        return self._names[symbol]


def _is_expression(text):
    try:
        parsed = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kinds = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.USub, ast.Name, ast.Load, ast.Constant, *_OPERATORS)
    return all(isinstance(node, kinds) for node in ast.walk(parsed))
