"""Makes the smallest part of an ONNX model that still fails in one way."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import onnx
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, checker, defs, external_data_helper, inliner

from isthmus import findings
from isthmus.errors import InputError
from isthmus.onnx_graphs import Graph, Path, byte_size, subgraphs, used_by, zeros
from isthmus.subsets import smallest

# Weights beyond this size are left out first.
_LARGE = 1024
# The most bytes of weights whose values are read, within the limit of protobuf.
_MOST_BYTES = 1 << 30


@dataclasses.dataclass(frozen=True)
class Failure:
    """How a model fails.

    Attributes:
      find: takes a model, and returns its first finding of the kind that is looked for;
        None if it fails in no such way.
      node: the name of the node in the whole model that is looked for; None for any.
    """

    find: Callable[[bytes], str | None]
    node: str | None


def reduce(path: str, failure: Failure, specialize: Mapping[str, Sequence[int]]) -> tuple[ModelProto, int] | None:
    """Returns the smallest model found that fails in the same way as the model in a file, and the file's nodes.

    None if no copy of the whole model does.

    Args:
      path: the file; its external data is read only if the failure needs it.
      failure: how it fails.
      specialize: sizes by the name of an input, which become those of the model's inputs.

    Raises:
      InputError: the package onnx does not read the file.
    """
    try:
        model = onnx.load(path, format="protobuf", load_external_data=False)
    except Exception as error:  # protobuf has classes of its own
        raise InputError([f"expected a model that the package onnx reads, got one that it does not: {error}"]) from None
    for value in model.graph.input:
        if value.name in specialize:
            shape = value.type.tensor_type.shape
            shape.Clear()
            for size in specialize[value.name]:
                shape.dim.add().dim_value = size
    small = _Reduction(model, path, failure).run()
    return small and (small, count_nodes(_flat(model) or model))


def count_nodes(model: ModelProto) -> int:
    """Returns the number of a model's nodes, with those in graphs of nodes."""
    return sum(1 for _ in _all_nodes(model.graph.node))


def _flat(model: ModelProto) -> ModelProto | None:
    """Returns a model with the bodies of its functions in the place of their calls; None if there is none."""
    if not model.functions:
        return None
    try:
        return inliner.inline_local_functions(model)
    except Exception:  # of onnx's C++, of any kind
        return None


def _inferred(model: ModelProto) -> dict[str, TypeProto]:
    """Returns the types of a model's tensors that ONNX's shape inference finds, also in graphs of nodes."""
    for with_values in (True, False):
        try:
            known = onnx.shape_inference.infer_shapes(model, data_prop=with_values)
        except Exception:  # as above; a model may violate its format
            continue
        return dict(Graph.of(known).types)
    return {}


def _checks(model: ModelProto) -> list[dict[str, bool]]:
    """Returns the arguments of ONNX's checker for a model that it accepts, the strictest; none if it accepts none."""
    for how in ({"full_check": True}, {"full_check": False}):
        if _is_valid(model, how):
            return [how]
    return []


def _is_valid(model: ModelProto, how: dict[str, bool]) -> bool:
    if model.graph.sparse_initializer:  # whose types the full check does not know
        how = {"full_check": False}
    try:
        checker.check_model(model, **how)
    except Exception:  # as above
        return False
    return True


