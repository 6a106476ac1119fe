"""A module in a notebook: its signature, and how many ops of which dialects it has."""

import collections

from isthmus.api import Module
from isthmus.report import values_part
from isthmus.report.markup import Html, fold, joined, name, table, tag
from isthmus.report.numbers import counted

_MOST_OPS = 50

# Each program has them, whatever it is.
_EVERYWHERE = {"builtin", "func"}


def render(module: Module) -> Html:
    """Returns an element for a page that is not ours, so it has no styles."""
    counts = {op: count for op, count in module.count_ops().items() if op.partition(".")[0] not in _EVERYWHERE}
    dialects: collections.Counter[str] = collections.Counter()
    for op, count in counts.items():
        dialects[op.partition(".")[0]] += count
    listed = ", ".join(dialect for dialect, _ in dialects.most_common()) or "no ops"
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [[name(op), f"{count:,}"] for op, count in largest[:_MOST_OPS]]
    title = counted(sum(counts.values()), "op")
    if len(largest) > len(rows):
        title += f", the {len(rows)} most frequent of {len(largest)} kinds"
    return tag(
        "div",
        tag("p", tag("b", "isthmus.Module"), joined(" of ", listed)),
        values_part.signature(module.graph()),
        fold([title], table("Ops", ["op", "number"], rows, numbers=(1,))),
    )
