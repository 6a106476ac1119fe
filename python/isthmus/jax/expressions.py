"""Arithmetic in Python's syntax, as files have it for sizes, without Python's own evaluation: a file may say anything."""

import ast
import dataclasses
import operator
from collections.abc import Callable, Mapping
from typing import Any

# A longer text has no value.
_MOST_TEXT = 4096

INTEGER_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


@dataclasses.dataclass(frozen=True)
class Grammar:
    """What a text may have besides symbols and negation.

    Attributes:
      numbers: the types of numbers.
      operators: functions of two operands, by the operator's class.
      comparisons: likewise, for a comparison of two operands.
      functions: functions by their full names.
      most_number: the largest number.
    """

    numbers: tuple[type, ...]
    operators: Mapping[Any, Callable]
    comparisons: Mapping[Any, Callable] = dataclasses.field(default_factory=dict)
    functions: Mapping[str, Callable] = dataclasses.field(default_factory=dict)
    most_number: float = float("inf")


def evaluate(text: str, value_of: Callable[[str], Any], grammar: Grammar) -> Any:
    """Returns the value of a text.

    Args:
      value_of: the value of a symbol; KeyError for one without a value.

    Raises:
      ValueError: the text is not of the grammar, or has no value.
      KeyError: from `value_of`.
    """
    if len(text) > _MOST_TEXT:
        raise ValueError
    try:
        return _evaluated(ast.parse(text, mode="eval").body, value_of, grammar)
    except (ArithmeticError, MemoryError, RecursionError, SyntaxError, TypeError) as error:
        raise ValueError from error


def _evaluated(node, value_of, grammar):
    def value(node):
        return _evaluated(node, value_of, grammar)

    match node:
        case ast.Constant(value=number) if isinstance(number, grammar.numbers) and not isinstance(number, bool):
            if number <= grammar.most_number:
                return number
        case ast.Name(id=name):
            return value_of(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -value(operand)
        case ast.BinOp(op=kind, left=left, right=right) if type(kind) in grammar.operators:
            return grammar.operators[type(kind)](value(left), value(right))
        case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in grammar.comparisons:
            return grammar.comparisons[type(kind)](value(left), value(right))
        case ast.Call(func=function, args=arguments, keywords=[]) if ast.unparse(function) in grammar.functions:
            return grammar.functions[ast.unparse(function)](*map(value, arguments))
    raise ValueError
