"""Imports PyTorch programs from memory: the graph as JSON, tensors by address.

This module builds the records that `torch.export.save` would write into an archive, so the importer of `.pt2` files
reads both. This module and `exported` are the only ones that import PyTorch.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import inspect
import itertools
import logging
import operator
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import torch
import torch._dynamo
from torch._export.serde import schema
from torch._export.serde import serialize as serde
from torch._functorch import predispatch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.autograd import forward_ad
from torch.export import graph_signature
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from isthmus import api, decompositions, functions, layouts
from isthmus.errors import BadModelError, InputError, IsthmusError, UnsupportedError

if TYPE_CHECKING:
    import numpy as np

# -----------------------------------------------------------------------------
# PyTorch's errors
# -----------------------------------------------------------------------------

_EXPORT_ADVICE = "what to do: docs/pytorch.md#programs-that-torchexport-refuses"
_MOST_OF_A_REASON = 400
_NODE = re.compile(r"Failed serializing node (?P<name>\S+) in graph: .*?\btarget=(?:torch\.ops\.)?(?P<op>[\w.]+)")


@contextlib.contextmanager
def _pytorch(task, advice=None):
    """Makes an UnsupportedError of what PyTorch raises, which is of any type and may have many lines.

    Args:
      task: what PyTorch is to do: "export the module".
      advice: what the user can do if PyTorch does not.
    """
    functorch = torch._C._functorch
    depth = functorch.get_dynamic_layer_stack_depth()
    try:
        yield
    except IsthmusError:
        raise
    except Exception as error:
        # A transform of torch.func that fails halfway stays in effect, also for the caller's code.
        functorch.pop_dynamic_layer_stack_and_undo_to_depth(depth)
        with contextlib.suppress(RuntimeError):  # if no level of forward derivatives is left
            torch._C._exit_dual_level(level=forward_ad._current_level + 1)
        refused = UnsupportedError([f"PyTorch cannot {task}: {_reason(error)}"])
        refused.advice = advice
        raise refused from error


def _reason(error):
    """Returns the first line of an error, and the node at which PyTorch's serializer failed."""
    place = ""
    while isinstance(error, serde.SerializeError) and error.__cause__:
        if node := _NODE.match(str(error)):
            place = f"node '{node['name']}' ({node['op'].removesuffix('.default')}): "
        error = error.__cause__
    (first, *rest) = str(error).strip().splitlines() or [""]
    if first.startswith("Constraints violated"):  # the other lines say of which sizes, and what to give
        rest = itertools.takewhile(lambda line: not line.startswith("The error above"), rest)
        first = " ".join([first.partition("!")[0] + ":", *(line.strip(" -") for line in rest)]).strip()
    kind = f"{type(error).__name__}: " if first else type(error).__name__
    return f"{place}{kind}{textwrap.shorten(first, _MOST_OF_A_REASON, placeholder=' …')}"


@contextlib.contextmanager
def _without(logger, start):
    """Keeps PyTorch from logging messages with a certain start."""

    def is_other(record):
        return not record.getMessage().startswith(start)

    logger.addFilter(is_other)
    try:
        yield
    finally:
        logger.removeFilter(is_other)


# -----------------------------------------------------------------------------
# Exporting
# -----------------------------------------------------------------------------


class Function(torch.nn.Module):
    """Wraps a function in the module that `torch.export` takes."""

    def __init__(self, function):
        super().__init__()
        try:
            inspect.signature(function)
        except ValueError:  # a PyTorch function, such as torch.add
            self.forward = lambda *args: function(*args)
        else:
            self.forward = function


