"""Parts of ONNX graphs as models: some of the nodes, with inputs for the tensors that the others compute."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto, TypeProto, helper

# Where a graph is: pairs of a node's place in its graph and the name of the attribute with the next graph.
Path = tuple[tuple[int, str], ...]
Weight: TypeAlias = TensorProto | SparseTensorProto


def subgraphs(node: NodeProto) -> Iterator[tuple[str, GraphProto]]:
    """Yields the graphs of a node, such as the branches of an If, by their attribute's name."""
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.name, attribute.g


def used_by(node: NodeProto) -> list[str]:
    """Returns the names that a node uses from outside: its inputs, and what its graphs capture; each once."""
    names = dict.fromkeys(node.input)
    for _, graph in subgraphs(node):
        own = {value.name for value in graph.input} | {_name_of(weight) for weight in _weights(graph)}
        own.update(name for inner in graph.node for name in inner.output)
        for inner in graph.node:
            names.update(dict.fromkeys(name for name in used_by(inner) if name not in own))
    names.pop("", None)
    return list(names)


def _name_of(weight: Weight) -> str:
    return weight.values.name if isinstance(weight, SparseTensorProto) else weight.name


def _weights(graph: GraphProto) -> list[Weight]:
    return [*graph.initializer, *graph.sparse_initializer]


def type_of(weight: Weight) -> TypeProto:
    """Returns the type of a weight: its element type, and its dims as a shape."""
    element = weight.values.data_type if isinstance(weight, SparseTensorProto) else weight.data_type
    return helper.make_tensor_type_proto(element, list(weight.dims))


def byte_size(weight: Weight) -> int:
    """Returns the bytes that the elements of a weight take in a file, about."""
    if isinstance(weight, SparseTensorProto):
        return weight.values.ByteSize() + weight.indices.ByteSize()
    if weight.data_location == TensorProto.EXTERNAL:
        count = 1
        for dim in weight.dims:
            count *= dim
        return count * helper.tensor_dtype_to_np_dtype(weight.data_type).itemsize
    return weight.ByteSize()


def zeros(weight: TensorProto) -> SparseTensorProto:
    """Returns zeros of the type of a weight, which take no bytes."""
    return SparseTensorProto(
        values=TensorProto(name=weight.name, data_type=weight.data_type, dims=[0]),
        indices=TensorProto(data_type=TensorProto.INT64, dims=[0]),
        dims=weight.dims,
    )


def _types(graph: GraphProto, found: dict[str, TypeProto]) -> dict[str, TypeProto]:
    """Adds the known types of a graph's tensors to `found`, and those in the graphs of its nodes."""
    for value in [*graph.input, *graph.output, *graph.value_info]:
        if value.type.WhichOneof("value"):
            found.setdefault(value.name, value.type)
    for weight in _weights(graph):
        found.setdefault(_name_of(weight), type_of(weight))
    for node in graph.node:
        for _, inner in subgraphs(node):
            _types(inner, found)
    return found


