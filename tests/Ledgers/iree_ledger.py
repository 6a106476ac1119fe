"""Compiles the programs of all ATen cases, as Linalg with consumer=iree, by IREE, and runs them against PyTorch.

    bazel run //tests/Ledgers:iree -- --page FILE [--results FILE] [KEY ...]

A key is a form and an operator: known/aten.cumsum, or open/aten.cumsum, whose sizes are known only at run time. It takes
an hour. The page goes to the FILE of --page; the repository has none. Results go to the FILE of --results, a line of JSON
per key; a second call takes only the keys that are not in it.
"""

import collections
import functools
import re

import isthmus
from isthmus import runtimes
from tests.EndToEnd import aten_cases, aten_complex_cases, aten_composite_cases
from tests.EndToEnd.aten_cases import inputs_of, program, to_numpy
from tests.Ledgers import ledger
from tests.support.batches import outcomes

SECONDS, MEBIBYTES, AT_ONCE = 600, 12_000, 8
FORMS = {"known": "known", "open": "known only at run time"}
BY_OP = collections.defaultdict(list)
for case in aten_cases.CASES + aten_composite_cases.CASES + aten_complex_cases.CASES:
    BY_OP[case.op].append(case)
KEYS = [f"{form}/{op}" for form in FORMS for op in sorted(BY_OP)]


def run(cases, dynamic):
    module = isthmus.parse(program(cases, dynamic)).lower("linalg", consumer="iree")
    return runtimes.run_in_iree(module.text(), *inputs_of(cases))


def with_signs(case, results):
    """Results in the dtypes of PyTorch's. IREE's integers have none of their signs."""
    dtypes = [to_numpy(expected).dtype for expected in case.expected]
    return [array.view(dtype) if dtype.kind == "u" else array for array, dtype in zip(results, dtypes, strict=True)]


def end_of(case, outcome):
    """Returns "right", or how and why it is not."""
    if not isinstance(outcome, Exception):
        try:
            case.check(with_signs(case, outcome))
        except AssertionError as error:
            return "wrong: " + " ".join(str(error).split())[:120]
        return "right"
    if isinstance(outcome, isthmus.IsthmusError):
        return "not lowered"
    error = re.search(r"error: (.*)", str(outcome))
    return "refused: " + (error[1] if error else str(outcome).split("\n")[0])[:120]


def act(key):
    """How many cases of an op end in which way."""
    form, op = key.split("/")
    cases = BY_OP[op]
    found = outcomes(cases, functools.partial(run, dynamic=form == "open"), AT_ONCE)
    return collections.Counter(end_of(case, outcome) for case, outcome in zip(cases, found))


def counts_of(op, record):
    """A record as a Counter; a process that ended counts for all cases of its op."""
    if "stage" in record:
        return collections.Counter({f"refused: {record['reason']}": len(BY_OP[op])})
    return collections.Counter(record)


def page(records):
    """The ledger as Markdown."""
    lines = [
        "# ATen in IREE",
        "",
        "The programs of the tests' ATen cases, lowered to Linalg with `consumer=iree` and compiled by IREE for the CPU,"
        f" beside PyTorch's results: {len(records)} of {len(KEYS)} operators and forms. `bazel run //tests/Ledgers:iree`"
        " makes this page.",
        "",
        "| sizes | cases | right | refused by IREE | wrong | not lowered |",
        "|---|---|---|---|---|---|",
    ]
    for form, sizes in FORMS.items():
        total = collections.Counter()
        for key, record in records.items():
            if key.startswith(f"{form}/"):
                for end, count in counts_of(key.split("/")[1], record).items():
                    total[end.split(":")[0]] += count
        ends = [total[end] for end in ("right", "refused", "wrong", "not lowered")]
        lines.append(f"| {sizes} | {sum(ends)} | {' | '.join(map(str, ends))} |")
    lines += ["", "| sizes | operator | cases | why |", "|---|---|---|---|"]
    for key, record in records.items():
        form, op = key.split("/")
        for end, count in counts_of(op, record).items():
            if end not in ("right", "not lowered"):
                lines.append(f"| {form} | {op} | {count} | {ledger.escape(end)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    ledger.write(__doc__, "iree", KEYS, act, page, seconds=SECONDS, mebibytes=MEBIBYTES)