def export(
    model,
    example_inputs,
    example_kwargs=None,
    *,
    dynamic_shapes=None,
    decompositions=None,
    strict=False,
    verbose=False,
):
    """Returns an ExportedProgram of a module, a function, or an ExportedProgram as it is.

    Args:
      strict: as for `torch.export.export`, whose way is then the only one.
      verbose: print to stderr why a module is traced in another way than by `torch.export.export`.

    Raises:
      InputError: example inputs are missing, or given for an exported program.
      UnsupportedError: PyTorch cannot export the module.
    """
    if isinstance(model, torch.export.ExportedProgram):
        why = ", as the program is exported already"
        if findings := api.unexpected_examples(example_inputs, example_kwargs, dynamic_shapes, why):
            raise InputError(findings)
        program = model
    else:
        if example_inputs is None and example_kwargs is None:
            raise InputError(["example_inputs: expected a tuple of tensors to export the model with, got none"])
        if isinstance(example_inputs, torch.Tensor):
            example_inputs = (example_inputs,)
        module = model if isinstance(model, torch.nn.Module) else Function(model)
        arguments = _distinct(module, (tuple(example_inputs or ()), dict(example_kwargs or {})))
        program = _export(module, arguments, dynamic_shapes, strict, verbose)
    if decompositions is None:
        return program
    with _pytorch("decompose the program"):
        return program.run_decompositions(decompositions)


def _distinct(module, arguments):
    """The arguments, where one that is given twice, or is a weight as well, is a tensor of its own.

    PyTorch's tracers know an argument by its identity, and would read the last of such arguments in place of all.
    """
    seen = set(map(id, itertools.chain(module.parameters(), module.buffers())))

    def own(tensor):
        if id(tensor) in seen:
            tensor = tensor.detach().requires_grad_(tensor.requires_grad)
        seen.add(id(tensor))
        return tensor

    return pytree.tree_map_only(torch.Tensor, own, arguments)


def _export(module, arguments, dynamic_shapes, strict, verbose):
    """Exports a module. Without dynamic sizes, make_fx traces one that torch.export refuses, such as a gradient.

    It also traces one with forward derivatives, as PyTorch cannot trace the exported program of most of them again.
    """
    try:
        with _pytorch("export the module", _EXPORT_ADVICE), functions.Traceable():
            program = torch.export.export(module, *arguments, dynamic_shapes=dynamic_shapes, strict=strict)
            _check_constants(program)
            refused = None
    except UnsupportedError as error:
        refused = error
    if not (refused or _has_forward_derivatives(program)):
        return program
    traced = None if dynamic_shapes or strict else _export_traced(module, arguments)
    if refused and not traced:
        raise refused
    if verbose and traced:
        why = refused.messages[0] if refused else "PyTorch cannot trace forward derivatives again"
        _report(f"{why}; make_fx traces it")
    return traced or program


def _has_forward_derivatives(program):
    return any(node.target is predispatch._enter_dual_level for node in decompositions.calls(program.graph_module))


def _export_traced(module, arguments):
    """Exports what make_fx traces of a module; returns None if it cannot."""
    # An error of the module itself has been logged once already.
    with _without(logging.getLogger("torch._subclasses.fake_tensor"), "failed while attempting to run meta"):
        try:
            with functions.Traceable():
                return torch.export.export(_traced(module, arguments), *arguments, strict=False)
        except Exception:  # of PyTorch's, of any kind
            return None


def _traced(module, arguments):
    try:
        return _Traced(module, *arguments, "fake")
    except RuntimeError as error:
        if "devices" not in str(error):
            raise
        # PyTorch takes fake tensors for those of two devices in a vmap of a forward derivative, such as a Hessian's.
        return _Traced(module, *arguments, "real")


def _check_constants(program):
    """torch.export keeps the argument of a gradient as a constant, without the values that it has in a call."""
    for name, value in program.constants.items():
        if isinstance(value, torch.Tensor) and torch._C._functorch.is_functorch_wrapped_tensor(value):
            raise ValueError(f"it makes a constant of '{name}', an argument of torch.func.grad or of its like")


def _copied(tensor):
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


class _Traced(torch.nn.Module):
    """A module as the operators that make_fx sees in a call with the given arguments, which it does not change."""

    def __init__(self, module, args, kwargs, tracing_mode):
        super().__init__()
        self.module = module
        leaves, spec = pytree.tree_flatten((args, kwargs))
        result_spec = None

        def flat(state, *leaves):
            nonlocal result_spec
            args, kwargs = pytree.tree_unflatten(leaves, spec)
            results, result_spec = pytree.tree_flatten(torch.func.functional_call(module, state, args, kwargs))
            return results

        given = self._state(), *leaves
        if tracing_mode == "real":  # fake tensors are copies already, without data
            given = pytree.tree_map_only(torch.Tensor, _copied, given)
        self.traced = make_fx(flat, tracing_mode=tracing_mode, _allow_non_fake_inputs=True)(*given)

        @functools.wraps(module.forward)  # for the names of arguments
        def forward(*args, **kwargs):
            results = self.traced(self._state(), *pytree.tree_leaves((args, kwargs)))
            return pytree.tree_unflatten(results, result_spec)

        self.forward = forward

    def _state(self):
        return {**dict(self.module.named_parameters()), **dict(self.module.named_buffers())}


