"""Records the calls of core ATen ops in PyTorch's own samples: opinfo_calls.py CALLS.pt

`torch.testing._internal.common_methods_invocations` lists operators (OpInfo) with samples for each
dtype. Each sample is run once, and the core overloads that it calls are recorded with their arguments. An
overload that is not core is decomposed first, if PyTorch's core table has a decomposition of it.
"""

import collections
import random
import sys
import types
import unittest
import warnings

import numpy as np
import torch
from torch._decomp import core_aten_decompositions
from torch.utils._python_dispatch import TorchDispatchMode

# PyTorch's test classes derive from a class of this package. No sample needs it.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase))
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

DTYPES = {torch.float32: "f32", torch.int64: "i64", torch.bool: "bool"}
# The most calls that are recorded for an op and a dtype.
MOST = 20
# Calls with larger tensors are left out: they would test nothing that a few thousand elements do not.
MOST_ELEMENTS = 8192
# Arguments that say how and where tensors are stored, which is no part of a program.
PLACES = {"layout", "device", "pin_memory", "memory_format"}
DECOMPOSITIONS = core_aten_decompositions()


class NotAProgram(Exception):
    """Raised for a call that a program of dense tensors of real numbers cannot contain."""


class Calls:
    """The calls of one op in samples of one dtype."""

    def __init__(self):
        # Calls in samples of the op itself, which are chosen first, and calls in samples of other operators, by form.
        self.own, self.other = [], {}
        self.left_out = collections.Counter()

    def add(self, func, args, kwargs, is_own):
        """Records a call; returns a function that removes it again."""
        try:
            arguments = positional(func, args, kwargs)
        except NotAProgram as reason:
            self.left_out[str(reason)] += 1
            return lambda: None
        if is_own:
            self.own.append(arguments)
            return self.own.pop
        form = repr(tuple(map(form_of, arguments)))
        if form in self.other:
            return lambda: None
        self.other[form] = arguments
        return lambda: self.other.pop(form)

    def chosen(self):
        """At most `MOST` of the calls, spread evenly over the lists."""
        own = spread(self.own, MOST)
        return own + spread(list(self.other.values()), MOST - len(own))


def spread(elements, count):
    """`count` elements at even distances, or all."""
    if len(elements) <= count:
        return elements
    return [elements[i * len(elements) // count] for i in range(count)]


class Recorder(TorchDispatchMode):
    """Records the calls of core ops in `calls`, by op."""

    def __init__(self, calls, operator):
        super().__init__()
        self.calls, self.operator = calls, operator

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        func, kwargs = overload_of(func, args), kwargs or {}
        op = func.name().replace("::", ".")
        if torch.Tag.core in func.tags:
            result = self.record(op, func, args, kwargs)
        elif func in DECOMPOSITIONS:
            with self:
                result = DECOMPOSITIONS[func](*args, **kwargs)
        else:
            result = func(*args, **kwargs)
        # Uninitialized memory would make another sample each time.
        return result.zero_() if op.startswith(("aten.empty", "aten.new_empty")) else result

    def record(self, op, func, args, kwargs):
        take_back = self.calls[op].add(func, args, kwargs, is_own=op.split(".")[1] == self.operator)
        try:
            return func(*args, **kwargs)
        except Exception:
            take_back()
            self.calls[op].left_out["PyTorch refuses it"] += 1
            raise


def overload_of(func, args):
    """The overload for numbers if a call has one: PyTorch passes the 1 of `x + 1` to add.Tensor, not to add.Scalar."""
    if len(args) > 1 and isinstance(args[1], (bool, int, float)) and func._overloadname.startswith("Tensor"):
        packet, name = func.overloadpacket, "Scalar".join(func._overloadname.rsplit("Tensor", 1))
        return getattr(packet, name, func)
    return func


def positional(func, args, kwargs):
    """The arguments of a call in the order of the schema, tensors as copies."""
    if func is torch.ops.aten.as_strided.default and args[0].untyped_storage().nbytes() != args[0].nbytes:
        raise NotAProgram("what lies in memory beside an argument")
    arguments = []
    for i, argument in enumerate(func._schema.arguments):
        value = args[i] if i < len(args) else kwargs.get(argument.name, argument.default_value)
        if isinstance(argument.type, torch.TensorType) and isinstance(value, (bool, int, float)):
            value = as_tensor(value, args)
        arguments.append(None if argument.name in PLACES else copied(value))
    return tuple(arguments)


def as_tensor(number, args):
    """The tensor for a number in place of a tensor, as in `1 - x`. Its dtype is that of PyTorch's type promotion."""
    others = [arg for arg in args if isinstance(arg, torch.Tensor)]
    dtype = torch.result_type(others[0], number) if others else torch.tensor(number).dtype
    return torch.scalar_tensor(number, dtype=dtype)


def copied(value):
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            raise NotAProgram("a sparse tensor")
        if value.is_complex():
            raise NotAProgram("complex numbers")
        if value.numel() > MOST_ELEMENTS:
            raise NotAProgram(f"a tensor of more than {MOST_ELEMENTS} elements")
        return value.detach().clone(memory_format=torch.contiguous_format)
    if isinstance(value, (list, tuple)):
        return [copied(v) for v in value]
    if isinstance(value, complex) or (isinstance(value, torch.dtype) and value.is_complex):
        raise NotAProgram("complex numbers")
    if value is None or isinstance(value, (bool, int, float, str, torch.dtype)):
        return value
    raise NotAProgram(f"a {type(value).__name__}")


def form_of(value):
    """The form of an argument: dtype and shape of a tensor, without its elements, or the value itself."""
    if isinstance(value, torch.Tensor):
        return value.dtype, tuple(value.shape)
    return list(map(form_of, value)) if isinstance(value, list) else value


def record(info, dtype, calls):
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    try:
        samples = info.sample_inputs("cpu", dtype, requires_grad=False)
        for sample in samples:
            with Recorder(calls, info.aten_name):
                try:
                    info(sample.input, *sample.args, **sample.kwargs)
                except (NotImplementedError, RuntimeError, TypeError):
                    continue  # PyTorch's build lacks a kernel or a library; earlier calls of the sample stay recorded
    except (ImportError, RuntimeError):  # samples that need another package or a GPU
        return


def main(path):
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    chosen = collections.defaultdict(dict)
    for dtype, name in DTYPES.items():
        calls = collections.defaultdict(Calls)
        for info in op_db:
            # jiterator compiles for GPUs only.
            if info.supports_dtype(dtype, "cpu") and not info.name.startswith("jiterator"):
                record(info, dtype, calls)
        for op, of_op in calls.items():
            chosen[op][name] = of_op.chosen(), dict(of_op.left_out)
    torch.save(dict(chosen), path)


if __name__ == "__main__":
    main(sys.argv[1])
