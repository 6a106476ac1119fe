"""Converts a small model of every type in transformers to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:transformers -- [--results FILE] [TYPE ...]

It takes an hour or two. Results go to FILE, a line of JSON per type; a second call takes only the types that are not in
it. The page is docs/ledgers/transformers.md.
"""

import time

import torch
import transformers

import isthmus
from tests.Ledgers import ledger, small_transformers

SECONDS, MEBIBYTES = 300, 12_000
TARGETS = "linalg", "stablehlo", "tosa"
# Relative to the largest number of a result.
TOLERANCE = 1e-4
STAGES = {
    "no model": "without a base model, or part of another type",
    "not built": "no small configuration was found that runs in PyTorch",
    "not exported": "PyTorch does not export it",
    "ended": f"took more than {SECONDS} s or {MEBIBYTES:,} MiB",
    "exported": "exported",
}


def act(name):
    """A record of one type: how far it got, and each target's outcome."""
    torch.set_num_threads(1)
    try:
        model, inputs = small_transformers.build(name)
    except LookupError:
        return {"stage": "no model"}
    except ValueError as error:
        return {"stage": "not built", "reason": ledger.reason(error)}
    record = {"parameters": sum(parameter.numel() for parameter in model.parameters())}
    with torch.no_grad():
        want = ledger.tensors(model(**inputs))
        try:
            program = torch.export.export(model, (), inputs, strict=False)
        except Exception as error:  # PyTorch's, of any type
            return record | {"stage": "not exported", "reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    record["stage"] = "exported"
    for target in TARGETS:
        try:
            start = time.process_time()
            module = isthmus.compile(program, output_type=target)
            record[target] = {"seconds": round(time.process_time() - start, 2)}
            if target == "linalg":
                record[target]["difference"] = ledger.difference(ledger.tensors(module(**inputs)), want)
        except isthmus.IsthmusError as error:
            record[target] = {"reason": ledger.reason(error)}
    return record


def is_right(record, target):
    outcome = record.get(target, {})
    error = outcome.get("difference", 0 if "seconds" in outcome else None)
    return isinstance(error, (int, float)) and error <= TOLERANCE


def cell(record, target):
    if is_right(record, target):
        return f"{record[target]['difference']:.0e}" if target == "linalg" else "yes"
    outcome = record.get(target, {})
    return f"**{outcome['difference']}**" if "difference" in outcome else outcome.get("reason", "ended")


def page(records):
    """The ledger as Markdown."""
    exported = {name: record for name, record in records.items() if record["stage"] == "exported"}
    lines = [
        "# Models of transformers",
        "",
        f"Small models of the types in transformers {transformers.__version__}, exported by PyTorch {torch.__version__}"
        " and converted to each target. On Linalg the JIT runs them: the column is the largest difference from PyTorch,"
        " relative to the largest number of the result. `bazel run //tests/Ledgers:transformers` makes this page.",
        "",
        "| | types |",
        "|---|---|",
        f"| tried, of {len(small_transformers.TYPES)} | {len(records)} |",
    ]
    for stage, meaning in STAGES.items():
        count = sum(record["stage"] == stage for record in records.values())
        lines.append(f"| {meaning} | {count} |")
    for target in TARGETS:
        count = sum(is_right(record, target) for record in exported.values())
        lines.append(f"| {target}: {'right' if target == 'linalg' else 'lowered'} | {count} of {len(exported)} |")
    lines += ["", "| type | parameters | Linalg | StableHLO | TOSA |", "|---|---|---|---|---|"]
    for name, record in exported.items():
        cells = " | ".join(ledger.escape(cell(record, target)) for target in TARGETS)
        lines.append(f"| {name} | {record['parameters']:,} | {cells} |")
    lines += ["", "## Not converted", "", "| type | why |", "|---|---|"]
    for name, record in records.items():
        if record["stage"] not in ("exported", "no model"):
            why = ledger.escape(record.get("reason", ""))
            lines.append(f"| {name} | {record['stage']}: {why} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    ledger.write(__doc__, "transformers", small_transformers.TYPES, act, page, seconds=SECONDS, mebibytes=MEBIBYTES)
