"""The parts of a page with a model's inputs, outputs and weights."""

from isthmus.graph import Graph
from isthmus.report.markup import Html, fold, joined, name, table, tag
from isthmus.report.numbers import counted, rounded, size

# The largest weights that a page lists.
_MOST_WEIGHTS = 100
_MOST_DTYPES = 50
_MOST_VALUES = 500


def signature(graph: Graph) -> Html:
    """Returns the part with inputs and outputs."""
    parts = []
    for title, values in (("Inputs", graph.inputs), ("Outputs", graph.outputs)):
        rows = [[_named(value.name), value.shape, value.dtype] for value in values[:_MOST_VALUES]]
        parts.append(table(title, ["name", "shape", "dtype"], rows))
        if len(values) > len(rows):
            parts.append(tag("p", f"and {counted(len(values) - len(rows), 'further value')}"))
    return joined(parts)


def weights(graph: Graph) -> Html:
    """Returns the part with weights, which says how large they are together, by dtype and each."""
    if not graph.weights:
        return tag("p", "The program has no weights.")
    by_dtype: dict[str, list] = {}
    for weight in graph.weights:
        by_dtype.setdefault(weight.dtype, []).append(weight)

    def bytes_of(values):
        return sum(value.bytes for value in values)

    def elements_of(values):
        return sum(value.elements or 0 for value in values)

    total = (
        f"{counted(len(graph.weights), 'weight')} of {rounded(elements_of(graph.weights))} elements, "
        f"{size(bytes_of(graph.weights))}. Constants of the graph count too."
    )
    dtypes = sorted(by_dtype.items(), key=lambda item: -bytes_of(item[1]))[:_MOST_DTYPES]
    rows = [[dtype, f"{len(values):,}", f"{elements_of(values):,}", size(bytes_of(values))] for dtype, values in dtypes]
    largest = sorted(graph.weights, key=lambda weight: -weight.bytes)[:_MOST_WEIGHTS]
    each = [[_named(weight.name), weight.shape, weight.dtype, size(weight.bytes)] for weight in largest]
    title = "all weights" if len(each) == len(graph.weights) else f"the {len(each)} largest weights"
    return joined(
        tag("p", total),
        table("Weights by dtype", ["dtype", "weights", "elements", "size"], rows, numbers=(1, 2, 3)),
        fold(
            [title],
            table("Weights by size", ["name", "shape", "dtype", "size"], each, numbers=(3,)),
            is_open=len(each) <= 10,
        ),
    )


def _named(text):
    return name(text) if text else tag("i", "no name")
