"""Writes docs/generated/opinfo.md: opinfo_page.py OUTCOMES.txt"""

import collections
import pathlib
import sys

from isthmus import ops

TARGETS = ("Linalg", "MHLO", "TOSA")

INTRODUCTION = """\
# The ops that PyTorch tags core, on PyTorch's own samples

Printed by `bazel run //tools:refresh_docs` from `tests/EndToEnd/opinfo_outcomes.txt`; a test, `opinfo_test.py`, fails if the file
differs from the results. Core ops are here those with the tag `torch.Tag.core`; [ops.md](ops.md) has another list, the ops that
are core in Isthmus.

The samples of PyTorch's own tests (OpInfo) are run for f32, i64 and bool; each core op that a sample calls is recorded, up to 20
calls per op and dtype. Each call is a program, lowered and run: Linalg and TOSA in the JIT, MHLO in XLA. It *passes* if shape,
dtype and numbers are PyTorch's, to the tolerance of `torch.testing.assert_close`. A sample is *outside* if the target's
specification cannot express it; everything else is a *failure*. Random ops and those that give any values (`aten.empty`) are
compared by shape and dtype alone; which of equal elements a sort puts first is not defined. An op that no sample calls has cases
written by hand.
"""


def read(text):
    """Returns the rows of ops, the ops without a program, and the reasons of samples that do not pass.

    Returns:
      [(op, "PyTorch" or "by hand", [(passed, outside, failed) for each target])], [(op, why it has no program)],
      [(op, target or "" for omitted samples, end, samples, reason)].
    """
    rows, not_run, reasons = [], [], []
    for line in text.splitlines()[1:]:
        if line.startswith(" "):
            head, _, reason = line.strip().partition(": ")
            *where, samples = head.split(" ")
            target, end = where if where[0] != "left" else ("", "left out")
            reasons.append((rows[-1][0], target, end, int(samples), reason))
        elif "| not run: " in line:
            op, _, reason = line.partition(" | not run: ")
            not_run.append((op, reason))
        else:
            op, samples_of, *columns = line.split(" | ")
            rows.append((op, samples_of, [tuple(map(int, column.split(" "))) for column in columns]))
    return rows, not_run, reasons


def totals(rows):
    yield ("target", "samples", "passed", "outside", "failed", "passed of those within")
    for index, target in enumerate(TARGETS):
        passed, outside, failed = (sum(counts[index][i] for _, _, counts in rows) for i in range(3))
        share = f"{100 * passed / (passed + failed):.2f} %"
        yield (target, *map(str, (passed + outside + failed, passed, outside, failed)), share)


def cell(counts):
    passed, outside, failed = counts
    return f"{passed} of {passed + failed}" + (f", {outside} outside" if outside else "")


def op_rows(rows):
    yield ("op", "samples", *TARGETS)
    for op, samples_of, counts in rows:
        yield (f"`{op}`", samples_of, *map(cell, counts))


def reason_rows(reasons, wanted):
    """Returns one row per reason, with all ops that have it."""
    groups = collections.defaultdict(lambda: [0, []])
    for op, target, end, samples, reason in reasons:
        if end == wanted:
            group = groups[target, reason]
            group[0] += samples
            group[1].append(f"`{op}`")
    yield ("target", "reason", "samples", "ops")
    names = {name.lower(): name for name in TARGETS}
    for (target, reason), (samples, of) in sorted(groups.items(), key=lambda item: (item[0][0], -item[1][0], item[0])):
        yield (names.get(target, "all"), reason.replace("|", "\\|").replace("*", "\\*"), str(samples), ", ".join(of))


def page(text):
    """Returns the page's text."""
    rows, not_run, reasons = read(text)
    blocks = [
        ops.markdown(list(totals(rows))),
        ["## What fails, and why", "", "A `*` stands for what differs from sample to sample.", ""]
        + ops.markdown(list(reason_rows(reasons, "failed"))),
        ["## What is outside", ""] + ops.markdown(list(reason_rows(reasons, "outside"))),
        [
            "## What is not a program",
            "",
            "Calls that no program of dense tensors of real numbers holds, before 20 are taken.",
            "",
        ]
        + ops.markdown(list(reason_rows(reasons, "left out"))),
        ["## Core overloads without a program", ""] + [f"- `{op}`: {reason}" for op, reason in not_run],
        ["## Ops", ""] + ops.markdown(list(op_rows(rows))),
    ]
    return INTRODUCTION + "".join("\n" + "\n".join(block) + "\n" for block in blocks)


if __name__ == "__main__":
    sys.stdout.write(page(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
