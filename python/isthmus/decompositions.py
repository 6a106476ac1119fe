"""Replaces PyTorch operators that the torch dialect has no class for by PyTorch's own decompositions of them."""

import contextlib
import functools
import inspect

import torch
import torch._inductor.inductor_prims  # registers prims.fma
from torch._higher_order_ops.flex_attention import flex_attention, math_attention
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from isthmus import ops

# Packages whose operators PyTorch may decompose. Those of others keep their names, for custom ops.
_NAMESPACES = ("aten", "prims")


def name_of(op):
    """Returns the name of an operator: "aten.add.Tensor", or "aten.relu" for an overload without a name."""
    return str(op).removesuffix(".default")


def calls(graph_module):
    """Yields the nodes of a graph and of those within it that call a function."""
    for module in graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            yield from (node for node in module.graph.nodes if node.op == "call_function")


def operators(graph_module):
    """Returns the operators of a graph and of those within it, each in the form that returns its results."""
    targets = {node.target for node in calls(graph_module)}
    return {_functional(target) for target in targets if isinstance(target, torch._ops.OpOverload)}


# What computes an operator that takes graphs, by the operator.
_DENSE = {flex_attention: math_attention}


def table():
    """Returns the decompositions of all operators that the dialect has no class for."""
    return _of_pytorch() | _of_transformers()


@functools.cache
def _of_pytorch():
    rules = {**_prims(), **_on_lists(), **torch._decomp.decomposition_table, **_OWN}
    known = ops.imported_operators()
    return {
        op: rule
        for op, rule in rules.items()
        if isinstance(op, torch._ops.OpOverload) and name_of(op) not in known and _takes_arguments_of(rule, op)
    }


def _takes_arguments_of(rule, op):
    """Whether a rule has an operator's positional arguments in the same places, though by other names perhaps.

    PyTorch registers torch.nn.functional.nll_loss for aten.nll_loss, with size_average in the place of reduction.
    """
    try:
        taken = list(inspect.signature(rule).parameters)
    except ValueError:  # a built-in function
        return True
    given = [argument.name for argument in op._schema.arguments]
    positional = [argument.name for argument in op._schema.arguments if not argument.kwarg_only]
    return all(
        name == parameter or (name not in taken and parameter not in given)
        for name, parameter in zip(positional, taken, strict=False)
    )


def decompose(graph_module, kept=(), report=lambda line: None):
    """Returns a graph in which the operators without a class are decomposed, as far as PyTorch can trace them.

    Other nodes stay as they are, and the given graph does too. Attention with scores of its own becomes dense.

    Args:
      graph_module: a torch.fx.GraphModule of an ExportedProgram.
      kept: names of operators that are not decomposed, with their overload or for all of them; "all" keeps all
        that are not dense attention, which has no form that can be kept.
      report: gets a line for each operator that is decomposed, or why it is not.
    """
    unknown = {node.target for node in calls(graph_module)} & _DENSE.keys()
    if "all" not in kept:
        unknown |= _unknown(graph_module, set(kept))
    if not unknown:
        return graph_module
    values = [node.meta.get("val") for node in graph_module.graph.nodes]
    mode = torch._guards.detect_fake_mode(values) or torch._subclasses.FakeTensorMode()
    lines = {}
    result = _Decomposer(unknown, mode, lines).rewrite(graph_module)
    for op in sorted(lines):
        report(lines[op])
    return result


def _unknown(graph_module, kept):
    """Returns the operators without a class that PyTorch may decompose."""
    known = ops.imported_operators()
    return {
        op
        for op in operators(graph_module)
        if op.namespace in _NAMESPACES
        and name_of(op) not in known
        and not {name_of(op), f"{op.namespace}.{op.overloadpacket.__name__}"} & kept
    }


