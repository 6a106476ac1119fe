"""Converts a small model of every type in transformers to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:transformers -- [--results FILE] [TYPE ...]

It takes an hour or two. Results go to FILE, a line of JSON per type; a second call takes only the types that are not in
it. The page is docs/ledgers/transformers.md.
"""

import argparse
import json
import os
import pathlib
import tempfile
import time

import numpy as np
import torch
import transformers

import isthmus
from tests.Ledgers import small_transformers
from tests.support import contained

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
PAGE = pathlib.Path("docs/ledgers/transformers.md")


def tensors(results):
    if isinstance(results, (torch.Tensor, np.ndarray)):
        return [results]
    if isinstance(results, dict):
        results = list(results.values())
    return [each for part in results for each in tensors(part)] if isinstance(results, (list, tuple)) else []


def difference(got, want):
    """The largest difference of two lists of tensors, relative to the largest number of the result it is in."""
    if len(got) != len(want):
        return f"{len(got)} results for {len(want)}"
    largest = 0.0
    for mine, theirs in zip(got, want):
        mine, theirs = np.asarray(mine), theirs.detach().numpy()
        if mine.shape != theirs.shape:
            return f"shape {mine.shape} for {theirs.shape}"
        if theirs.size:
            mine, theirs = mine.astype(np.float64), theirs.astype(np.float64)
            scale = max(np.nanmax(np.abs(theirs), initial=0), 1e-3)
            largest = max(largest, float(np.nanmax(np.abs(mine - theirs), initial=0) / scale))
    return largest


def reason(error):
    """The first line of an error of PyTorch, or the cause in one of isthmus."""
    return str(error).strip().split("\n")[0].removeprefix("<exported program>: ")[:200]


def act(name):
    """A record of one type: how far it got, and each target's outcome."""
    torch.set_num_threads(1)
    try:
        model, inputs = small_transformers.build(name)
    except LookupError:
        return {"stage": "no model"}
    except ValueError as error:
        return {"stage": "not built", "reason": reason(error)}
    record = {"parameters": sum(parameter.numel() for parameter in model.parameters())}
    with torch.no_grad():
        want = tensors(model(**inputs))
        try:
            program = torch.export.export(model, (), inputs, strict=False)
        except Exception as error:  # PyTorch's, of any type
            return record | {"stage": "not exported", "reason": f"{type(error).__name__}: {reason(error)}"}
    record["stage"] = "exported"
    for target in TARGETS:
        try:
            start = time.process_time()
            module = isthmus.compile(program, output_type=target)
            record[target] = {"seconds": round(time.process_time() - start, 2)}
            if target == "linalg":
                record[target]["difference"] = difference(tensors(module(**inputs)), want)
        except isthmus.IsthmusError as error:
            record[target] = {"reason": reason(error)}
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
        cells = " | ".join(cell(record, target).replace("|", "\\|") for target in TARGETS)
        lines.append(f"| {name} | {record['parameters']:,} | {cells} |")
    lines += ["", "## Not converted", "", "| type | why |", "|---|---|"]
    for name, record in records.items():
        if record["stage"] not in ("exported", "no model"):
            why = record.get("reason", "").replace("|", "\\|")
            lines.append(f"| {name} | {record['stage']}: {why} |")
    return "\n".join(lines) + "\n"


def main():
    os.chdir(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--results", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), "transformers.jsonl")
    )
    parser.add_argument("types", nargs="*", help="model types (default: all)")
    arguments = parser.parse_args()
    types = arguments.types or small_transformers.TYPES
    records = {}
    if arguments.results.exists():
        records = dict(map(json.loads, arguments.results.read_text().splitlines()))
    left = [name for name in types if name not in records]
    with arguments.results.open("a") as file:
        outcomes = contained.run_all(left, act, seconds=SECONDS, mebibytes=MEBIBYTES)
        for name, outcome in zip(left, outcomes):
            records[name] = (
                {"stage": "ended", "reason": str(outcome)} if isinstance(outcome, contained.Ended) else outcome
            )
            print(json.dumps([name, records[name]]), file=file, flush=True)
            print(name, records[name], flush=True)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(dict(sorted(records.items()))))


if __name__ == "__main__":
    main()
