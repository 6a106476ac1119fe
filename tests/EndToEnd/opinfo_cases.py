"""Programs of core ATen ops with the samples of PyTorch's own tests and PyTorch's results.

opinfo_calls.py records the calls that the samples make. For an op that no sample calls, the
handwritten cases are used.
"""

import collections
import functools
import pathlib

import torch

from tests.EndToEnd import aten_cases, aten_composite_cases

CALLS = pathlib.Path(__file__).with_name("opinfo_calls.pt")

# Core overloads for which there is no program to run.
NOT_RUN = {
    "aten._fft_c2r": "complex numbers, which the samples are recorded without: aten_composite_cases.py has some",
    "aten._fft_r2c": "complex numbers, which the samples are recorded without: aten_composite_cases.py has some",
    "aten.atan2.out": "writes to an argument; programs have `aten.atan2`",
    "aten.randperm": "random, and PyTorch has no samples: tests/EndToEnd/random_test.py looks at its numbers",
    "aten.resize_": "resizes its argument in place, which no program does",
}

# Ops for which only the shape and the dtype of results can be compared.
NO_NUMBERS = {
    "aten.empty.memory_format": "any values",
    "aten.empty_strided": "any values",
    "aten.rand": "random",
    "aten.randn": "random",
}


@functools.cache
def core_ops():
    """The overloads that PyTorch tags as core, sorted."""
    ops = []
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, name = schema.name.partition("::")
        packet = getattr(torch.ops.aten, name, None) if namespace == "aten" else None
        overload = getattr(packet, schema.overload_name or "default", None)
        if overload is not None and torch.Tag.core in overload.tags:
            ops.append(overload.name().replace("::", "."))
    return sorted(ops)


@functools.cache
def by_hand():
    """Returns {op: its handwritten cases}."""
    cases = collections.defaultdict(list)
    for case in aten_cases.CASES + aten_composite_cases.CASES:
        cases[case.op].append(case)
    return cases


@functools.cache
def calls():
    return torch.load(CALLS, weights_only=False)


def cases(op):
    """Returns (the cases of an op, whether they are PyTorch's samples, {why calls are left out: how many})."""
    found, left_out = [], collections.Counter()
    for arguments, reasons in calls().get(op, {}).values():
        found += arguments
        left_out.update(reasons)
    if not found and op not in NOT_RUN:
        return by_hand()[op], False, left_out
    return [aten_cases.Case(op, args, number) for number, args in enumerate(found)], True, left_out
