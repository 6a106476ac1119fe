"""Exports PyTorch's own samples of its operators, converts them to every target, and runs those on Linalg.

    bazel run //tests/Ledgers:op_db -- [--results FILE] [KEY ...]

A key is a mode and an operator, such as f32/cumsum: a dtype, or f32 with every size open (open/cumsum), or the gradients
of f32 (gradient/cumsum), or what torch-mlir lowers (torch-mlir/cumsum, torch-mlir-open/cumsum). It takes some hours. Results go to FILE, a line of JSON per key; a second call takes only the keys that are not in it. The page is
docs/ledgers/op_db.md.
"""

import collections
import itertools
import re
import sys
import types
import unittest
import warnings

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch_mlir import fx

import isthmus
from isthmus import decompositions, pytorch
from tests.Ledgers import ledger
from tests.support.targets import OUTSIDE

# PyTorch's tests import this package for its class alone.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase))
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

SECONDS, MEBIBYTES = 300, 12_000
# How many samples of an operator are converted, and of how many they are chosen.
SAMPLES, MOST = 2, 60
TARGETS = "linalg", "stablehlo", "tosa"
# Modes, with their dtypes, and the differences from PyTorch that its own kernels' rounding explains.
MODES = {
    "f32": (torch.float32, 1e-4),
    "open": (torch.float32, 1e-4),
    "gradient": (torch.float32, 1e-4),
    "f16": (torch.float16, 1e-2),
    "bf16": (torch.bfloat16, 3e-2),
    "i64": (torch.int64, 1e-4),
    "bool": (torch.bool, 1e-4),
    "c64": (torch.complex64, 1e-4),
}
# Modes in which torch-mlir lowers the programs of another mode.
PEER = {"torch-mlir": "f32", "torch-mlir-open": "open"}
OPERATORS = {op.name + (f".{op.variant_test_name}" if op.variant_test_name else ""): op for op in op_db}
KEYS = [
    f"{mode}/{name}"
    for mode in [*MODES, *PEER]
    for name, op in OPERATORS.items()
    if MODES[PEER.get(mode, mode)][0] in op.dtypes and (mode != "gradient" or op.supports_autograd)
]
# Operators whose results are not determined by their operands: memory as it is, and vectors that may have either sign.
UNDETERMINED = {
    *("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"),
    *("linalg.eigh", "linalg.svd", "svd"),
}


def split(value, tensors):
    """A function of tensors that builds `value` again; its tensors are added to `tensors`."""
    if isinstance(value, torch.Tensor):
        index = len(tensors)
        tensors.append(value)
        return lambda given: given[index]
    if isinstance(value, (list, tuple)):
        parts = [split(part, tensors) for part in value]
        kind = type(value) if type(value) in (list, torch.Size) else tuple
        return lambda given: kind(part(given) for part in parts)
    if isinstance(value, dict):
        parts = {key: split(part, tensors) for key, part in value.items()}
        return lambda given: {key: part(given) for key, part in parts.items()}
    return lambda given: value


class Program(torch.nn.Module):
    """An operator on the operands of a sample, of which the tensors are arguments."""

    def __init__(self, op, sample):
        super().__init__()
        self.op, self.tensors = op, []
        self.operands = split((sample.input, sample.args, sample.kwargs), self.tensors)

    def forward(self, *tensors):
        first, others, named = self.operands(tensors)
        return self.op(first, *others, **named)


def export(program, is_open):
    sizes = None
    if is_open:
        sizes = (tuple({dim: torch.export.Dim.AUTO for dim in range(x.dim())} for x in program.tensors),)
    arguments = tuple(x.clone() for x in program.tensors)
    return torch.export.export(program, arguments, dynamic_shapes=sizes, strict=False)


class Gradient(Program):
    """The gradients of an operator's results, weighted by sines, with respect to the operands of real numbers."""

    def forward(self, *tensors):
        real = [index for index, x in enumerate(tensors) if x.is_floating_point()]

        def results(*given):
            operands = list(tensors)
            for index, x in zip(real, given):
                operands[index] = x
            return [x for x in ledger.tensors(super(Gradient, self).forward(*operands)) if x.is_floating_point()]

        values, gradients = torch.func.vjp(results, *(tensors[index] for index in real))
        return gradients([torch.arange(x.numel(), dtype=x.dtype).sin().reshape(x.shape) for x in values])


def differentiate(program):
    arguments = tuple(x.clone() for x in program.tensors)
    trace = make_fx(torch.func.functionalize(program), decompositions.table(), tracing_mode="fake")
    return trace(*arguments)


def is_random(exported):
    targets = (node.target for node in exported.graph.nodes if node.op == "call_function")
    return any(torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()) for target in targets)


def peer_outcome_of(program, mode):
    """What torch-mlir lowers of one sample: {target: outcome}, or why it is not counted."""
    try:
        exported = export(program, mode == "open")
    except Exception:  # PyTorch's, of any type
        return "not exported"
    outcome = {}
    for target in TARGETS:
        try:
            fx.export_and_import(exported, output_type={"linalg": "linalg-on-tensors"}.get(target, target))
            outcome[target] = "yes"
        except Exception as error:  # torch-mlir's, of any type
            outcome[target] = ledger.reason(error)
    return outcome


