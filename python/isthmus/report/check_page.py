"""The page of `isthmus check`: which nodes of a model lower to which targets, and why the others do not."""

from isthmus.check import Report, TargetReport
from isthmus.report import causes, graph_part, values_part
from isthmus.report.markup import Html, argument, badge, command, joined, name, page, table, tag
from isthmus.report.numbers import counted

# Advice where the findings give none.
_READ = (
    "read the causes: each says what was expected. Cut the model between two tensors to look at a part of it "
    "(docs/debugging.md, Reducing a model)"
)

_WORDS = {"yes": ("good", "lowers"), "no": ("bad", "does not lower"), "?": ("unknown", "unknown")}


def render(report: Report, model: str) -> str:
    """Returns the page.

    Args:
      report: the result of `isthmus.check.check`.
      model: the path of the model, for titles and for commands.
    """
    groups = {target.target: causes.grouped(target) for target in report.targets}
    sections = [
        ("targets", "Targets", _targets(report, groups)),
        ("next", "What to do next", _next(report, model)),
        ("causes", "Why nodes do not lower", causes.render(report, groups)),
        ("graph", "Graph", graph_part.render(report, groups)),
        ("ops", "Ops", _ops(report)),
        ("signature", "Inputs and outputs", values_part.signature(report.graph)),
        ("weights", "Weights", values_part.weights(report.graph)),
    ]
    if report.lowers:
        sections = [section for section in sections if section[0] != "causes"]
    facts = f"{counted(len(report.graph.nodes), 'node')}, {counted(len(report.ops), 'different op')}"
    verdict = [
        tag("p", [_verdict(target) for target in report.targets], class_="verdict"),
        tag("p", facts),
    ]
    return page(f"check {model}", verdict, sections)


def _verdict(target):
    kind, word = _WORDS["no" if target.messages else "yes"]
    return joined(badge(kind, f"{target.target}: {word}"), " ")


def _targets(report, groups):
    rows = []
    for target in report.targets:
        results = [target.result(node) for node in report.graph.nodes]
        counts = [f"{results.count(result):,}" for result in ("yes", "no", "?")]
        reasons = len(groups[target.target])
        reason = tag("a", counted(reasons, "cause"), href=f"#{causes.key_of(target.target)}") if reasons else "none"
        rows.append([target.target, *counts, reason])
    header = ["target", "lower", "do not", "unknown", "causes"]
    notes = []
    if any(not target.complete for target in report.targets):
        notes.append(tag("p", "A node is unknown if the lowering ended in an earlier step, before it was judged."))
    return joined(table("Nodes that lower to each target", header, rows, numbers=(1, 2, 3)), notes)


def _next(report, model):
    file = argument(model)
    advice: dict[str, list[str]] = {}
    for target in report.targets:
        if target.messages:
            advice.setdefault(target.advice or _READ, []).append(target.target)
    items = [tag("li", tag("b", ", ".join(targets)), ": ", text) for text, targets in advice.items()]
    parts = [tag("ul", items)] if items else []
    if good := next((target.target for target in report.targets if not target.messages), None):
        parts.append(tag("p", "Write the program, and compare it with its reference:"))
        parts.append(command("isthmus compile", file, "--target", good, "-o", f"model.{good}.mlir"))
        if good in ("linalg", "tosa"):
            parts.append(command("isthmus verify", file, "--target", good))
    return joined(parts)


def _ops(report: Report) -> Html:
    """The table of the command."""

    def cell(target: TargetReport, op: str, count: int) -> Html:
        text = target.cell(op, count)
        return badge({"yes": "good", "?": "unknown"}.get(text, "bad"), text)

    rows = [
        [name(op.partition(".")[2]), f"{count:,}", *(cell(target, op, count) for target in report.targets)]
        for op, count in sorted(report.ops.items())
    ]
    return table("Ops", ["op", "nodes", *(target.target for target in report.targets)], rows, numbers=(1,))
