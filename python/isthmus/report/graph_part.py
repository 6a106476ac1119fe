"""The part of a page with the graph: the nodes folded by their modules, with the targets that each lowers to."""

from isthmus.check import Report
from isthmus.graph import Value
from isthmus.report.causes import Group as CauseGroup
from isthmus.report.markup import Html, badge, fold, joined, name, table, tag
from isthmus.report.module_tree import Group, label_of, tree_of
from isthmus.report.numbers import counted, rounded

# Nodes in one table. More are split into parts, which are folded.
_MOST_ROWS = 100
_MOST_OUTPUTS = 4


def render(report: Report, groups: dict[str, list[CauseGroup]]) -> Html:
    """Returns the part.

    Args:
      report: the result of the check.
      groups: the causes of each target, which the rows of nodes link to.
    """
    if not report.graph.nodes:
        return tag("p", "The program has no nodes: it is lowered already.")
    intro = tag(
        "p",
        "Open a module to see its nodes. A node that lowers to every target says so; another names the targets that it "
        "does not lower to, with a link to the cause.",
    )
    return joined(intro, _Tree(report, groups).render())


class _Tree:
    def __init__(self, report, groups):
        self._graph, self._targets = report.graph, report.targets
        self._causes = {}
        for target, mine in groups.items():
            for group in mine:
                for place in group.places:
                    self._causes.setdefault((target, place), group.key)
        self._failed = [
            {target.target for target in self._targets if target.result(node) == "no"} for node in self._graph.nodes
        ]
        self._unknown = [
            {target.target for target in self._targets if target.result(node) == "?"} for node in self._graph.nodes
        ]
        self._parameters = [sum(weight.elements or 0 for weight in weights) for weights in self._graph.own_weights]

    def render(self):
        root = tree_of(self._graph.nodes)
        return tag("div", self._content(root, is_root=True), class_="tree")

    def _content(self, group, is_root=False):
        parts = []
        if len(group.nodes) > _MOST_ROWS:
            for first in range(0, len(group.nodes), _MOST_ROWS):
                places = group.nodes[first : first + _MOST_ROWS]
                title = tag("span", f"nodes {first + 1:,} to {first + len(places):,}", class_="label")
                parts.append(fold(self._summary([title], places), self._rows(places)))
        elif group.nodes:
            parts.append(self._rows(group.nodes))
        parts += [self._group(inner, is_open=is_root and len(group.groups) == 1) for inner in group.groups.values()]
        return parts

    def _group(self, group: Group, is_open: bool = False) -> Html:
        kind = group.kind.rpartition(".")[2]
        title = [name(group.label, class_="label"), *([" ", name(kind, class_="kind")] if kind else [])]
        return fold(self._summary(title, group.all_nodes()), *self._content(group), is_open=is_open)

    def _summary(self, title, places):
        facts = [counted(len(places), "node")]
        if parameters := sum(self._parameters[place] for place in places):
            facts.append(f"{rounded(parameters)} parameters")
        badges = []
        for target in self._targets:
            failed = sum(target.target in self._failed[place] for place in places)
            unknown = sum(target.target in self._unknown[place] for place in places)
            if failed:
                badges += [" ", badge("bad", f"{target.target}: {failed:,} of {len(places):,} do not lower")]
            elif unknown:
                badges += [" ", badge("unknown", f"{target.target}: unknown")]
        return [*title, " ", tag("span", ", ".join(facts), class_="facts"), *badges]

    def _rows(self, places):
        header = ["node", "outputs", "result"]
        rows = [[self._title(place), self._outputs(place), self._result(place)] for place in places]
        return table(f"Nodes {places[0] + 1:,} to {places[-1] + 1:,}", header, rows)

    def _title(self, place):
        node = self._graph.nodes[place]
        label = label_of(node) or node.place.strip(": ")
        op = tag("span", node.op.partition(".")[2] or node.op, class_="op")
        return tag("span", *([name(label), " "] if label else []), op, id=f"node-{place}")

    def _outputs(self, place):
        outputs = self._graph.nodes[place].outputs
        shown = [typed(each) for each in outputs[:_MOST_OUTPUTS]]
        return "; ".join(shown) + (f" and {len(outputs) - len(shown)} more" if len(outputs) > len(shown) else "")

    def _result(self, place):
        failed, unknown = self._failed[place], self._unknown[place]
        if not failed and not unknown:
            return badge("good", "lowers")
        parts = []
        for target in (each.target for each in self._targets):
            if target in failed:
                word = badge("bad", f"not to {target}")
                key = self._causes.get((target, self._graph.nodes[place].place))
                parts += [tag("a", word, href=f"#{key}") if key else word, " "]
            elif target in unknown:
                parts += [badge("unknown", f"{target}: unknown"), " "]
        return joined(parts)


def typed(value: Value) -> str:
    """Returns the shape and the dtype of a value: "1 x ? x 8 f32"."""
    return value.dtype if value.sizes is None else f"{value.shape} {value.dtype}"
