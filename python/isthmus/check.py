"""Reports which nodes of a model lower to which targets, and why the others do not."""

import collections
import dataclasses
import functools
import json
import re
from collections.abc import Iterable
from typing import Unpack

from isthmus import ops
from isthmus.api import Module, OutputType
from isthmus.errors import UnsupportedError
from isthmus.graph import Graph, Node
from isthmus.options import LoweringOptions


@dataclasses.dataclass(frozen=True)
class TargetReport:
    """The result of lowering a model to one target.

    Attributes:
      target: the target's name.
      messages: every reason why it does not lower; empty if it does.
      causes: the same with each cause once, then the first thing to do.
      nodes: {op: number of its nodes that the messages name}.
      complete: whether every node was tried. If a step before the target's own
        fails, the result of the nodes that passed it is unknown.
      places: the place of the node that each message names, "" for none.
      advice: the first thing to do, or None.
    """

    target: str
    messages: list[str]
    causes: list[str]
    nodes: dict[str, int]
    complete: bool
    places: list[str] = dataclasses.field(default_factory=list)
    advice: str | None = None

    def result(self, node: Node) -> str:
        """Returns whether a node lowers: "yes", "no", or "?" if unknown."""
        if node.place in self._named:
            return "no"
        return "yes" if self.complete else "?"

    @functools.cached_property
    def _named(self):
        return set(self.places) - {""}

    def cell(self, op: str, count: int) -> str:
        """Returns whether the nodes of an op lower: "yes", "no", "2 of 3", or "?" if unknown.

        Args:
          op: the op's full name: "onnx.Conv".
          count: number of its nodes in the model.
        """
        failed = self.nodes.get(op, 0)
        if failed and (failed == count or not self.complete):
            return "no"
        if not self.complete:
            return "?"
        return f"{count - failed} of {count}" if failed else "yes"


@dataclasses.dataclass(frozen=True)
class Report:
    """The number of nodes of each op in a model, and the result per target.

    Attributes:
      ops: {the op's full name: number of its nodes}.
      targets: the results, in the order of the request.
      graph: the model.
    """

    ops: dict[str, int]
    targets: list[TargetReport]
    graph: Graph

    @property
    def lowers(self) -> bool:
        """Whether the model lowers to every target."""
        return not any(target.messages for target in self.targets)

    def to_json(self) -> str:
        """Returns {"ops": {op: nodes}, "targets": {target: {"lowers", "ops": {op: "yes" and so on}, "messages"}}}."""
        targets = {
            target.target: {
                "lowers": not target.messages,
                "ops": {op: target.cell(op, count) for op, count in sorted(self.ops.items())},
                "messages": target.messages,
            }
            for target in self.targets
        }
        return json.dumps({"ops": dict(sorted(self.ops.items())), "targets": targets}, indent=2)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, every_message: bool = False) -> str:
        """Returns the table, and below it per target its causes.

        Args:
          every_message: every message instead of each cause once.
        """
        rows = [("op", "nodes", *(target.target for target in self.targets))]
        for op, count in sorted(self.ops.items()):
            name = op.partition(".")[2]
            rows.append((name, str(count), *(target.cell(op, count) for target in self.targets)))
        lines = [f"nodes: {sum(self.ops.values())}, different ops: {len(self.ops)}", "", *ops.aligned(rows), ""]
        for target in self.targets:
            lines.append(f"{target.target}: {'does not lower' if target.messages else 'lowers'}")
            shown = target.messages if every_message else target.causes
            lines.extend("  " + text.replace("\n", "\n  ") for text in shown)
        return "\n".join(lines)


def _report(target, error, ops):
    if not error:
        return TargetReport(target, [], [], {}, complete=True)
    lengths = sorted({len(place) for place in ops}, reverse=True)

    def place_of(message):
        # The longest, as the place of a node without a name may be a prefix of others.
        return next((message[:length] for length in lengths if message[:length] in ops), "")

    places = [place_of(message) for message in error.messages]
    named = {place: ops[place] for place in places if place}
    steps = {step for message in error.messages for step in re.findall(r"no lowering to ([\w ]+) for '", message)}
    complete = steps == {target} and bool(named)
    nodes = collections.Counter(named.values())
    return TargetReport(target, error.messages, error.causes(), nodes, complete, places, error.advice)


def check(module: Module, targets: Iterable[OutputType | str], **options: Unpack[LoweringOptions]) -> Report:
    """Lowers a module to each of the targets and reports on all of its nodes.

    Args:
      module: a module from `import_model` or `load`, in the onnx or the torch dialect.
      targets: names of targets: `["linalg", "tosa"]`.
      options: see `Module.lower`.

    Raises:
      MissingPartError: this build omits a target.
    """
    graph = module.graph()
    ops = {node.place: node.op for node in graph.nodes if node.place}
    reports = []
    for target in targets:
        failure = None
        try:
            module.lower(target, **options)
        except UnsupportedError as error:
            failure = error
        reports.append(_report(target, failure, ops))
    return Report(collections.Counter(node.op for node in graph.nodes), reports, graph)
