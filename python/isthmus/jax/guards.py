"""Conditions between sizes for which a program of PyTorch is right: `torch.guards = ["s0 > s1", "(s0 % 2) == 0"]`."""

import ast
import math
import operator
from collections.abc import Callable

from isthmus.jax import expressions

# A greater power has no value.
_MOST_POWER = 64


def _power(base, power):
    if abs(power) > _MOST_POWER or abs(base) >= 2**63:
        raise ValueError(f"{base} ** {power}")
    return base**power


_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable] = {
    "max": max,
    "min": min,
    "math.trunc": math.trunc,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "torch.sym_float": float,
}
_GRAMMAR = expressions.Grammar(
    numbers=(int, float),
    operators=expressions.INTEGER_OPERATORS | {ast.Div: operator.truediv, ast.Pow: _power},
    comparisons=_COMPARISONS,
    functions=_FUNCTIONS,
)


def holds(guard: str, symbols: dict[str, int]) -> bool | None:
    """Whether a guard holds for values of symbols; None if it has a symbol without a value, or another form.

    As Guard.h, which checks the programs of the JIT.
    """
    try:
        return expressions.evaluate(guard, symbols.__getitem__, _GRAMMAR)
    except (KeyError, ValueError):
        return None
