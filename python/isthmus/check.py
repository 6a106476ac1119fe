"""Says which nodes of a model lower to which targets, and why the others do not."""

import collections
import dataclasses
import re

from isthmus.errors import UnsupportedError


@dataclasses.dataclass(frozen=True)
class TargetReport:
    """What became of a model on its way to one target.

    Attributes:
      messages: every reason why it does not lower; none if it does.
      nodes: {op: how many of its nodes the messages name}.
      complete: whether every node was tried. Where a step before the target's own
        fails, nobody knows how the nodes fare that came through it.
    """

    target: str
    messages: list[str]
    nodes: dict[str, int]
    complete: bool

    def cell(self, op: str, count: int) -> str:
        """Returns whether the nodes of an op lower: "yes", "no", "2 of 3" or, where it is not known, "?"."""
        failed = self.nodes.get(op, 0)
        if failed and (failed == count or not self.complete):
            return "no"
        if not self.complete:
            return "?"
        return f"{count - failed} of {count}" if failed else "yes"


@dataclasses.dataclass(frozen=True)
class Report:
    """How often each op occurs in a model, and what became of it per target."""

    ops: dict[str, int]
    targets: list[TargetReport]

    @property
    def lowers(self) -> bool:
        return not any(target.messages for target in self.targets)

    def rows(self):
        """Returns the table of ops against targets, its header first."""
        yield ("op", "nodes", *(target.target for target in self.targets))
        for op, count in sorted(self.ops.items()):
            name = op.partition(".")[2]
            yield (name, str(count), *(target.cell(op, count) for target in self.targets))


def _report(target, messages, nodes):
    named = {}  # places that some message begins with
    for message in messages:
        # One place begins another only if the shorter one is no place of a node.
        named.update((place, op) for op, place in nodes if place and message.startswith(place))
    steps = {step for message in messages for step in re.findall(r"no lowering to ([\w ]+) for '", message)}
    last = {"stablehlo": "mhlo"}.get(target, target)
    complete = not messages or (steps == {last} and bool(named))
    return TargetReport(target, messages, collections.Counter(named.values()), complete)


def check(module, targets, **options) -> Report:
    """Lowers a module to each of the targets and reports on all of its nodes.

    Args:
      module: what `import_onnx` or `load` gave.
      targets: names of targets.
      options: see `Module.lower`.

    Raises:
      MissingPartError: this build leaves a target out.
    """
    nodes = module.nodes()
    reports = []
    for target in targets:
        messages = []
        try:
            module.lower(target, **options)
        except UnsupportedError as error:
            messages = error.messages
        reports.append(_report(target, messages, nodes))
    return Report(collections.Counter(op for op, _ in nodes), reports)