# -----------------------------------------------------------------------------
# Handing over
# -----------------------------------------------------------------------------


def import_program(program, *, kept=(), verbose=False):
    """Returns an ExportedProgram as an `isthmus.Module` of the torch dialect.

    Parameters and buffers are not copied, and kept alive; their values are read when the module is written or
    compiled. Those on another device are copied to the CPU.

    Args:
      program: the program.
      kept: names of operators that keep their names though the torch dialect has no class for them, or "all". Others
        are replaced by PyTorch's own decomposition, if there is one.
      verbose: print to stderr the operators that PyTorch decomposes, and why it does not decompose others.

    Raises:
      BadModelError: the importer cannot read parts of the program; the error names all of them.
      UnsupportedError: PyTorch made a constant of an argument, cannot trace the program again, which contains operators
        with side effects, or cannot write it.
    """
    report = _report if verbose else lambda line: None
    with _pytorch("export the program", "compile the module instead of the program that torch.export makes of it"):
        _check_constants(program)
    guards = program._guards_code  # tracing a program that was loaded loses them
    traced = _needs_tracing(program)
    if traced:
        program = _trace_again(program)
    try:
        return _import_as_it_is(program, guards, kept, report)
    except BadModelError as error:
        if traced or not any("with run_decompositions()" in message for message in error.messages):
            raise
        report(f"traced again: {error.messages[0]}")
    return _import_as_it_is(_trace_again(program), guards, kept, report)


def _trace_again(program):
    """Returns a program of operators without side effects."""
    with _pytorch("trace the program again"):
        return program.run_decompositions({})


def _import_as_it_is(program, guards, kept, report):
    graph_module = decompositions.decompose(program.graph_module, kept, report)
    graph = _serialize(graph_module, _signature_of(program, graph_module), _call_graph_of(program))
    guards = dict.fromkeys([*guards, *program._guards_code])
    text = _graph_json(graph, program.range_constraints, guards)
    module = _import(text, program.state_dict, program.constants)
    module._trees = _Trees(program.call_spec.in_spec, program.call_spec.out_spec)
    return module


@dataclasses.dataclass
class _Trees:
    """The nesting of a call and of its output, with all classes that PyTorch knows the parts of."""

    call: pytree.TreeSpec
    output: pytree.TreeSpec

    def leaves(self, args, kwargs):
        """The leaves of a call in the order of the exported one, or None if its structure is another."""
        positional, named = self.call.children()
        names = named.context
        if len(args) != positional.num_children or kwargs.keys() != set(names):
            return None
        leaves, call = pytree.tree_flatten((tuple(args), {name: kwargs[name] for name in names}))
        return leaves if call == self.call else None

    def nest(self, leaves):
        return pytree.tree_unflatten(list(leaves), self.output)


def _serialize(graph_module, signature, call_graph):
    """Returns a graph as PyTorch writes it."""
    # PyTorch would warn of each empty list of a scan or a map, which the importer reads as it is meant.
    with _pytorch("write the program"), _without(serde.log, "Unsure how to serialize the given empty list"):
        return _serializer(signature, call_graph).serialize(graph_module)


def _serializer(signature, call_graph):
    """Returns PyTorch's serializer of graphs, which here also writes results that are bools and all functions of sizes."""
    serializer = serde.GraphModuleSerializer(signature, call_graph)
    serialize = serializer.serialize_argument_spec
    serialize_inputs = serializer.serialize_sym_op_inputs

    def with_bools(spec):
        if isinstance(spec, graph_signature.SymBoolArgument):
            return schema.Argument.create(as_sym_bool=schema.SymBoolArgument.create(as_name=spec.name))
        return serialize(spec)

    def with_all_functions(function, arguments):
        if isinstance(function, torch._ops.OpOverload) or function in serde._SYM_OPS:
            return serialize_inputs(function, arguments)
        return [
            schema.NamedArgument(name=name, arg=serializer.serialize_input(value), kind=schema.ArgumentKind.POSITIONAL)
            for name, value in zip(inspect.signature(function).parameters, arguments, strict=False)
        ]

    serializer.serialize_argument_spec = with_bools
    serializer.serialize_sym_op_inputs = with_all_functions
    return serializer


