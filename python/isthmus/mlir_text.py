"""Reads MLIR's generic form: the ops of a block with their values and types."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

_OPEN, _CLOSE = "([{<", ")]}>"
_VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
_RESULTS = re.compile(r"(%[\w$.-]+)(?::(\d+))? = ")
_BLOCK = re.compile(r"\^\w+(?:\((?P<arguments>.*)\))?:$")


def depths(text: str) -> Iterator[tuple[int, str, int]]:
    """Yields the place of each character outside of strings, the character, and how deep in brackets it is."""
    depth, place = 0, 0
    while place < len(text):
        character = text[place]
        if character == '"':
            place += 1
            while place < len(text) and text[place] != '"':
                place += 2 if text[place] == "\\" else 1
        elif text.startswith("->", place):
            place += 1
        elif character in _OPEN:
            yield place, character, depth
            depth += 1
        elif character in _CLOSE:
            depth -= 1
            yield place, character, depth
        else:
            yield place, character, depth
        place += 1


def split(text: str) -> list[str]:
    """Splits a list at its commas: "tensor<?xf32>, !torch.list<int>"."""
    parts, start = [], 0
    for place, character, depth in depths(text):
        if character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def bracketed(text: str, start: int) -> str:
    """Returns what is between the bracket at a place and the one that closes it."""
    for place, character, depth in depths(text[start:]):
        if depth == 0 and character in _CLOSE:
            return text[start + 1 : start + place]
    raise ValueError("expected a bracket that closes")


def values_in(text: str) -> list[str]:
    """Returns the values that a text names, each once: "%0", "%1#1". Strings name none."""
    return list(dict.fromkeys(_VALUE.findall(re.sub(r'"(?:[^"\\]|\\.)*"', '""', text))))


@dataclasses.dataclass(frozen=True)
class Op:
    """An op with its regions.

    Attributes:
      text: its lines.
      name: its name.
      results: pairs of a value and its type.
      blocks: those of its regions.
    """

    text: str
    name: str
    results: list[tuple[str, str]]
    blocks: list[Block]

    def uses(self) -> list[str]:
        """Returns the values from outside that it uses, each once, those of its regions too."""
        own = {value for value, _ in self.results}
        for block in self.blocks:
            own |= block.values()
        return [value for value in values_in(self.text) if value not in own and value not in _heads(own)]


def _heads(values):
    """The names of groups of results: "%0" of "%0#1"."""
    return {value.partition("#")[0] for value in values if "#" in value}


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of a region: its arguments, pairs of a value and its type, and its ops."""

    arguments: list[tuple[str, str]]
    ops: list[Op]

    def values(self) -> set[str]:
        """Returns the values that its arguments and its ops define, those of their regions too."""
        found = {value for value, _ in self.arguments}
        for op in self.ops:
            found |= {value for value, _ in op.results}
            for block in op.blocks:
                found |= block.values()
        return found


def parse(text: str) -> list[Op]:
    """Reads a program in the generic form, as MLIR prints it: an op on a line, and two more spaces in each region.

    Raises:
      ValueError: it has another form.
    """
    lines = text.split("\n")
    # What follows is not of the program: resources.
    end = next((number for number, line in enumerate(lines) if line.startswith("{-#")), len(lines))
    (block,) = _blocks(lines[:end], 1, 0) or [Block([], [])]
    return block.ops


def _blocks(lines, first, indent):
    """Reads the lines of a region."""
    blocks = [Block([], [])]
    number, end = 0, " " * indent + "}"
    while number < len(lines):
        line = lines[number]
        if not line.strip() or line.lstrip().startswith(("//", "#", "!")):
            number += 1
            continue
        if match := _BLOCK.match(line.strip().partition("  //")[0].strip()):
            arguments = [part.partition(":") for part in split(match["arguments"] or "")]
            if blocks[-1].ops or blocks[-1].arguments:
                blocks.append(Block([], []))
            blocks[-1].arguments.extend((name.strip(), kind.strip()) for name, _, kind in arguments)
            number += 1
            continue
        last = number
        while lines[last].endswith(("({", "}, {")):
            # The region ends at the next line with a bracket and the indentation of the op.
            last = next((later for later in range(last + 1, len(lines)) if lines[later].startswith(end)), None)
            if last is None:
                raise ValueError(f"expected the end of an op, line {first + number}")
        blocks[-1].ops.append(_op(lines[number : last + 1], first + number, indent))
        number = last + 1
    return blocks


def _op(lines, first, indent):
    text = "\n".join(lines).strip()
    head = _RESULTS.match(text)
    name = re.compile(r'"([\w.$-]+)"\(').match(text, head.end() if head else 0)
    if not name:
        raise ValueError(f"expected an op in the generic form, line {first}")
    colon = None
    for place, character, depth in depths(text):
        if character == ":" and depth == 0 and text.startswith(": (", place):
            colon = place
    if colon is None:
        raise ValueError(f"expected the type of an op, line {first}")
    arguments = bracketed(text, colon + 2)
    _, _, kinds = text[colon + 2 + len(arguments) + 2 :].partition("-> ")
    kinds = split(bracketed(kinds, 0) if kinds.startswith("(") else kinds)
    results = []
    if head:
        count = int(head[2] or 1)
        names = [f"{head[1]}#{number}" for number in range(count)] if head[2] else [head[1]]
        results = list(zip(names, kinds, strict=True))
    blocks, start = [], None
    for number, line in enumerate(lines):
        is_end = line.startswith(" " * indent + "}")
        if is_end and start is not None:
            blocks += _blocks(lines[start:number], first + start, indent + 2)
        if (is_end or number == 0) and line.endswith(("({", "}, {")):
            start = number + 1
    return Op(text, name[1], results, blocks)
