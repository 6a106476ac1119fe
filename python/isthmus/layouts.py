"""The memory of a graph's inputs and results, as `torch.compile` expects it.

A program has row-major tensors with memory of their own. PyTorch expects results with the strides of its own operators, and
a result that is a view, such as a slice of a parameter, in the memory that it is a view of. So the views at the end of a
graph are left to PyTorch, and a tensor whose dims are in another order in memory is permuted before or after the program,
which moves no element.
"""

import operator

import torch


def split(graph_module):
    """Splits a functional ATen graph (a torch.fx.GraphModule) into a program and what is around it.

    Returns:
      a torch.fx.GraphModule of row-major tensors; it may have no results; and
      a function that takes a function which runs that graph, and returns one which runs `graph_module`.
    """
    (outputs,) = graph_module.graph.output_node().args
    end = _nodes_of_end(outputs)
    results = _results(outputs, end)
    inputs = graph_module.graph.find_nodes(op="placeholder")
    orders = {node: order for node in [*inputs, *results] if (order := _order(node.meta.get("val")))}
    if not end and not orders and results == list(outputs):
        return graph_module, lambda run: run
    finish = _end(graph_module, inputs, results, end, orders).forward
    permuted = [orders.get(node) for node in inputs]

    def around(run):
        def run_all(*tensors):
            given = [value.permute(order) if order else value for value, order in zip(tensors, permuted, strict=True)]
            with torch.no_grad():
                return finish(*tensors, *run(*given))

        return run_all

    return _program(graph_module, results, orders), around


def _is_view(node):
    """Whether a node returns a view of its first argument, or a list of these."""
    if node.target is operator.getitem:
        return _is_view(node.args[0])
    schema = getattr(node.target, "_schema", None)
    aliases = schema and schema.arguments and schema.arguments[0].alias_info
    return bool(aliases and not aliases.is_write)


def _nodes_of_end(outputs):
    """The views that outputs are, and the numbers that these need, if they follow from the inputs alone."""
    end, pending = set(), [node for node in outputs if isinstance(node, torch.fx.Node)]
    while pending:
        node = pending.pop()
        if node not in end and (_is_view(node) or _follows_from_inputs(node)):
            end.add(node)
            pending += node.all_input_nodes
    return end


def _follows_from_inputs(node):
    """Whether a node is a number that is computed from the inputs, such as the half of a size."""
    if node.op != "call_function" or isinstance(node.meta.get("val"), (torch.Tensor, list, tuple)):
        return False
    return all(each.op == "placeholder" or _follows_from_inputs(each) for each in node.all_input_nodes)


def _results(outputs, end):
    """The nodes that the program computes: outputs, and what views are views of."""
    needed = [node for node in outputs if isinstance(node, torch.fx.Node)]
    needed += [each for node in end for each in node.all_input_nodes]
    return list(dict.fromkeys(node for node in needed if node.op != "placeholder" and node not in end))


def _order(tensor):
    """The dims of a tensor by their places in memory, outermost first; None if it is row-major, or has gaps or overlaps."""
    if not isinstance(tensor, torch.Tensor) or tensor.layout != torch.strided:
        return None
    sizes, strides = map(_hints, (tensor.shape, tensor.stride()))
    if None in sizes or None in strides:
        return None
    rows = list(range(len(sizes)))
    order = sorted(rows, key=lambda dim: -strides[dim])
    return order if not _is_dense(rows, sizes, strides) and _is_dense(order, sizes, strides) else None


def _hints(numbers):
    """Numbers, for open ones those of the example; None for one that depends on data."""
    return [number if isinstance(number, int) else number.node.hint for number in numbers]


def _is_dense(order, sizes, strides):
    expected = 1
    for dim in reversed(order):
        if sizes[dim] != 1 and strides[dim] != expected:
            return False
        expected *= sizes[dim]
    return True


def _inverse(order):
    return [order.index(dim) for dim in range(len(order))]


def _permute(graph, node, order):
    permuted = graph.call_function(torch.ops.aten.permute.default, (node, order))
    permuted.meta["val"] = node.meta["val"].permute(order)
    return permuted


def _program(graph_module, results, orders):
    """The graph of a program that computes the results, with row-major inputs and results."""
    graph, values = torch.fx.Graph(), {}
    for node in graph_module.graph.nodes:
        if node.op == "output":
            continue
        values[node] = graph.node_copy(node, values.__getitem__)
        if node.op == "placeholder" and node in orders:
            order = orders[node]
            values[node].meta["val"] = node.meta["val"].permute(order)
            values[node] = _permute(graph, values[node], _inverse(order))
    graph.output([_permute(graph, values[node], orders[node]) if node in orders else values[node] for node in results])
    return torch.fx.GraphModule(graph_module, graph)


def _end(graph_module, inputs, results, end, orders):
    """A graph from the inputs and the results of the program to the outputs of the whole graph."""
    graph = torch.fx.Graph()
    values = {node: graph.placeholder(node.name) for node in [*inputs, *results]}
    for node in results:
        if node in orders:
            values[node] = graph.call_function(torch.ops.aten.permute.default, (values[node], _inverse(orders[node])))
    for node in graph_module.graph.nodes:
        if node in end:
            values[node] = graph.node_copy(node, values.__getitem__)
    (outputs,) = graph_module.graph.output_node().args
    graph.output(torch.fx.map_arg(list(outputs), values.__getitem__))
    return torch.fx.GraphModule(graph_module, graph)
