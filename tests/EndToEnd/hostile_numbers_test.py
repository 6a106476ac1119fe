"""No number in a model crashes a conversion, or makes it compute or allocate without bound.

Each variant of hostile_numbers.py is lowered to all targets. That ends with a program or with an error
that says where, within the bounds below. A test takes every n-th variant of an op. For all of them:
    cd bazel-bin/tests/EndToEnd/hostile_numbers_test.runfiles/isthmus
    PYTHONPATH=.:python EVERY=1 python tests/EndToEnd/hostile_numbers_test.py [OP ...]
After `bazel build --config=traps` what C++ leaves undefined ends a process as well.
"""

import collections
import os
import sys
import time

import pytest

import isthmus
from tests.EndToEnd import aten_cases, aten_composite_cases, hostile_numbers, onnx_node_cases, onnxruntime_cases
from tests.support import contained

TARGETS = [target for target in isthmus.output_types() if target != isthmus.OutputType.TORCH]
# What it may take to lower a variant to all targets; most take 10 ms.
SECONDS, MEBIBYTES = 2, 512
EVERY = int(os.environ.get("EVERY", 11))
OFFSET = int(os.environ.get("OFFSET", 0))


def cases_by_op():
    """For each op its cases, each with the function that makes variants of it."""
    by_op = collections.defaultdict(list)
    for op, cases in onnx_node_cases.cases_by_op().items():
        by_op[op] += [(hostile_numbers.onnx_variants, case) for case in cases]
    for case in onnxruntime_cases.CASES:
        by_op[f"{onnxruntime_cases.DOMAIN}.{case.op}"].append((hostile_numbers.onnxruntime_variants, case))
    for case in [*aten_cases.CASES, *aten_composite_cases.CASES]:
        by_op[case.op].append((hostile_numbers.aten_variants, case))
    return by_op


CASES = cases_by_op()


def lower(variant):
    """Lowers a variant to all targets; returns the error of each, "" where there is none."""
    program = variant.make()
    try:
        if isinstance(program, str):
            module = isthmus.parse(program)
        else:
            module = isthmus.import_onnx(program).lower("torch")
    except isthmus.IsthmusError as error:
        return {"torch": str(error)}
    errors = {}
    for target in TARGETS:
        try:
            module.lower(target)
            errors[target] = ""
        except isthmus.IsthmusError as error:
            errors[target] = str(error)
    return errors


def says_where(error, variant):
    """Whether an error names a node, an input or an output. MLIR forgets where constants came from that it folds."""
    named = any(f"'{name}'" in error for name in variant.names)
    return named or "node '" in error or "graph input" in error or "'torch.vtensor.literal'" in error


def fault_in(variant, errors):
    """What is wrong with how a variant ended; "" if nothing is."""
    if isinstance(errors, contained.Ended):
        return str(errors)
    for target, error in errors.items():
        if error and variant.names and not says_where(error, variant):
            return f"{target}: the error does not say where: {error.splitlines()[0]}"
    return ""


def faults(variants):
    """The faults of variants, and how many programs and errors there were."""
    ends, found = collections.Counter(), []
    for variant, errors in zip(variants, contained.run_all(variants, lower, seconds=SECONDS, mebibytes=MEBIBYTES)):
        if fault := fault_in(variant, errors):
            found.append(f"{variant.name}: {fault}")
        if not isinstance(errors, contained.Ended):
            ends.update("error" if error else "program" for error in errors.values())
    return found, ends


def variants_of(op):
    return [variant for variants, case in CASES[op] for variant in variants(case)][OFFSET::EVERY]


@pytest.mark.parametrize("op", sorted(CASES))
def test_op(op):
    found, _ = faults(variants_of(op))
    assert not found, "\n".join(found)


def main(ops):
    total, all_ends, count = 0, collections.Counter(), 0
    for op in ops or sorted(CASES):
        start = time.monotonic()
        variants = variants_of(op)
        found, ends = faults(variants)
        all_ends += ends
        total += len(variants)
        count += len(found)
        print(f"{op}: {len(variants)} variants, {dict(ends)}, {len(found)} faults, {time.monotonic() - start:.1f} s")
        print("".join(f"  {fault}\n" for fault in found), end="", flush=True)
    print(f"{total} variants, {dict(all_ends)}, {count} faults")


if __name__ == "__main__":
    main(sys.argv[1:])