def _report(line):
    print(f"isthmus: {line}", file=sys.stderr)


def _signature_of(program, graph_module):
    """Returns the program's signature with the names in a graph. Copying a graph may give nodes other names."""
    inputs = graph_module.graph.find_nodes(op="placeholder")
    (outputs,) = graph_module.graph.output_node().args
    signature = program.graph_signature
    names = {
        spec.arg.name: node.name
        for spec, node in zip(signature.input_specs, inputs, strict=True)
        if hasattr(spec.arg, "name")
    }

    def renamed(specs, values):
        return [
            dataclasses.replace(spec, arg=dataclasses.replace(spec.arg, name=value.name))
            if isinstance(value, torch.fx.Node)
            else spec
            for spec, value in zip(specs, values, strict=True)
        ]

    results = [
        dataclasses.replace(spec, target=names[spec.target])
        if spec.kind is graph_signature.OutputKind.USER_INPUT_MUTATION
        else spec
        for spec in renamed(signature.output_specs, outputs)
    ]
    return graph_signature.ExportGraphSignature(renamed(signature.input_specs, inputs), results)


def _call_graph_of(program):
    """Returns the program's module_call_graph with structures that can be written: see `_with_named_classes`."""
    entries = []
    for entry in program.module_call_graph:
        if signature := entry.signature:
            specs = {name: _with_named_classes(getattr(signature, name)) for name in ("in_spec", "out_spec")}
            signature = dataclasses.replace(signature, **specs)
        entries.append(dataclasses.replace(entry, signature=signature))
    return entries


def _with_named_classes(spec):
    """Returns a TreeSpec with tuples in the place of classes without a name in files, such as torch.return_types.topk."""
    if spec.is_leaf():
        return spec
    known = pytree.SUPPORTED_SERIALIZED_TYPES.get(spec.type)
    if spec.type is collections.namedtuple:  # its context is the class
        known = pytree.SUPPORTED_SERIALIZED_TYPES.get(spec.context)
    is_named = known and known.serialized_type_name != pytree.NO_SERIALIZED_TYPE_NAME_FOUND
    children = [_with_named_classes(child) for child in spec.children()]
    return pytree.TreeSpec(spec.type, spec.context, children) if is_named else pytree.TreeSpec(tuple, None, children)


def _needs_tracing(program):
    """Whether a graph must be traced again to contain only operators without side effects.

    This applies to torch.vmap, automatic casts, operators outside `aten` that write to their arguments, those that
    change the sizes or strides of an argument, such as aten.transpose_, and weights of several tensors each, such as the
    quantized ones of torchao.
    """
    if any(map(is_traceable_wrapper_subclass, [*program.state_dict.values(), *program.constants.values()])):
        return True
    targets = {node.target for node in decompositions.calls(program.graph_module)}
    return any(
        getattr(target, "__module__", "") == "torch._functorch.predispatch"
        or target is torch.ops.higher_order.wrap_with_autocast
        or (isinstance(target, torch._ops.OpOverload) and _changes_more_than_elements(target))
        for target in targets
    )


def _changes_more_than_elements(op):
    if torch.Tag.inplace_view in op.tags:
        return op is not torch.ops.aten.detach_.default
    return op.namespace != "aten" and op._schema.is_mutable


def _graph_json(graph_module, range_constraints, guards=()):
    return serde._to_json_bytes(
        schema.ExportedProgram(
            graph_module=graph_module,
            opset_version={},
            range_constraints=serde.serialize_range_constraints(range_constraints),
            schema_version=schema.SchemaVersion(*schema.SCHEMA_VERSION),
            torch_version=torch.__version__,
            guards_code=list(guards),
        )
    )