class _Decomposer:
    """Rewrites a graph and those within it.

    Attributes:
      unknown: the operators to decompose.
      mode: the mode of the program's values, which knows its sizes.
      lines: what became of each, by name.
    """

    def __init__(self, unknown, mode, lines):
        self.unknown, self.mode, self.lines = unknown, mode, lines
        self._traced = {}  # by everything that a trace depends on

    def rewrite(self, graph_module):
        graph, values, attributes = torch.fx.Graph(), {}, {}
        for node in graph_module.graph.nodes:
            if node.op == "get_attr":
                inner = functools.reduce(getattr, node.target.split("."), graph_module)
                is_graph = isinstance(inner, torch.fx.GraphModule)
                attributes[node.target] = self.rewrite(inner) if is_graph else inner
            values[node] = self._rewrite_node(graph, node, values)
        result = torch.fx.GraphModule(attributes, graph)
        result.meta.update(graph_module.meta)
        return result

    def _rewrite_node(self, graph, node, values):
        """Adds what computes a node to a graph. Returns its new node, or a sequence of nodes for several results."""
        is_item = node.op == "call_function" and node.target.__name__ == "getitem"
        if is_item and isinstance(results := values.get(node.args[0]), list | tuple):
            return results[node.args[1]]
        if node.op == "call_function" and (op := _functional(node.target)) in self.unknown:
            if not node.users and not node.is_impure():
                return None  # such as a check of torch.func.jvp, which make_fx keeps
            inputs, traced = self._trace(op, node)
            if traced:
                return self._inline(graph, node, values, inputs, traced)
        return graph.node_copy(node, values.__getitem__)

    def _trace(self, op, node):
        """Returns the nodes that are inputs of an operator, and the graph of its decomposition or None."""
        leaves, spec = pytree.tree_flatten((node.args, node.kwargs))
        inputs = list(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, torch.fx.Node)))
        given = [_value_of(leaf) for leaf in inputs]
        numbers = {leaf: f"input {number}" for number, leaf in enumerate(inputs)}
        key = op, str(spec), *(numbers.get(leaf, repr(leaf)) for leaf in leaves), *map(_form_of, given)
        if key not in self._traced:

            def call(*values):
                of = dict(zip(inputs, values, strict=True))
                args, kwargs = pytree.tree_unflatten([of.get(leaf, leaf) for leaf in leaves], spec)
                return _DENSE.get(op, op)(*args, **kwargs)

            self._traced[key] = self._trace_call(name_of(op), call, given)
        return inputs, self._traced[key]

    def _trace_call(self, name, call, given):
        sizes = self.mode.shape_env.error_on_new_guards() if self.mode.shape_env else contextlib.nullcontext()
        try:
            with self.mode, sizes, torch.no_grad():
                traced = make_fx(call, decomposition_table=table())(*given)
                # Decompositions may write to what they made. A second tracing makes values of that.
                traced = make_fx(torch.func.functionalize(traced), decomposition_table=table())(*given)
            _replace_constants(traced)
        except Exception as error:  # of PyTorch's, of any kind
            self.lines[name] = f"PyTorch does not decompose {name}: {error}"
            return None
        left = sorted({name_of(op) for op in operators(traced)} - ops.imported_operators())
        if left and left != [name]:
            self.lines[name] = f"PyTorch decomposes {name} into {', '.join(left)}, which are not known either"
        if left:
            return None
        self.lines.setdefault(name, f"PyTorch decomposes {name}")
        return traced.graph

    @staticmethod
    def _inline(graph, node, values, inputs, traced):
        """Adds a traced graph. Returns its results."""
        parameters = [inner for inner in traced.nodes if inner.op == "placeholder"]
        inlined = {parameter: values[of] for parameter, of in zip(parameters, inputs, strict=True)}
        places = {key: node.meta[key] for key in ("stack_trace", "nn_module_stack", "torch_fn") if key in node.meta}
        results = graph.graph_copy(traced, inlined)
        for inner in traced.nodes:
            if inner.op == "call_function":
                inlined[inner].meta.update(places)
        if node.target is _functional(node.target):
            return results
        if isinstance(results, list | tuple):
            for tensor, result in zip(node.args[0], results, strict=True):
                written = graph.call_function(torch.ops.aten.copy_.default, (values[tensor], result))
                written.meta.update(places, val=tensor.meta["val"])
            return None
        written = graph.call_function(torch.ops.aten.copy_.default, (values[node.args[0]], results))
        written.meta.update(node.meta)
        return written


