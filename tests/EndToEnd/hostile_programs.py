"""Lowers altered programs of other tests to all targets, in processes of their own.

A test passes functions that alter the cases of each suite, and takes every n-th program of an op. Environment
variables choose the programs:
    EVERY, OFFSET    n, and the number of the first program
"""

import collections
import dataclasses
import os
import time
from collections.abc import Callable

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases, contrib_cases, onnx_node_cases
from tests.support import contained

TARGETS = [target for target in isthmus.output_types() if target != isthmus.OutputType.TORCH]
# Limits for lowering a program to all targets. Most programs take 10 ms.
SECONDS, MEBIBYTES = 2, 512


@dataclasses.dataclass
class Variants:
    """Functions that alter the cases of each suite. Each takes a case and yields programs with a `name`."""

    onnx: Callable
    onnxruntime: Callable
    aten: Callable

    def by_op(self):
        """For each op its cases, each with the function that alters it."""
        cases_of = collections.defaultdict(list)
        for op, cases in onnx_node_cases.cases_by_op().items():
            cases_of[op] += [(self.onnx, case) for case in cases]
        for op, case in contrib_cases.named_cases():
            cases_of[op].append((self.onnxruntime, case))
        for case in [*aten_cases.CASES, *aten_composite_cases.CASES]:
            cases_of[case.op].append((self.aten, case))
        return cases_of


def errors_of(module):
    """Lowers a module of the torch dialect to all targets; returns the error of each, "" where there is none."""
    errors = {}
    for target in TARGETS:
        try:
            module.lower(target)
            errors[target] = ""
        except isthmus.IsthmusError as error:
            errors[target] = "\n".join(error.messages)
    return errors


def lower(program):
    """Lowers a program, the bytes of an ONNX model or a text, to all targets; returns the errors.

    If it fails before the targets, the only error is that of "torch".
    """
    try:
        if isinstance(program, str):
            module = isthmus.parse(program)
        else:
            module = isthmus.import_onnx(program).lower("torch")
    except isthmus.IsthmusError as error:
        return {"torch": "\n".join(error.messages)}
    return errors_of(module)


class Test:
    """A test of every n-th variant of each op.

    Args:
      variants: a `Variants`.
      act: lowers a variant and returns the errors by target.
      fault_in: returns the fault in these errors, or "".
      every: the test takes every n-th variant.
    """

    def __init__(self, variants, act, every, fault_in=lambda variant, errors: ""):
        self.act, self.fault_in = act, fault_in
        self.every = int(os.environ.get("EVERY", every))
        self.offset = int(os.environ.get("OFFSET", 0))
        self.cases = variants.by_op()
        self.ops = sorted(self.cases)

    def faults(self, op):
        """The faults of an op's variants, and how many variants, programs and errors there were."""
        every = [variant for variants, case in self.cases[op] for variant in variants(case)]
        chosen = every[self.offset :: self.every]
        found, ends = [], collections.Counter(variants=len(chosen))
        results = contained.run_all(chosen, self.act, seconds=SECONDS, mebibytes=MEBIBYTES)
        for variant, errors in zip(chosen, results):
            if isinstance(errors, contained.Ended):
                fault = str(errors)
            else:
                fault = self.fault_in(variant, errors)
                ends.update("errors" if error else "programs" for error in errors.values())
            if fault:
                found.append(f"{variant.name}: {fault}")
        return found, ends

    def main(self, ops):
        """Prints the results for some ops, or for all."""
        total, count = collections.Counter(), 0
        for op in ops or self.ops:
            start = time.monotonic()
            found, ends = self.faults(op)
            total += ends
            count += len(found)
            print(f"{op}: {dict(ends)}, {len(found)} faults, {time.monotonic() - start:.1f} s")
            print("".join(f"  {fault}\n" for fault in found), end="", flush=True)
        print(f"{dict(total)}, {count} faults")
