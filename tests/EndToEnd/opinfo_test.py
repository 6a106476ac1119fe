"""The ops that PyTorch tags core, on PyTorch's own samples. The JIT runs them on Linalg and TOSA, XLA on MHLO.

opinfo_outcomes.txt lists how the samples of each op end on each target, and why if they do not
pass. `bazel run //tools:refresh_docs` makes docs/generated/opinfo.md from it. If a lowering changes
the outcomes, update the file with these commands, for all ops or for those that are named:
    cd bazel-bin/tests/EndToEnd/opinfo_test.runfiles/isthmus
    PYTHONPATH=.:python python tests/EndToEnd/opinfo_test.py aten.add.Tensor
"""

import collections
import multiprocessing
import pathlib
import re
import sys

import numpy as np
import pytest
import torch
from torch.testing._comparison import default_tolerances

import isthmus
from tests.EndToEnd import opinfo_cases
from tests.EndToEnd.aten_cases import inputs_of, program, to_numpy
from tests.support import targets, xla
from tests.support.batches import outcomes

OUTCOMES = pathlib.Path(__file__).with_name("opinfo_outcomes.txt")
TARGETS = ("linalg", "mhlo", "tosa")
ENDS = ("passed", "outside", "failed")
# How many cases one program holds.
AT_ONCE = 8

# Ops that order elements, and the position of their argument `dim`.
ORDERED_DIM = {"aten.sort": 1, "aten.topk": 2}


def picks_the_same(case, values, positions):
    """Whether the positions, along the dim that an op orders, are all different and hold the values."""
    source = case.tensors[0].numpy()
    if source.ndim == 0 or positions.size == 0:
        return True
    place = ORDERED_DIM[case.op]
    dim = case.args[place] if len(case.args) > place else -1
    ranked = np.sort(positions, dim)
    if ranked.min() < 0 or ranked.max() >= source.shape[dim] or (np.diff(ranked, axis=dim) == 0).any():
        return False
    picked = np.take_along_axis(source, positions, dim)
    return np.array_equal(picked, values, equal_nan=picked.dtype.kind == "f")


def verdict(case, results):
    """Returns how the results differ from PyTorch's, beyond PyTorch's own tolerance for their dtype, or None."""
    if case.op in ORDERED_DIM and picks_the_same(case, *results):
        # The order of equal elements is not defined, so other positions are right as well.
        results = [results[0], to_numpy(case.expected[1])]
    for result, expected in zip(results, case.expected, strict=True):
        want, got = to_numpy(expected), np.asarray(result)
        if got.shape != want.shape:
            return "another shape"
        if got.dtype != want.dtype:
            return f"{got.dtype} for {want.dtype}"
        if case.op in opinfo_cases.NO_NUMBERS:
            continue
        rtol, atol = default_tolerances(expected)
        wide = np.float64 if expected.is_floating_point() else want.dtype
        if not np.allclose(got.astype(wide), want.astype(wide), rtol, atol, equal_nan=True):
            return "other numbers"
    return None


def general(reason):
    """A reason without the parts that differ from sample to sample."""
    reason = re.sub(r"^.*?error: |^(<\w+>)?:?\d+:\d+: ", "", reason.strip().split("\n")[0])
    return re.sub(r"'!torch\.v?tensor<[^']*>'|\[[\d,? x]*\]|-?\b\d+(\.\d+)?\b", "*", reason)


def end_of(target, reason):
    if reason is None:
        return "passed", ""
    outside = any(re.search(pattern, reason) for pattern in targets.OUTSIDE[target])
    return "outside" if outside else "failed", general(reason)


def ends(target, cases):
    """Runs cases on a target; returns (end, reason) of each."""

    def run(some):
        emitters = xla.emitters_for(case.op for case in some)
        return targets.runner(isthmus.parse(program(some)), target, emitters=emitters)(*inputs_of(some))

    found = []
    for case, outcome in zip(cases, outcomes(cases, run, AT_ONCE)):
        if isinstance(outcome, Exception):
            said = "\n".join(getattr(outcome, "messages", [str(outcome)]))
            found.append(end_of(target, said or type(outcome).__name__))
        else:
            found.append(end_of(target, verdict(case, outcome)))
    return found


def judged(op):
    """Runs the cases of an op; returns its lines for the file."""
    if op in opinfo_cases.NOT_RUN:
        return [f"{op} | not run: {opinfo_cases.NOT_RUN[op]}"]
    cases, are_pytorchs, left_out = opinfo_cases.cases(op)
    counts, lines = [], []
    for target in TARGETS:
        found = collections.Counter(ends(target, cases))
        counts.append(" ".join(str(sum(n for (end, _), n in found.items() if end == each)) for each in ENDS))
        lines += [f"  {target} {end} {n}: {reason}" for (end, reason), n in sorted(found.items()) if reason]
    lines += [f"  left out {n}: {reason}" for reason, n in sorted(left_out.items())]
    return [f"{op} | {'PyTorch' if are_pytorchs else 'by hand'} | {' | '.join(counts)}", *lines]


def recorded():
    """Reads the file; returns {op: its lines}."""
    by_op = {}
    for line in OUTCOMES.read_text(encoding="utf-8").splitlines()[1:]:
        if not line.startswith(" "):
            own = by_op[line.split(" ")[0]] = []
        own.append(line)
    return by_op


@pytest.mark.parametrize("op", opinfo_cases.core_ops())
def test_op(op):
    assert judged(op) == recorded().get(op)


def main(ops):
    by_op = recorded() if ops else {}
    ops = ops or opinfo_cases.core_ops()
    with multiprocessing.get_context("spawn").Pool() as pool:
        for op, lines in zip(ops, pool.imap(judged, ops)):
            by_op[op] = lines
            print(*lines, sep="\n", flush=True)
    header = f"op | samples of | {', '.join(ENDS)} on " + " | ".join(TARGETS)
    lines = [header, *(line for op in sorted(by_op) for line in by_op[op])]
    OUTCOMES.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1:])
