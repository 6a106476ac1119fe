"""The memory of a graph's inputs and results, as `torch.compile` expects it.

A program has row-major tensors with memory of their own. PyTorch expects results with the strides of its own operators, and
a result that is a view, such as a slice of a parameter, in the memory that it is a view of. So the views at the end of a
graph are left to PyTorch, and a tensor whose dims are in another order in memory is permuted before or after the program,
which moves no element.
"""

import operator

import torch


def split(graph_module, leaves_views):
    """Splits a functional ATen graph (a torch.fx.GraphModule) into a program and what is around it.

    Args:
      leaves_views: whether results that are views share the memory that they are views of. Gradients must not: they are
        added up in place.

    Returns:
      a torch.fx.GraphModule of row-major tensors; it may have no results; and
      a function that takes a function which runs that graph, and returns one which runs `graph_module`.
    """
    (outputs,) = graph_module.graph.output_node().args
    inputs = graph_module.graph.find_nodes(op="placeholder")
    end = _nodes_of_end(graph_module.graph, outputs) if leaves_views else set()
    results = _results(outputs, end) if leaves_views else list(outputs)
    input_orders, result_orders = (list(map(_permutation, nodes)) for nodes in (inputs, results))
    if leaves_views and results == list(outputs) and not any(input_orders) and not any(result_orders):
        return graph_module, lambda run: run
    finish = _end(graph_module, inputs, results, end).forward if leaves_views else None
    owned = [place for place, node in enumerate(outputs) if node in end and _root(node) in results]
    inverses = [order and _inverse(order) for order in result_orders]

    def around(run):
        def run_all(*tensors):
            with torch.no_grad():
                given = [
                    each.permute(order) if order else each for each, order in zip(tensors, input_orders, strict=True)
                ]
                made = [
                    _no_view(each.permute(inverse)) if inverse else each
                    for each, inverse in zip(run(*given), inverses, strict=True)
                ]
                if not finish:
                    return _apart(made)
                made = finish(*tensors, *made)
                for place in owned:
                    made[place] = _no_view(made[place])
                return made

        return run_all

    return _program(graph_module, results, dict(zip(inputs, input_orders, strict=True)), result_orders), around


def _no_view(tensor):
    """The same memory as a tensor that autograd does not take for a view, which it would forbid to change in place."""
    if not isinstance(tensor, torch.Tensor) or tensor.is_conj() or tensor.is_neg():
        return tensor
    return tensor.new_empty(0).set_(tensor.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride())


def _apart(values):
    """Copies tensors that share the memory of an earlier one. All are alive, so an address is that of one memory."""
    seen, made = set(), []
    for value in values:
        if isinstance(value, torch.Tensor) and value.numel():
            memory = value.untyped_storage().data_ptr()
            value = value.clone() if memory in seen else value
            seen.add(memory)
        made.append(value)
    return made


def _is_view(node):
    """Whether a node returns a view of its first argument, or a list of these."""
    if node.target is operator.getitem:
        return _is_view(node.args[0])
    schema = getattr(node.target, "_schema", None)
    aliases = schema and schema.arguments and schema.arguments[0].alias_info
    return bool(aliases and not aliases.is_write)


def _root(node):
    """What a view is a view of, through other views."""
    while _is_view(node):
        node = node.args[0]
    return node


def _nodes_of_end(graph, outputs):
    """The views that outputs are, and the numbers that these need, if they follow from the inputs alone.

    A view of a tensor that the program computes may need the strides that PyTorch gives it.
    """
    numbers = _numbers_of_inputs(graph)
    end, pending = set(), [node for node in outputs if isinstance(node, torch.fx.Node)]
    while pending:
        node = pending.pop()
        is_view = _is_view(node) and (_root(node).op == "placeholder" or _order(_root(node)) is not None)
        if node not in end and (is_view or node in numbers):
            end.add(node)
            pending += node.all_input_nodes
    return end


def _numbers_of_inputs(graph):
    """The nodes that are numbers computed from the inputs, such as the half of a size."""
    numbers = set()
    for node in graph.nodes:
        if node.op == "call_function" and not isinstance(node.meta.get("val"), (torch.Tensor, list, tuple)):
            if all(each.op == "placeholder" or each in numbers for each in node.all_input_nodes):
                numbers.add(node)
    return numbers


def _results(outputs, end):
    """The nodes that the program computes: outputs, and what views are views of."""
    needed = [node for node in outputs if isinstance(node, torch.fx.Node)]
    needed += [each for node in end for each in node.all_input_nodes]
    return list(dict.fromkeys(node for node in needed if node.op != "placeholder" and node not in end))


def _permutation(node):
    """The dims of a tensor by their places in memory, outermost first; None if it is row-major, or that is not known."""
    order = _order(node)
    return None if order is None or order == sorted(order) else order


def _order(node):
    """The same, also for a row-major tensor; None for one with gaps or overlaps, or with sizes that data decides."""
    tensor = node.meta.get("val") if isinstance(node, torch.fx.Node) else None
    if not isinstance(tensor, torch.Tensor) or tensor.layout != torch.strided:
        return None
    sizes, strides = map(_hints, (tensor.shape, tensor.stride()))
    if None in sizes or None in strides:
        return None
    rows = list(range(len(sizes)))
    orders = rows, sorted(rows, key=lambda dim: -strides[dim])
    return next((order for order in orders if _is_dense(order, sizes, strides)), None)


def _hints(numbers):
    """Numbers, for open ones those of the example; None for one that depends on data."""
    return [number if isinstance(number, int) else number.node.hint for number in numbers]


def _is_dense(order, sizes, strides):
    expected = 1
    for dim in reversed(order):
        if sizes[dim] != 1 and strides[dim] != expected:
            return False
        expected *= max(sizes[dim], 1)
    return True


def _inverse(order):
    return [order.index(dim) for dim in range(len(order))]


def _permute(graph, node, order):
    permuted = graph.call_function(torch.ops.aten.permute.default, (node, order))
    permuted.meta["val"] = node.meta["val"].permute(order)
    return permuted


def _program(graph_module, results, input_orders, result_orders):
    """The graph of a program that computes the results, with row-major inputs and results."""
    graph, values = torch.fx.Graph(), {}
    for node in graph_module.graph.nodes:
        if node.op == "output":
            continue
        values[node] = graph.node_copy(node, values.__getitem__)
        if order := input_orders.get(node):
            values[node].meta["val"] = node.meta["val"].permute(order)
            values[node] = _permute(graph, values[node], _inverse(order))
    made = torch.fx.map_arg(results, values.__getitem__)
    graph.output(
        [_permute(graph, node, order) if order else node for node, order in zip(made, result_orders, strict=True)]
    )
    graph.eliminate_dead_code()  # such as the views, which need no lowering
    return torch.fx.GraphModule(graph_module, graph)


def _end(graph_module, inputs, results, end):
    """A graph from the inputs and the results of the program to the outputs of the whole graph."""
    graph = torch.fx.Graph()
    values = {node: graph.placeholder(node.name) for node in [*inputs, *results]}
    for node in graph_module.graph.nodes:
        if node in end:
            values[node] = graph.node_copy(node, values.__getitem__)
    (outputs,) = graph_module.graph.output_node().args
    graph.output(torch.fx.map_arg(list(outputs), values.__getitem__))
    return torch.fx.GraphModule(graph_module, graph)
