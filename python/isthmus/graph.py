"""The graph of a program: its inputs, outputs, weights and nodes, and which node uses what."""

import dataclasses
import math
from typing import Any


@dataclasses.dataclass(frozen=True)
class Value:
    """A value of a program.

    Attributes:
      id: distinguishes it from the program's other values.
      name: its name in the model; "" if it has none.
      dtype: in MLIR's spelling: "f32"; the whole type of what is no tensor.
      bits: the size of an element; 0 if unknown.
      sizes: ["1", "batch", "?"], where "?" has no name in the file; None if the rank is unknown.
    """

    id: int
    name: str
    dtype: str
    bits: int
    sizes: list[str] | None

    @property
    def shape(self) -> str:
        """The sizes as text: "1 x batch x ?", or "scalar"."""
        if self.sizes is None:
            return "unknown"
        return " x ".join(self.sizes) or "scalar"

    @property
    def elements(self) -> int | None:
        """The number of elements; None if it is known only at run time."""
        # A name in an untrusted model may be digits without end.
        if self.sizes is None or not all(size.isdecimal() and len(size) < 20 for size in self.sizes):
            return None
        return math.prod(map(int, self.sizes))

    @property
    def bytes(self) -> int:
        """The size of the elements, packed; 0 if unknown."""
        return -(-(self.elements or 0) * self.bits // 8)


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of an ONNX graph, or an operator of a PyTorch program.

    Attributes:
      op: the full name: "onnx.Conv".
      name: its name in the model; "" if it has none.
      place: the prefix of messages about it: "model.onnx: node 'Conv_0': ".
      scopes: the modules or functions around it, outermost first, as pairs of a class and a path:
        ("torch.nn.modules.conv.Conv2d", "encoder.conv").
      inputs: the ids of the values that it uses.
      outputs: the values that it makes.
    """

    op: str
    name: str
    place: str
    scopes: list[tuple[str, str]]
    inputs: list[int]
    outputs: list[Value]


@dataclasses.dataclass(frozen=True)
class Graph:
    """The graph of a program.

    Attributes:
      inputs, outputs: those of the first function, in order.
      weights: the constants that are tensors, in order.
      nodes: the nodes, including those in subgraphs, in order; a lowered program has none.
    """

    inputs: list[Value]
    outputs: list[Value]
    weights: list[Value]
    nodes: list[Node]

    @classmethod
    def from_native(cls, graph: dict[str, Any]) -> "Graph":
        """Returns the graph that the native module describes."""

        def values(each):
            return [Value(**value) for value in each]

        nodes = [
            Node(**node | {"scopes": [tuple(scope) for scope in node["scopes"]], "outputs": values(node["outputs"])})
            for node in graph["nodes"]
        ]
        return cls(values(graph["inputs"]), values(graph["outputs"]), values(graph["weights"]), nodes)

    @property
    def own_weights(self) -> list[list[Value]]:
        """The weights of each node, in the order of the nodes. A weight belongs to the first node that uses it."""
        free = {weight.id: weight for weight in self.weights}
        return [[free.pop(id) for id in dict.fromkeys(node.inputs) if id in free] for node in self.nodes]