@dataclasses.dataclass(frozen=True)
class Graph:
    """Some nodes of a model. Tensors that other nodes compute are inputs, and what no node uses is an output.

    Attributes:
      shell: the model without its graph: versions, functions.
      name: the graph's name.
      nodes: the nodes, in order.
      weights: the weights by name; unused ones are left out of the model.
      types: the types of tensors by name.
      inputs: the order of inputs; others follow in the order of their uses.
      outputs: names of tensors that are outputs if a node computes them.
      notes: names of tensors whose types the model states although a node computes
        them.
    """

    shell: ModelProto
    name: str
    nodes: tuple[NodeProto, ...]
    weights: Mapping[str, Weight]
    types: Mapping[str, TypeProto]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    notes: tuple[str, ...]

    @staticmethod
    def of(model: ModelProto, types: Mapping[str, TypeProto] | None = None) -> Graph:
        """Returns all nodes of a model.

        Args:
          model: the model.
          types: further types of tensors, such as inferred ones, by name.
        """
        graph = model.graph
        shell = ModelProto()
        shell.ir_version = model.ir_version
        shell.opset_import.extend(model.opset_import)
        shell.functions.extend(model.functions)
        weights = {_name_of(weight): weight for weight in _weights(graph)}
        return Graph(
            shell=shell,
            name=graph.name or "graph",
            nodes=tuple(graph.node),
            weights=weights,
            types=_types(graph, {}) | dict(types or {}),
            inputs=tuple(value.name for value in graph.input if value.name not in weights),
            outputs=tuple(value.name for value in graph.output),
            notes=tuple(value.name for value in graph.value_info),
        )

    def with_nodes(self, nodes: Iterable[NodeProto]) -> Graph:
        """Returns other nodes with the same tensors."""
        return dataclasses.replace(self, nodes=tuple(nodes))

    def with_weights(self, changed: Mapping[str, Weight | None]) -> Graph:
        """Returns the graph with other weights; None makes an input of a weight."""
        weights = {name: weight for name, weight in (dict(self.weights) | dict(changed)).items() if weight is not None}
        return dataclasses.replace(self, weights=weights)

    def used_weights(self) -> dict[str, Weight]:
        """Returns the weights that the nodes use, by name."""
        used = {name for node in self.nodes for name in used_by(node)}
        return {name: weight for name, weight in self.weights.items() if name in used}

    def enter(self, place: int, attribute: str) -> Graph:
        """Returns the nodes of a node's graph as a graph of their own; what they capture are inputs."""
        (inner,) = [graph for name, graph in subgraphs(self.nodes[place]) if name == attribute]
        return dataclasses.replace(
            self,
            nodes=tuple(inner.node),
            weights=dict(self.weights) | {_name_of(weight): weight for weight in _weights(inner)},
            types=_types(inner, {}) | dict(self.types),
            inputs=tuple(value.name for value in inner.input) + self.inputs,
            outputs=tuple(value.name for value in inner.output),
            notes=tuple(value.name for value in inner.value_info),
        )

    def inlined(self, place: int, attribute: str) -> Graph:
        """Returns the graph with the nodes of an If's branch in the place of the If."""
        node = self.nodes[place]
        inside = self.enter(place, attribute)
        ends = [
            helper.make_node("Identity", [theirs], [ours])
            for theirs, ours in zip(inside.outputs, node.output, strict=False)
            if ours
        ]
        nodes = self.nodes[:place] + inside.nodes + tuple(ends) + self.nodes[place + 1 :]
        return dataclasses.replace(self, nodes=nodes, weights=inside.weights, types=inside.types)

    def nodes_at(self, path: Path) -> list[NodeProto]:
        """Returns the nodes of the graph at a path."""
        nodes: Sequence[NodeProto] = self.nodes
        for place, attribute in path:
            nodes = dict(subgraphs(nodes[place]))[attribute].node
        return list(nodes)

    def with_nodes_at(self, path: Path, nodes: Sequence[NodeProto]) -> Graph:
        """Returns the graph with other nodes in the graph at a path.

        An output there that no node computes any more becomes the tensor of this name from outside.
        """
        if not path:
            return self.with_nodes(nodes)
        (place, _), *_ = path
        changed = NodeProto()
        changed.CopyFrom(self.nodes[place])
        inner, node = None, changed
        for depth, (_, attribute) in enumerate(path):
            inner = dict(subgraphs(node))[attribute]
            if depth + 1 < len(path):
                node = inner.node[path[depth + 1][0]]
        assert inner is not None
        _replace_nodes(inner, nodes)
        return self.with_nodes([*self.nodes[:place], changed, *self.nodes[place + 1 :]])

    def model(self) -> ModelProto | None:
        """Returns the model, or None if the type of a tensor that would be an input is unknown."""
        computed = {name for node in self.nodes for name in node.output if name}
        used = dict.fromkeys(name for node in self.nodes for name in used_by(node))
        needed = [name for name in used if name not in computed and name not in self.weights]
        places = {name: place for place, name in enumerate(self.inputs)}
        needed.sort(key=lambda name: places.get(name, len(places)))
        if any(name not in self.types for name in needed):
            return None
        results = [name for name in dict.fromkeys(self.outputs) if name in computed]
        shown = used.keys() | set(results)
        ends = [node for node in self.nodes if not any(name in shown for name in node.output)]
        for node in ends:
            results.extend([name for name in node.output if name in self.types][:1])
        if not results and ends:
            results.extend([name for name in ends[-1].output if name][:1])
        model = ModelProto()
        model.CopyFrom(self.shell)
        graph = model.graph
        graph.name = self.name
        graph.node.extend(self.nodes)
        graph.input.extend(helper.make_value_info(name, self.types[name]) for name in needed)
        makers = {name: node for node in self.nodes for name in node.output}
        graph.output.extend(helper.make_value_info(name, self._type_made_by(makers[name], name)) for name in results)
        weights = [(name, self.weights[name]) for name in used if name in self.weights and name not in computed]
        graph.initializer.extend(weight for _, weight in weights if isinstance(weight, TensorProto))
        graph.sparse_initializer.extend(weight for _, weight in weights if isinstance(weight, SparseTensorProto))
        if model.ir_version < 4:  # whose weights are inputs with a default
            graph.input.extend(helper.make_value_info(name, type_of(weight)) for name, weight in weights)
        noted = [name for name in dict.fromkeys(self.notes) if name in computed and name not in results]
        graph.value_info.extend(helper.make_value_info(name, self.types[name]) for name in noted if name in self.types)
        return model

    def _type_made_by(self, node: NodeProto, name: str) -> TypeProto:
        """Returns the type of a node's output, which ONNX requires of an output of the graph.

        If it is unknown, it is taken to be that of an input; if its rank is unknown, to be that of an input.
        """
        known = [self.types[each] for each in [name, *node.input] if each in self.types]
        ranks = [len(each.tensor_type.shape.dim) for each in known if each.tensor_type.HasField("shape")]
        if known and (not known[0].HasField("tensor_type") or known[0].tensor_type.HasField("shape") or not ranks):
            return known[0]
        element = known[0].tensor_type.elem_type if known else TensorProto.FLOAT
        return helper.make_tensor_type_proto(element, [None] * (ranks[0] if ranks else 0))


def _replace_nodes(graph: GraphProto, nodes: Sequence[NodeProto]) -> None:
    kept = [NodeProto.FromString(node.SerializeToString()) for node in nodes]
    own = {value.name for value in graph.input} | {_name_of(weight) for weight in _weights(graph)}
    computed = {name for node in kept for name in node.output} | own
    del graph.node[:]
    graph.node.extend(kept)
    for value in graph.output:
        if value.name not in computed:
            outside = value.name
            value.name = f"{outside}_here"
            graph.node.append(helper.make_node("Identity", [outside], [value.name]))
    notes = [note for note in graph.value_info if note.name in computed]
    del graph.value_info[:]
    graph.value_info.extend(notes)
    used = {name for node in graph.node for name in used_by(node)} | {value.name for value in graph.output}
    for field in (graph.initializer, graph.sparse_initializer):
        weights = [weight for weight in field if _name_of(weight) in used]
        del field[:]
        field.extend(weights)