def _import(text, weights, constants):
    records = {"models/model.json": text}
    _add_payloads(records, "data/weights/", "model_weights_config.json", weights)
    _add_payloads(records, "data/constants/", "model_constants_config.json", constants)
    return api.import_records(records)


def _add_payloads(records, folder, config_name, values):
    """Adds each storage of `values` once, and the place of each value in its storage."""
    names, config, findings = {}, {}, []
    for name, value in values.items():
        if isinstance(value, torch.Tensor) and not _has_data(value):
            findings.append(f"'{name}': expected a dense tensor with data, got {_kind_of(value)}")
            continue
        if not isinstance(value, torch.Tensor):
            config[name] = schema.PayloadMeta(name, is_param=False, use_pickle=True, tensor_meta=None)
            continue
        value = value.detach().cpu().resolve_conj().resolve_neg()
        if value._is_zerotensor():  # zeros of torch.func.jvp, which have no storage
            value = torch.zeros(value.shape, dtype=value.dtype)
        storage = value.untyped_storage()
        path = names.setdefault(storage.data_ptr(), f"{len(names)}")
        # A byte view of the storage, which keeps it alive.
        records[folder + path] = torch.empty(0, dtype=torch.uint8).set_(storage).numpy()
        with _pytorch(f"write '{name}'"):
            meta = serde.serialize_tensor_meta(value)
        config[name] = schema.PayloadMeta(path, is_param=False, use_pickle=False, tensor_meta=meta)
    if findings:
        raise InputError(findings)
    records[folder + config_name] = serde._to_json_bytes(schema.PayloadConfig(config))


_PLAIN = torch.Tensor, torch.nn.Parameter, torch.nn.Buffer


def _has_data(tensor):
    return (
        type(tensor) in _PLAIN
        and tensor.layout == torch.strided
        and not tensor.is_quantized
        and tensor.device.type != "meta"
    )


def _kind_of(tensor):
    return f"{type(tensor).__name__} ({str(tensor.layout).removeprefix('torch.')}, {tensor.device})"


def import_graph(graph_module):
    """Returns a functional ATen graph (a torch.fx.GraphModule) as an `isthmus.Module`; its attributes are the weights."""
    graph_module, constants = _with_constants_as_inputs(graph_module)
    inputs, outputs = [], []
    for node in graph_module.graph.nodes:
        if stack := node.meta.get("nn_module_stack"):  # has classes, but the serializer expects their names
            names = {key: (path, getattr(kind, "__qualname__", kind)) for key, (path, kind) in stack.items()}
            node.meta["nn_module_stack"] = names
        if node.op == "placeholder":
            is_constant = node.name in constants
            kind = graph_signature.InputKind.CONSTANT_TENSOR if is_constant else graph_signature.InputKind.USER_INPUT
            target = node.name if is_constant else None
            inputs.append(graph_signature.InputSpec(kind, _argument(node), target))
        elif node.op == "output":
            (results,) = node.args
            results = [results] if isinstance(results, torch.fx.Node) else results
            outputs += [
                graph_signature.OutputSpec(graph_signature.OutputKind.USER_OUTPUT, _argument(result), target=None)
                for result in results
            ]
    signature = graph_signature.ExportGraphSignature(inputs, outputs)
    text = _graph_json(_serialize(graph_module, signature, []), {})
    with unset_fake_temporarily():  # torch.compile traces with it
        return _import(text, {}, constants)


def _with_constants_as_inputs(graph_module):
    """Returns a graph whose tensors are inputs, before the others, and these tensors by the names of the inputs."""
    graph, values, constants = torch.fx.Graph(), {}, {}
    for node in graph_module.graph.find_nodes(op="get_attr"):
        tensor = getattr(graph_module, node.target, None)
        if isinstance(tensor, torch.Tensor):
            values[node] = graph.placeholder(node.name)
            values[node].meta["val"] = constants[values[node].name] = tensor
    if not constants:
        return graph_module, constants
    for node in graph_module.graph.nodes:
        if node not in values:
            values[node] = graph.node_copy(node, values.__getitem__)
    return torch.fx.GraphModule(graph_module, graph), constants