class _Reduction:
    """One reduction. `graph` is the smallest found so far."""

    def __init__(self, model, path, failure):
        self.path, self.failure = path, failure
        self.checks = []
        self.graph = None
        self.model = model

    def run(self):
        if not self._start():
            return None
        self._cut()
        for _ in range(8):  # each step may enable another; a few rounds are enough
            before = self.graph
            self._remove_nodes()
            self._leave_graphs()
            self._bypass()
            self._shrink_graphs()
            if self.graph is before:
                break
        self._shrink_weights()
        self._simplify_nodes()
        self._shrink_outputs()
        self._forget()
        return self.graph.model()

    def _find(self, graph: Graph) -> str | None:
        """Returns the finding of a graph that is a valid model and fails in the same way, or None."""
        model = graph.model()
        if model is None or not all(_is_valid(model, how) for how in self.checks):
            return None
        return self.failure.find(model.SerializeToString())

    def _fails(self, graph: Graph) -> bool:
        return self._find(graph) is not None

    def _persists(self, rest: Callable[[list[int]], Graph], kept: list[int]) -> bool:
        return self._fails(rest(kept))

    def _take(self, graph: Graph) -> bool:
        """Goes on with a graph if it fails in the same way."""
        if not self._fails(graph):
            return False
        self.graph = graph
        return True

    # ----- The whole model

    def _start(self):
        """Finds a form of the whole model that fails alike: without functions, and without large weights."""
        for model in filter(None, (_flat(self.model), self.model)):
            whole = Graph.of(model)
            large = {name: weight for name, weight in whole.weights.items() if byte_size(weight) > _LARGE}
            light = whole.with_weights(
                {name: self._read(weight) for name, weight in whole.weights.items() if name not in large}
                | dict.fromkeys(large)
            )
            if (model := light.model()) is None:
                continue
            self.checks = _checks(model)
            light = dataclasses.replace(light, types=dict(light.types) | _inferred(model))
            # As inputs, weights have no values; as zeros, they are constants still.
            dense = {name: weight for name, weight in large.items() if isinstance(weight, TensorProto)}
            constant = light.with_weights({name: zeros(weight) for name, weight in dense.items()})
            if self._take(light) or (dense and self._take(constant)):
                return True
            if large and self._start_with_values(light, large):
                return True
        return False

    def _start_with_values(self, light, large):
        if sum(map(byte_size, large.values())) > _MOST_BYTES:
            return False
        loaded = {name: self._read(weight) for name, weight in large.items()}
        if not self._take(light.with_weights(loaded)):
            return False
        needed = smallest(
            list(loaded), lambda names: self._fails(light.with_weights({name: loaded[name] for name in names}))
        )
        self.graph = light.with_weights({name: loaded[name] for name in needed})
        return True

    def _read(self, weight):
        """Returns a weight with its values, which may be in another file."""
        if not isinstance(weight, TensorProto) or not external_data_helper.uses_external_data(weight):
            return weight
        loaded = TensorProto()
        loaded.CopyFrom(weight)
        try:
            external_data_helper.load_external_data_for_tensor(loaded, os.path.dirname(os.path.abspath(self.path)))
        except Exception:  # as above; the failure may be about this file
            return weight
        loaded.data_location = TensorProto.DEFAULT
        del loaded.external_data[:]
        return loaded

    # ----- The part around the node that fails

    def _cut(self):
        """Cuts out the node that fails, with as many nodes before it as the failure needs."""
        any(self._cut_around(*where) for where in self._locate())

    def _cut_around(self, path: Path, place: int) -> bool:
        places = [*(at for at, _ in path), place]
        # From the innermost graph to the model's own.
        for depth in range(len(path), -1, -1):
            graph = self.graph
            for step in path[:depth]:
                graph = graph.enter(*step)
            for nodes in _around(graph.nodes, places[depth]):
                if self._take(graph.with_nodes(nodes)):
                    return True
        return False

    def _locate(self) -> Iterator[tuple[Path, int]]:
        """Yields where the node that fails may be: the path of its graph and its place there."""
        labelled = self.graph.model()
        names = [node.name or f"{node.op_type}_{''.join(node.output[:1])}" for node in _all_nodes(labelled.graph.node)]
        found = dict(_label(labelled.graph.node))
        named = [where for where, name in zip(found.values(), names, strict=True) if name == self.failure.node]
        if len(named) == 1:
            yield named[0]
        name = findings.node_of(self.failure.find(labelled.SerializeToString()) or "") or ""
        # A node of a function has the name of the call before its own: "3/inner".
        if where := found.get(name.partition("/")[0]):
            yield where

    # ----- Nodes

    def _remove_nodes(self):
        nodes = smallest(self.graph.nodes, lambda nodes: self._fails(self.graph.with_nodes(nodes)))
        if len(nodes) < len(self.graph.nodes):
            self.graph = self.graph.with_nodes(nodes)

    def _leave_graphs(self):
        """Replaces the model by a graph of one of its nodes, or an If by one of its branches."""
        for place, node in enumerate(self.graph.nodes):
            for attribute, _ in subgraphs(node):
                if self._take(self.graph.enter(place, attribute)):
                    return
                if node.op_type == "If" and self._take(self.graph.inlined(place, attribute)):
                    return

    def _bypass(self):
        """Gives the users of a node its input instead of its output, where both have one type."""
        for name in [name for node in self.graph.nodes for name in node.output if name]:
            makers = [place for place, node in enumerate(self.graph.nodes) if name in node.output]
            if len(makers) != 1 or name not in self.graph.types or len(self.graph.nodes) == 1:
                continue
            (place,) = makers
            for other in self.graph.nodes[place].input:
                if self.graph.types.get(other) == self.graph.types[name]:
                    rest = self.graph.nodes[:place] + self.graph.nodes[place + 1 :]
                    if self._take(self.graph.with_nodes(_with_input(node, name, other) for node in rest)):
                        break

    def _shrink_graphs(self):
        """Removes nodes in the graphs of nodes, which then use tensors from outside."""
        pending = [((place, name),) for place, node in enumerate(self.graph.nodes) for name, _ in subgraphs(node)]
        while pending:
            path = pending.pop()
            nodes = self.graph.nodes_at(path)
            others = [place for place, node in enumerate(nodes) if node.op_type != "Identity"]
            rest = functools.partial(_rest, self.graph, path, nodes)
            kept = smallest(others, functools.partial(self._persists, rest), least=0)
            if len(kept) < len(others):
                self.graph = rest(kept)
            inside = self.graph.nodes_at(path)
            pending += [(*path, (place, name)) for place, node in enumerate(inside) for name, _ in subgraphs(node)]

    # ----- What is left

    def _shrink_weights(self):
        """Makes inputs of weights, or zeros of large ones. What the finding says stays, at the cost of small weights."""
        said = findings.without_place(self._find(self.graph) or "")
        for name, weight in self.graph.used_weights().items():
            as_input = self.graph.with_weights({name: None})
            if byte_size(weight) > _LARGE:
                if not self._take(as_input) and isinstance(weight, TensorProto):
                    self._take(self.graph.with_weights({name: zeros(weight)}))
            elif findings.without_place(self._find(as_input) or "") == said:
                self.graph = as_input

    def _simplify_nodes(self):
        """Leaves out attributes and inputs."""
        for place in range(len(self.graph.nodes)):
            for kind, which in _parts(self.graph.nodes[place]):
                nodes = self.graph.nodes
                if simpler := _without(nodes[place], kind, which):
                    self._take(self.graph.with_nodes([*nodes[:place], simpler, *nodes[place + 1 :]]))

    def _shrink_outputs(self):
        for name in self.graph.outputs:
            self._take(
                dataclasses.replace(self.graph, outputs=tuple(each for each in self.graph.outputs if each != name))
            )

    def _forget(self):
        """Leaves out what has no meaning: functions and versions that nothing uses, types, documentation."""
        graph = self.graph
        shell = ModelProto()
        shell.CopyFrom(graph.shell)
        used = {(node.domain, node.op_type) for node in _all_nodes(graph.nodes)}
        for _ in shell.functions:  # which call one another
            called = [each for each in shell.functions if (each.domain, each.name) in used]
            used |= {(node.domain, node.op_type) for each in called for node in _all_nodes(each.node)}
        functions = [each for each in shell.functions if (each.domain, each.name) in used]
        del shell.functions[:]
        shell.functions.extend(functions)
        if not functions:
            domains = {domain for domain, _ in used}
            versions = [each for each in shell.opset_import if each.domain in domains | {"", "ai.onnx"}]
            del shell.opset_import[:]
            shell.opset_import.extend(versions)
        self._take(dataclasses.replace(graph, shell=shell))
        self._take(dataclasses.replace(self.graph, notes=()))
        self._take(self.graph.with_nodes(map(_without_documentation, self.graph.nodes)))


