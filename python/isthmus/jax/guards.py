"""Conditions between sizes for which a program of PyTorch is right: `torch.guards = ["s0 > s1", "(s0 % 2) == 0"]`."""

import ast
import math
import operator

# Longer texts and greater powers have no value: a file may say anything.
_MOST_TEXT, _MOST_POWER = 4096, 64


def _power(base, power):
    if abs(power) > _MOST_POWER or abs(base) >= 2**63:
        raise ValueError(f"{base} ** {power}")
    return base**power


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS = {
    "max": max,
    "min": min,
    "math.trunc": math.trunc,
    "math.floor": math.floor,
    "math.ceil": math.ceil,
    "torch.sym_float": float,
}


def holds(guard: str, symbols: dict[str, int]) -> bool | None:
    """Whether a guard holds for values of symbols; None if it has a symbol without a value, or another form.

    As Guard.h, which checks the programs of the JIT.
    """
    if len(guard) > _MOST_TEXT:
        return None
    try:
        return _value(ast.parse(guard, mode="eval").body, symbols)
    except (ArithmeticError, KeyError, SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        return None


def _value(node, symbols):
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return symbols[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, symbols)
        case ast.BinOp(left=left, op=kind, right=right):
            return _OPERATORS[type(kind)](_value(left, symbols), _value(right, symbols))
        case ast.Call(func=function, args=arguments, keywords=[]):
            return _FUNCTIONS[ast.unparse(function)](*(_value(each, symbols) for each in arguments))
        case ast.Compare(left=left, ops=[kind], comparators=[right]):
            return _COMPARISONS[type(kind)](_value(left, symbols), _value(right, symbols))
    raise ValueError(ast.unparse(node))
