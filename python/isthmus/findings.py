"""Findings of a failed run, grouped by their cause.

One cause often fails many nodes: a size that is known only at run time stops each reshape that needs it. An error keeps
every finding and shows each cause once.
"""

import dataclasses
import itertools
import re
from collections.abc import Sequence

# "m.onnx: node 'Conv_0': …", "m.onnx: node 'Conv_0' (Conv-11): …" or "m.mlir:7:3: …".
_PLACED = re.compile(
    r"(?P<file>.*?)(?:(?:^|: )node '(?P<node>.*?)'(?: \((?P<kind>[\w.-]{1,80})\))?|:(?P<line>\d+:\d+)): (?P<text>.*)",
    re.S,
)
_LOWERING = re.compile(r"(?P<head>no lowering to [\w ]+ for )'(?P<op>[^']*)': (?P<reason>.*)", re.S)
# The part of a finding after "got" differs from node to node. Notes are on lines of their own.
_GOT = re.compile(r", got .*?(?=; |\n|$)")
# "result 1 'y'" of a function or a graph.
_NUMBERED = re.compile(r"\b(argument|input|output|result) \d+\b(?: '[^']*')?")
_SPECIALIZE = "; make sizes known with --specialize"
_NO_PATTERN = ": the op has no pattern yet"
_NO_INPUT = "expected a tensor of this name to give it a shape"

# Names in an untrusted model may have any length and any text. A finding longer than this is not grouped.
_MOST_LENGTH = 2000
_MOST_NODES = 5
_MOST_OPS = 4
_MOST_INPUTS = 4
_MOST_NAMES = 16
# Sizes that an example gives to the first dimension of an input and to the others.
_FIRST_SIZE, _OTHER_SIZE = "1", "128"


@dataclasses.dataclass
class Cause:
    """Findings that differ at most in their nodes, their ops, and what was got.

    Attributes:
      messages: the findings.
      nodes, ops: names from them, each once.
    """

    messages: list[str] = dataclasses.field(default_factory=list)
    nodes: dict[str, None] = dataclasses.field(default_factory=dict)
    ops: dict[str, None] = dataclasses.field(default_factory=dict)

    def __str__(self):
        first = self.messages[0]
        placed = _placed(first)
        if len(self.messages) == 1 or not placed:
            return first
        file = f"{placed['file']}: " if placed["file"] else ""
        kind = ("node" if placed["node"] is not None else "place") + ("s" if len(self.nodes) != 1 else "")
        return f"{file}{self.text}\n  {len(self.nodes)} {kind}: {_listed(list(self.nodes), _MOST_NODES)}"

    @property
    def text(self) -> str:
        """What the first finding says about all of the ops, without the place."""
        placed = _placed(self.messages[0])
        text = placed["text"] if placed else self.messages[0]
        if lowering := _LOWERING.match(text):
            ops = _listed([f"'{op}'" for op in self.ops], _MOST_OPS)
            text = f"{lowering['head']}{ops}: {lowering['reason']}"
        return text


def _placed(message):
    return _PLACED.match(message) if len(message) <= _MOST_LENGTH else None


def _listed(names, most):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def summarize(messages: list[str], advice: str | None = None) -> list[str]:
    """Returns a text for each cause, and the advice, which then need not stand beside each."""
    texts = [beside(advice, str(cause)) for cause in causes(messages)]
    return [*texts, advice] if advice else texts


def beside(advice: str | None, text: str) -> str:
    """Returns the text of a cause without what the advice says already."""
    return text.replace(_SPECIALIZE, "") if advice else text


def causes(messages: list[str]) -> list[Cause]:
    """Groups findings, in the order of each cause's first."""
    found: dict[tuple, Cause] = {}
    for message in messages:
        placed, lowering, reason = _parts(message)
        key = placed and placed["file"], lowering and lowering["head"], reason
        cause = found.setdefault(key, Cause())
        cause.messages.append(message)
        if placed:
            cause.nodes[placed["node"] if placed["node"] is not None else placed["line"]] = None
        if lowering:
            cause.ops[lowering["op"]] = None
    return list(found.values())


def _parts(message):
    """Returns the place and the lowering of a finding, None if it names none, and its reason without what was got."""
    placed = _placed(message)
    text = placed["text"] if placed else message
    lowering = _LOWERING.match(text)
    return placed, lowering, _GOT.sub("", lowering["reason"] if lowering else text) if placed else message


def identity(message: str) -> tuple:
    """Returns what two findings have in common if an op fails for one reason: the op, and the reason without the file,
    the node, the number of an argument or result, and what was got."""
    placed, lowering, reason = _parts(message)
    reason = _NUMBERED.sub(r"\1", _GOT.sub("", reason))
    return placed and placed["kind"], lowering and (lowering["head"], lowering["op"]), reason


def without_place(message: str) -> str:
    """Returns a finding without the names of the file and the node."""
    placed = _placed(message)
    return placed["text"] if placed else message


def line_of(message: str) -> int | None:
    """Returns the line of the text that a finding names, from 1, or None."""
    placed = _placed(message)
    return int(placed["line"].partition(":")[0]) if placed and placed["line"] else None


def node_of(message: str) -> str | None:
    """Returns the name of the node that a finding names, or None."""
    placed = _placed(message)
    return placed and placed["node"]


def advise(messages: list[str], open_inputs: list[tuple[str, list[str]]], inputs: Sequence[str] = ()) -> str | None:
    """Returns what to do first about findings, or None.

    Args:
      messages: the findings.
      open_inputs: inputs with sizes known only at run time: `[("input_ids", ["batch", "sequence"])]`.
      inputs: the names of all inputs that the program has names for.
    """
    if inputs and any(_NO_INPUT in message for message in messages):
        names = [f"'{name}'" for name in inputs]
        return f"the program has inputs {_listed(names, _MOST_NAMES)}"
    if open_inputs and any(_SPECIALIZE in message for message in messages):
        return _advise_sizes(open_inputs)
    if any(_NO_PATTERN in message for message in messages):
        return "carry the ops that have no pattern as custom ops: --custom-ops unsupported (docs/custom_ops.md)"
    return None


def _advise_sizes(open_inputs):
    shown = open_inputs[:_MOST_INPUTS]
    sizes = "; ".join(f"{name}: {', '.join(size for size in sizes if not size.isdigit())}" for name, sizes in shown)
    shapes = []
    for name, dims in shown:
        examples = itertools.chain([_FIRST_SIZE], itertools.repeat(_OTHER_SIZE))
        numbers = [size if size.isdigit() else example for size, example in zip(dims, examples)]
        shapes.append(f"--specialize {name}={'x'.join(numbers)}")
    more = "" if len(shown) == len(open_inputs) else " …"
    have = "1 input has" if len(open_inputs) == 1 else f"{len(open_inputs)} inputs have"
    return f"{have} sizes known only at run time ({sizes}{more}); make them known first: {' '.join(shapes)}{more}"