def _around(nodes: Sequence[NodeProto], place: int) -> Iterator[list[NodeProto]]:
    """Yields parts of a graph: a node, then also the nodes before it, from ever more steps away, at last all nodes."""
    makers = {name: number for number, node in enumerate(nodes) for name in node.output if name}
    part, new, steps = {place}, {place}, 0
    for limit in itertools.chain([0], (2**power for power in range(64))):
        while steps < limit and new:
            new = {makers[name] for number in new for name in used_by(nodes[number]) if name in makers} - part
            part |= new
            steps += 1
        yield [nodes[number] for number in sorted(part)]
        if not new:
            break
    if len(part) < len(nodes):
        yield list(nodes)


def _label(nodes: Iterable[NodeProto], path: Path = ()) -> Iterator[tuple[str, tuple[Path, int]]]:
    """Gives each node a name of its own, also in the graphs of nodes; yields the names and the places of the nodes."""
    for place, node in enumerate(nodes):
        node.name = ":".join([*(f"{at}.{name}" for at, name in path), str(place)])
        yield node.name, (path, place)
        for name, graph in subgraphs(node):
            yield from _label(graph.node, (*path, (place, name)))


def _all_nodes(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    for node in nodes:
        yield node
        for _, graph in subgraphs(node):
            yield from _all_nodes(graph.node)


def _rest(graph: Graph, path: Path, nodes: Sequence[NodeProto], kept: Sequence[int]) -> Graph:
    """Returns a graph with only some nodes of the graph at a path, and all that name a tensor anew."""
    rest = [node for place, node in enumerate(nodes) if place in set(kept) or node.op_type == "Identity"]
    return graph.with_nodes_at(path, rest)


def _copy(node: NodeProto) -> NodeProto:
    copy = NodeProto()
    copy.CopyFrom(node)
    return copy


def _with_input(node: NodeProto, name: str, other: str) -> NodeProto:
    """Returns a node that uses another tensor in the place of one, also in its graphs."""
    if name not in [each for inner in _all_nodes([node]) for each in inner.input]:
        return node
    changed = _copy(node)
    for inner in _all_nodes([changed]):
        for place, each in enumerate(inner.input):
            if each == name:
                inner.input[place] = other
    return changed


def _parts(node: NodeProto) -> Iterator[tuple[str, str | int]]:
    """Yields parts of a node that it may not need: attributes by name, and inputs by place."""
    for attribute in node.attribute:
        if attribute.type not in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS):
            yield "attribute", attribute.name
    for place in range(len(node.input) - 1, -1, -1):
        yield "input", place


def _without(node: NodeProto, kind: str, which: Any) -> NodeProto | None:
    """Returns a node without one of its parts; None if ONNX requires it, or the node lacks it."""
    try:
        schema = defs.get_schema(node.op_type, node.domain)
    except defs.SchemaError:
        return None
    changed = _copy(node)
    if kind == "attribute":
        rest = [attribute for attribute in node.attribute if attribute.name != which]
        del changed.attribute[:]
        changed.attribute.extend(rest)
        return changed
    if which >= len(node.input) or not node.input[which]:
        return None
    formal = schema.inputs[min(which, len(schema.inputs) - 1)]
    if formal.option == defs.OpSchema.FormalParameterOption.Single:
        return None
    if formal.option == defs.OpSchema.FormalParameterOption.Variadic:
        del changed.input[which]
        return changed
    changed.input[which] = ""
    while changed.input and not changed.input[-1]:
        del changed.input[-1]
    return changed


def _without_documentation(node: NodeProto) -> NodeProto:
    changed = _copy(node)
    for each in _all_nodes([changed]):
        each.ClearField("doc_string")
        each.ClearField("metadata_props")
    return changed
