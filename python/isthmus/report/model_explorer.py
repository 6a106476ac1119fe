"""The graph of a model for Model Explorer, with the result of each node.

Source:
  https://github.com/google-ai-edge/model-explorer/wiki: a file of one graph collection, with the fields of graph_builder.py
"""

import json
from collections.abc import Sequence
from typing import Any

from isthmus.check import Report
from isthmus.graph import Value
from isthmus.report.module_tree import path_of

_WORDS = {"yes": "lowers", "no": "does not lower", "?": "unknown"}
_FAILED = {"backgroundColor": "#fde3e3", "borderColor": "#a01722", "hoveredBorderColor": "#a01722"}

# Model Explorer knows these labels, and hides weights at first.
_INPUTS, _OUTPUTS, _WEIGHT = "GraphInputs", "GraphOutputs", "Const"


def render(report: Report, model: str) -> str:
    """Returns the collection as JSON.

    Args:
      report: the result of `isthmus.check.check`.
      model: the name of the collection.
    """
    graph = report.graph
    sources: dict[int, tuple[str, int]] = {}  # of values: the node, and the number of its output
    for place, node in enumerate(graph.nodes):
        sources |= {value.id: (f"node-{place}", number) for number, value in enumerate(node.outputs)}
    sources |= {value.id: ("inputs", number) for number, value in enumerate(graph.inputs)}
    sources |= {value.id: (f"weight-{value.id}", 0) for value in graph.weights}

    def edges(ids):
        return [
            {
                "sourceNodeId": sources[id][0],
                "sourceNodeOutputId": str(sources[id][1]),
                "targetNodeInputId": str(number),
            }
            for number, id in enumerate(ids)
            if id in sources  # not an argument of a subgraph
        ]

    nodes = [_node("inputs", _INPUTS, outputs=graph.inputs)] if graph.inputs else []
    namespaces = ["/".join(label for label, _ in path_of(node)) for node in graph.nodes]
    homes = {weight.id: namespace for namespace, weights in zip(namespaces, graph.own_weights) for weight in weights}
    nodes += [
        _node(f"weight-{weight.id}", _WEIGHT, homes.get(weight.id, ""), [("name", weight.name)], outputs=[weight])
        for weight in graph.weights
    ]
    for place, (node, namespace) in enumerate(zip(graph.nodes, namespaces)):
        results = {target.target: target.result(node) for target in report.targets}
        attributes = [("name", node.name), ("op", node.op), *((key, _WORDS[word]) for key, word in results.items())]
        made = _node(
            f"node-{place}",
            node.op.partition(".")[2] or node.op,
            namespace,
            attributes,
            edges(node.inputs),
            node.outputs,
        )
        nodes.append(made | ({"style": _FAILED} if "no" in results.values() else {}))
    if graph.outputs:
        nodes.append(_node("outputs", _OUTPUTS, edges=edges(value.id for value in graph.outputs)))
    return json.dumps({"label": model, "graphs": [{"id": "main", "nodes": nodes}]}, indent=1)


def _node(
    id: str,
    label: str,
    namespace: str = "",
    attributes: Sequence[tuple[str, str]] = (),
    edges: Sequence[dict[str, str]] = (),
    outputs: Sequence[Value] = (),
) -> dict[str, Any]:
    return {
        "id": id,
        "label": label,
        "namespace": namespace,
        "attrs": [{"key": key, "value": value} for key, value in attributes],
        "incomingEdges": list(edges),
        "outputsMetadata": [
            {"id": str(number), "attrs": [{"key": key, "value": text} for key, text in _described(value)]}
            for number, value in enumerate(outputs)
        ],
    }


def _described(value):
    shape = "?" if value.sizes is None else ",".join(value.sizes)
    return [("tensor_shape", f"{value.dtype}[{shape}]"), *([("__tensor_tag", value.name)] if value.name else [])]