def _argument(value):
    """Returns an argument or result in the form of a signature."""
    if not isinstance(value, torch.fx.Node):
        return graph_signature.ConstantArgument("", value)
    meta = value.meta["val"]
    kinds = {
        torch.SymInt: graph_signature.SymIntArgument,
        torch.SymFloat: graph_signature.SymFloatArgument,
        torch.SymBool: graph_signature.SymBoolArgument,
    }
    return kinds.get(type(meta), graph_signature.TensorArgument)(value.name)


def to_array(tensor: torch.Tensor) -> np.ndarray:
    """Returns a NumPy array over a tensor's memory, of its shape and dtype.

    bfloat16 and the 8-bit floats, which NumPy lacks, are dtypes of the package ml_dtypes.

    Raises:
      ValueError: the tensor is not on the CPU, or not dense.
    """
    if type(tensor) in _PLAIN and tensor.dtype not in _ML_DTYPES:
        try:
            return tensor.detach().numpy()
        except (RuntimeError, TypeError):
            pass  # of another layout or device, conjugated, negated or quantized
    if not _has_data(tensor) or tensor.device.type != "cpu":
        raise ValueError(f"expected a dense tensor on the CPU, got {_kind_of(tensor)}")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype not in _ML_DTYPES:
        return tensor.numpy()
    import ml_dtypes

    bits = tensor.view(_bits_of(tensor.dtype)).numpy()
    return bits.view(getattr(ml_dtypes, _ML_DTYPES[tensor.dtype]))


def to_tensor(array: np.ndarray) -> torch.Tensor:
    """Returns a tensor over an array's memory, of its shape and dtype; the inverse of `to_array`."""
    try:
        return torch.from_numpy(array)
    except TypeError:
        dtype = next((dtype for dtype, name in _ML_DTYPES.items() if name == array.dtype.name), None)
        if dtype is None:
            raise
    return torch.from_numpy(array.view(f"int{8 * array.itemsize}")).view(dtype)


# The ml_dtypes names of dtypes that NumPy lacks.
_ML_DTYPES = {
    torch.bfloat16: "bfloat16",
    torch.float8_e4m3fn: "float8_e4m3fn",
    torch.float8_e4m3fnuz: "float8_e4m3fnuz",
    torch.float8_e5m2: "float8_e5m2",
    torch.float8_e5m2fnuz: "float8_e5m2fnuz",
}


def _bits_of(dtype):
    return torch.int16 if dtype.itemsize == 2 else torch.int8


# -----------------------------------------------------------------------------
# torch.compile
# -----------------------------------------------------------------------------


def dynamo_backend(
    graph_module: torch.fx.GraphModule,
    example_inputs: list,
    *,
    options: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> Callable:
    """`torch.compile(model, backend="isthmus")`: graphs run as Linalg on the CPU.

    PyTorch runs a graph with an op that has no lowering, or with tensors of another device, and a warning names the op.
    Parameters are arguments of the graph, so training steps between calls take effect.

    Args:
      graph_module, example_inputs: as PyTorch calls a backend.
      options: `{"runtime": "jit"}`, the default, runs graphs in this process by Isthmus;
        "xla" runs them as StableHLO in XLA's CPU, which needs the package `jax`.
      **kwargs: other options of torch.compile, for PyTorch.
    """
    given = dict(options or {})
    runtime = given.pop("runtime", "jit")
    if problems := [f"options: expected 'runtime' alone, got '{name}'" for name in given]:
        raise InputError(problems)
    if runtime not in _COMPILERS:
        raise InputError([f"runtime: expected {' or '.join(map(repr, _COMPILERS))}, got {runtime!r}"])
    from torch._dynamo.backends.common import aot_autograd

    # The gradient of a fused attention is an operator of its own, which has no decomposition.
    kernels = contextlib.nullcontext()
    if torch.is_grad_enabled() and any(getattr(value, "requires_grad", False) for value in example_inputs):
        kernels = torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)
    with kernels:
        forward = functools.partial(compile_graph, runtime=runtime)
        backward = functools.partial(forward, leaves_views=False)
        return aot_autograd(fw_compiler=forward, bw_compiler=backward, decompositions=decompositions.table())(
            graph_module, example_inputs, **kwargs
        )