def outcome_of(program, mode, name):
    """How far one sample gets: {target: outcome}, or why it is not counted."""
    try:
        with torch.set_grad_enabled(mode == "gradient"):
            if mode == "gradient":
                exported = run = differentiate(program)
            else:
                exported = export(program, mode == "open")
                run = exported.module()
            want = ledger.tensors(run(*(x.clone() for x in program.tensors)))
    except Exception:  # PyTorch's, of any type
        return "not exported"
    outcome = {}
    for target in TARGETS:
        try:
            if mode == "gradient":
                module = pytorch.import_graph(exported).lower(target)
            else:
                module = isthmus.compile(exported, output_type=target)
            outcome[target] = "yes"
            if target != "linalg" or is_random(exported) or name in UNDETERMINED:
                continue
            arguments = [x.resolve_conj().resolve_neg().contiguous() for x in program.tensors]
            got = ledger.tensors(module.run(*arguments, optimize=False))
            error = ledger.difference(got[: len(want)], want)  # the others are new values of the arguments
            if isinstance(error, str) or error > MODES[mode][1]:
                outcome[target] = f"differs: {error}"
        except isthmus.IsthmusError as error:
            outcome[target] = ledger.reason(error)
    return outcome


def act(key):
    """The outcomes of some samples of an operator."""
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    mode, name = key.split("/", 1)
    op, own = OPERATORS[name], PEER.get(mode, mode)
    torch.manual_seed(0)
    samples = itertools.islice(op.sample_inputs("cpu", MODES[own][0], requires_grad=False), MOST)
    kind = Gradient if mode == "gradient" else Program
    programs = [kind(op.op, sample) for sample in samples]
    programs = [program for program in programs if all(x.layout == torch.strided for x in program.tensors)]
    # Those with elements, if there are some, spread over all.
    programs = [program for program in programs if all(x.numel() for x in program.tensors)] or programs
    step = max(1, len(programs) // SAMPLES)
    programs = programs[::step][:SAMPLES]
    if mode in PEER:
        return {"samples": [peer_outcome_of(program, own) for program in programs]}
    return {"samples": [outcome_of(program, mode, name) for program in programs]}


def outcomes_of(records, mode):
    """The outcomes of all samples of a mode that PyTorch exports, with their operators."""
    for key, record in records.items():
        if key.startswith(f"{mode}/"):
            for outcome in record.get("samples", [dict.fromkeys(TARGETS, record.get("reason", ""))]):
                if outcome != "not exported":
                    yield key.split("/", 1)[1], outcome


def is_outside(target, outcome):
    return any(re.search(pattern, outcome) for pattern in OUTSIDE[target])


def count(outcomes, target):
    """How many are right, of those within the target, as a cell."""
    right = sum(outcome[target] == "yes" for outcome in outcomes)
    within = sum(not is_outside(target, outcome[target]) for outcome in outcomes)
    return f"{right} of {within} ({right / within:.1%})" if within else "none"


def page(records):
    """The ledger as Markdown."""
    lines = [
        "# PyTorch's operators as programs",
        "",
        f"{SAMPLES} samples of each operator in `op_db` of PyTorch {torch.__version__}, as exported programs."
        " On Linalg the JIT runs them and compares with PyTorch, except for random and uninitialized results; the other"
        " columns count those that lower. Samples that a target's specification cannot express are left out. Rows"
        " of torch-mlir count what it lowers. `bazel run //tests/Ledgers:op_db` makes this page.",
        "",
        "| | exported | Linalg: right | StableHLO: lowered | TOSA: lowered |",
        "|---|---|---|---|---|",
    ]
    for mode in [*MODES, *PEER]:
        if any(key not in records for key in KEYS if key.startswith(f"{mode}/")):
            continue  # a part would not compare
        outcomes = [outcome for _, outcome in outcomes_of(records, mode)]
        if outcomes:
            counts = " | ".join(count(outcomes, target) for target in TARGETS)
            lines.append(f"| {mode} | {len(outcomes)} | {counts} |")
    for target in TARGETS:
        reasons = collections.defaultdict(lambda: collections.defaultdict(set))
        for mode in MODES:
            for name, outcome in outcomes_of(records, mode):
                if outcome[target] != "yes" and not is_outside(target, outcome[target]):
                    reasons[name][outcome[target]].add(mode)
        lines += ["", f"## Not on {target}", "", "| operator | modes | why |", "|---|---|---|"]
        for name, why in sorted(reasons.items()):
            for text, modes in why.items():
                lines.append(
                    f"| {name} | {', '.join(mode for mode in MODES if mode in modes)} | {ledger.escape(text)} |"
                )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    ledger.write(__doc__, "op_db", KEYS, act, page, seconds=SECONDS, mebibytes=MEBIBYTES)