def _value_of(node):
    """Returns the value of a node, which may be a graph."""
    return getattr(node.graph.owning_module, node.target) if node.op == "get_attr" else node.meta.get("val")


def _form_of(value):
    """Returns all of a value that tracing sees, as a string."""
    if isinstance(value, torch.fx.GraphModule):
        return f"graph {id(value)}"
    if not isinstance(value, torch.Tensor):
        return repr(value)
    return repr((value.dtype, value.device, tuple(value.shape), value.stride(), value.storage_offset()))


def _replace_constants(traced):
    """Makes an operator's results of the numbers that tracing keeps as tensors."""
    for node in traced.graph.find_nodes(op="get_attr"):
        value = getattr(traced, node.target)
        if not isinstance(value, torch.Tensor) or value.ndim:
            raise ValueError("it has constants")
        with traced.graph.inserting_before(node):
            number = traced.graph.call_function(torch.ops.aten.full.default, ([], value.item()), {"dtype": value.dtype})
        number.meta["val"] = node.meta.get("val", value)
        node.replace_all_uses_with(number)
        traced.graph.erase_node(node)


def _functional(op):
    """Returns the operator that returns what an operator such as aten.add_.Tensor writes to its first argument."""
    if not isinstance(op, torch._ops.OpOverload):
        return op
    packet = op.overloadpacket.__name__
    if op._schema.is_mutable and packet.endswith("_"):
        functional = getattr(getattr(torch.ops, op.namespace), packet[:-1], None)
        return getattr(functional, op._overloadname, op)
    return op


# -----------------------------------------------------------------------------
# Decompositions that PyTorch lacks, and of operators in which its own end
# -----------------------------------------------------------------------------


# Prims that a few operators of aten compute. Most others are one operator.
_COMPUTED_PRIMS = {
    "broadcast_in_dim",
    "cat",
    "collapse_view",
    "div",
    "iota",
    "maximum",
    "minimum",
    "reshape",
    "transpose",
}


def _prims():
    """Returns the prims whose implementation calls operators that the dialect has a class for."""
    known = {name.split(".")[1] for name in ops.imported_operators() if name.startswith("aten.")}
    packets = [getattr(torch.ops.prims, name, None) for name in torch._prims.__all__]
    return {
        packet.default: packet.impl_aten
        for packet in packets
        if isinstance(packet, torch._ops.OpOverloadPacket)
        and (packet.impl_aten.__name__ in known or packet.__name__ in _COMPUTED_PRIMS)
    }


def _with_number(function):
    """A function of two tensors, for a number in the place of the second as well."""
    return lambda x, y: function(x, y if isinstance(y, torch.Tensor) else torch.scalar_tensor(y, dtype=x.dtype))


# What _foreach operators compute of each tensor, where an operator of that name takes other arguments.
_OF_EACH = {
    "addcdiv": lambda x, a, b, value=1: torch.addcdiv(x, a, b, value=value),
    "addcmul": lambda x, a, b, value=1: torch.addcmul(x, a, b, value=value),
    "maximum": _with_number(torch.maximum),
    "minimum": _with_number(torch.minimum),
    "norm": lambda x, order=2, dtype=None: torch.linalg.vector_norm(x, order, dtype=dtype),
    "zero": torch.zeros_like,
}


def _of_transformers():
    """Returns a rule for the gradient of the experts in transformers, whose kernel loops over the experts' rows."""
    op = getattr(torch.ops.transformers, "grouped_mm_fallback_backward", None)  # None if transformers is not loaded
    return {op.default: _grouped_mm_backward} if op else {}


def _grouped_mm_backward(x, weight, offs, gradient):
    """The gradients of x [S, I] and weight [E, I, O], for a gradient [S, O] whose rows up to offs[e] are expert e's."""
    rows = torch.arange(x.shape[0], device=x.device)
    starts = torch.cat([torch.zeros_like(offs[:1]), offs[:-1]])
    of_expert = (rows >= starts.unsqueeze(1)) & (rows < offs.unsqueeze(1))  # [E, S]
    of_x = torch.ops.transformers.grouped_mm_fallback(gradient, weight.transpose(1, 2), offs)
    return of_x, torch.matmul((of_expert.unsqueeze(2) * x).transpose(1, 2), gradient)