def _register_backend():
    """Gives the backend its name where no installed wheel does, such as for a package on a path.

    A wheel's entry point gives it the name too, and PyTorch takes each name once.
    """
    if "isthmus" not in entry_points(group="torch_dynamo_backends").names:
        torch._dynamo.register_backend(dynamo_backend, name="isthmus")


_register_backend()


def _compile_for_jit(graph_module):
    lowered = import_graph(graph_module).lower(api.OutputType.LINALG_ON_TENSORS)
    lowered.input_names(threads=0)  # compiles, so that compiler errors are raised here
    return function_of(graph_module, lambda *tensors: map(to_tensor, lowered.run(*tensors, threads=0)))


def _compile_for_xla(graph_module):
    from isthmus.jax import runtime

    return runtime.compile_graph(graph_module)


_COMPILERS = {"jit": _compile_for_jit, "xla": _compile_for_xla}


def compile_graph(graph_module, example_inputs, runtime="jit", leaves_views=True):
    """Returns a function from a list of tensors to a list of tensors that runs a functional ATen graph."""
    from functorch.compile import make_boxed_func

    try:
        _check_devices(example_inputs)
        _check_deterministic(graph_module)
        program, around = layouts.split(graph_module, leaves_views)
        native = _COMPILERS[runtime](program) if program.graph.output_node().args[0] else lambda *inputs: []
        return make_boxed_func(_or_pytorch(around(native), graph_module))
    except (IsthmusError, ValueError) as error:
        _warn_of_graph(error)
        return make_boxed_func(graph_module.forward)


def _or_pytorch(native, graph_module):
    """Returns a function that leaves a graph to PyTorch after its first run that fails, such as for lack of memory."""

    def run(*inputs):
        nonlocal native
        if native:
            try:
                return native(*inputs)
            except IsthmusError as error:
                _warn_of_graph(error)
                native = None
        return graph_module.forward(*inputs)

    return run


def _warn_of_graph(error):
    warnings.warn(f"isthmus leaves a graph to PyTorch: {error}", stacklevel=3)


def function_of(graph_module, execute):
    """Returns the function of a graph, from the one that computes the outputs that are results of the program."""
    (outputs,) = graph_module.graph.output_node().args
    finishes = [_finish(output) for output in outputs]

    def run(*inputs):
        given = (_TOKEN if value is None else value for value in inputs)
        results = iter(execute(*given))
        return [finish(results) for finish in finishes]

    return run


# PyTorch passes None for a token, which orders operators with effects, such as the checks of torch.linalg.inv.
_TOKEN = torch.empty(0)


def _is_token(output):
    """Whether an output of a graph is a token: the first result of an operator with effects."""
    if output.target is not operator.getitem:
        return False
    node, place = output.args
    return place == 0 and node.target is torch.ops.higher_order.with_effects


def _finish(output):
    """Returns a function that takes an output of a graph from the results of a run."""
    if not isinstance(output, torch.fx.Node):
        return lambda results: output  # a constant, which is not a result of the program
    if _is_token(output):
        return lambda results: None  # nor is a token
    if isinstance(output.meta["val"], torch.Tensor):
        return next
    return lambda results: next(results).item()  # a scalar is a tensor of rank 0 in the program


def _check_deterministic(graph_module):
    """Programs draw the same random numbers in each call, and PyTorch others."""
    random = {decompositions.name_of(node.target) for node in decompositions.calls(graph_module) if _is_random(node)}
    if random:
        raise UnsupportedError([f"expected a graph without random numbers, got {', '.join(sorted(random))}"])


def _is_random(node):
    """Whether an operator draws random numbers; a fused attention does so only to drop elements."""
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    parameters = node.target._schema.arguments
    given = dict(zip((parameter.name for parameter in parameters), node.args, strict=False)) | dict(node.kwargs)
    defaults = {parameter.name: parameter.default_value for parameter in parameters}
    return given.get("dropout_p", defaults.get("dropout_p")) != 0


def _check_devices(values):
    devices = {str(value.device) for value in values if isinstance(value, torch.Tensor)} - {"cpu"}
    if devices:
        raise UnsupportedError([f"expected tensors on the CPU, got {', '.join(sorted(devices))}"])
