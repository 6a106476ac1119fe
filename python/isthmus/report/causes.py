"""The part of a page that says why nodes do not lower: each cause once, with its nodes and ops."""

import dataclasses

from isthmus import findings
from isthmus.check import Report, TargetReport
from isthmus.report.markup import Html, fold, joined, message, name, tag
from isthmus.report.numbers import counted

# Those beyond are only counted, as a page stays small.
_MOST_CAUSES = 300
_MOST_NODES = 200
_MOST_MESSAGES = 20


@dataclasses.dataclass(frozen=True)
class Group:
    """A cause of a target.

    Attributes:
      key: its anchor in the page.
      cause: the findings.
      text: what it says about all of its nodes.
      places: the places of their nodes, each once.
    """

    key: str
    cause: findings.Cause
    text: str
    places: list[str]


def key_of(target: str, number: int | None = None) -> str:
    """Returns the anchor of a target's causes, or of one of them."""
    return f"causes-{target}" if number is None else f"cause-{target}-{number}"


def grouped(target: TargetReport) -> list[Group]:
    """Returns the causes why a model does not lower to a target."""
    place_of = dict(zip(target.messages, target.places))
    groups = []
    for number, cause in enumerate(findings.causes(target.messages)):
        places = [place for place in dict.fromkeys(place_of[each] for each in cause.messages) if place]
        text = findings.beside(target.advice, cause.text.removeprefix(places[0] if places else ""))
        groups.append(Group(key_of(target.target, number), cause, text, places))
    return groups


def render(report: Report, groups: dict[str, list[Group]]) -> Html:
    """Returns the part: for each target its causes."""
    nodes: dict[str, list[int]] = {}
    for position, node in enumerate(report.graph.nodes):
        nodes.setdefault(node.place, []).append(position)
    parts = []
    for target in report.targets:
        mine = groups[target.target]
        if not mine:
            continue
        title = tag("h3", f"{target.target}: {counted(len(mine), 'cause')}", id=key_of(target.target))
        parts += [title, tag("ol", [_cause(each, nodes, report) for each in mine[:_MOST_CAUSES]])]
        if len(mine) > _MOST_CAUSES:
            parts.append(tag("p", f"and {counted(len(mine) - _MOST_CAUSES, 'further cause')}: --format json has all"))
    return joined(parts)


def _cause(group, nodes, report):
    cause = group.cause
    facts = [counted(len(cause.messages), "finding")]
    if len(cause.ops) > 1:
        facts.append(joined(counted(len(cause.ops), "op"), ": ", _listed([name(op) for op in cause.ops])))
    places = [place for each in group.places for place in nodes.get(each, ())]
    links = [tag("a", _name(report.graph.nodes[place]), href=f"#node-{place}") for place in places[:_MOST_NODES]]
    if not links:
        links = [name(each) for each in list(cause.nodes)[:_MOST_NODES] if each]
    count = len(places) or len(cause.nodes)
    parts = [message(group.text), tag("p", _between(facts, "; "), class_="facts")]
    if links:
        more = [f" and {count - len(links):,} more"] if count > len(links) else []
        parts.append(fold([counted(count, "node")], tag("p", _listed(links), *more), is_open=count <= 5))
    if len(cause.messages) > 1:
        shown = [tag("li", message(each)) for each in cause.messages[:_MOST_MESSAGES]]
        title = "findings" if len(cause.messages) <= _MOST_MESSAGES else f"first {_MOST_MESSAGES} findings"
        parts.append(fold([title], tag("ul", shown)))
    return tag("li", parts, id=group.key, class_="cause")


def _name(node):
    return name(node.name or node.place.strip(": ") or node.op)


def _listed(elements):
    return _between(elements, ", ")


def _between(elements, separator):
    return joined(*[part for each in elements for part in (separator, each)][1:])