def _on_lists():
    """Returns rules for the operators on lists of tensors (aten._foreach_add.List), as optimizers call them."""
    rules = {}
    for full in torch._C._dispatch_get_all_op_names():
        name, _, overload = full.removeprefix("aten::_foreach_").partition(".")
        if name == full or name.endswith("_") or overload.endswith("out"):
            continue
        function = _OF_EACH.get(name) or getattr(torch.ops.aten, name, None)
        if function and not (name.startswith("addc") and overload == "Tensor"):  # which has a tensor of numbers
            op = getattr(getattr(torch.ops.aten, f"_foreach_{name}"), overload or "default")
            rules[op] = functools.partial(_of_each, function)
    return rules


def _of_each(function, *lists, **keywords):
    """Calls a function of each tensor of a list, with the same number for all or the number of the tensor."""
    count = next(len(argument) for argument in lists if isinstance(argument, list | tuple))
    rows = zip(*(x if isinstance(x, list | tuple) else [x] * count for x in lists), strict=True)
    return [function(*row, **keywords) for row in rows]


def _ignore_nan(choose):
    return lambda a, b: torch.where(a.isnan(), b, torch.where(b.isnan(), a, choose(a, b)))


def _trilinear(a, b, c, expand1, expand2, expand3, sumdim, unroll_dim=1):
    for dims, which in ((expand1, 0), (expand2, 1), (expand3, 2)):
        for dim in sorted(dims):
            a, b, c = (x.unsqueeze(dim) if number == which else x for number, x in enumerate((a, b, c)))
    return (a * b * c).sum(sumdim)


def _rrelu(x, noise, lower=1 / 8, upper=1 / 3, training=False, generator=None):
    if training:
        return NotImplemented  # the slopes are random, and the operator's second result
    return torch.nn.functional.leaky_relu(x, (lower + upper) / 2), noise


def _zeros(size, dtype=None, layout=None, device=None, pin_memory=None):
    return torch.zeros(size, dtype=dtype, device=device)


def _new_zeros_of_features(x, features, *, self_num_batch_dims=0):
    return x.new_zeros(x.shape[:self_num_batch_dims] + features.shape)


_OWN = {
    torch.ops.aten.__lshift__.Scalar: _with_number(torch.bitwise_left_shift),
    torch.ops.aten.__lshift__.Tensor: torch.bitwise_left_shift,
    torch.ops.aten.__rshift__.Scalar: _with_number(torch.bitwise_right_shift),
    torch.ops.aten.__rshift__.Tensor: torch.bitwise_right_shift,
    torch.ops.aten._efficientzerotensor.default: _zeros,
    torch.ops.aten._new_zeros_with_same_feature_meta.default: _new_zeros_of_features,
    torch.ops.aten._trilinear.default: _trilinear,
    torch.ops.aten.bitwise_left_shift.Tensor_Scalar: _with_number(torch.bitwise_left_shift),
    torch.ops.aten.bitwise_right_shift.Tensor_Scalar: _with_number(torch.bitwise_right_shift),
    torch.ops.aten.rrelu_with_noise_functional.default: _rrelu,
    torch.ops.aten.uniform.default: lambda x, low=0.0, high=1.0, *, generator=None: (
        torch.rand_like(x) * (high - low) + low
    ),
    torch.ops.prims.amax.default: lambda a, dims, *, output_dtype=None: torch.amax(a, dims),
    torch.ops.prims.amin.default: lambda a, dims, *, output_dtype=None: torch.amin(a, dims),
    torch.ops.prims.fma.default: lambda a, b, c: a * b + c,  # with the rounding between them of PyTorch's CPU kernel
    torch.ops.prims.fmax.default: _ignore_nan(torch.maximum),
    torch.ops.prims.fmin.default: _ignore_nan(torch.minimum),
    torch.ops.prims.sum.default: lambda a, dims, *, output_dtype=None: torch.sum(
        a, dims, dtype=output_dtype or a.dtype
    ),
    torch.ops.prims.var.default: lambda a, dims, correction=1, *, output_dtype=None: torch.var(
        a, dims, correction=correction
    ),
}
