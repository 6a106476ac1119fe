"""Reads and writes custom_ops_outcomes.txt.

For each op and target, the file says in how many programs the op is carried, and why the others are refused.

`bazel run //tools:refresh_docs` makes a part of docs/generated/custom_ops.md from it. A test fails if it finds
other outcomes. To rewrite its part of the file, run the test as a program in the folder of its runfiles:
    PYTHONPATH=.:python python tests/EndToEnd/custom_ops_round_trip_test.py
"""

import collections
import pathlib
import re

FILE = pathlib.Path(__file__).with_name("custom_ops_outcomes.txt")
TARGETS = ("linalg", "mhlo", "tosa")
HEAD = f"op | programs carried, refused on {' | '.join(TARGETS)}"


def general(reason):
    """A reason without the parts that differ from program to program."""
    reason = re.sub(r"^(.*?: )?no lowering to .*? for '[\w.]+': |^<bytes>: ", "", reason.split("\n")[0])
    reason = re.sub(r"got '.*'( as output \d+)?$|got tensor<.*>$", "got …", reason)
    return re.sub(r"graph input \d+", "graph input …", reason)


def rows(outcomes):
    """The lines of the file for ops.

    Args:
      outcomes: {op: {target: [why it is refused, or None, for each program]}}.
    """
    lines = []
    for op, of_targets in sorted(outcomes.items()):
        counts = [
            f"{of_targets[name].count(None)} {sum(why is not None for why in of_targets[name])}" for name in TARGETS
        ]
        lines.append(f"{op} | {' | '.join(counts)}")
        for target in TARGETS:
            reasons = collections.Counter(general(why) for why in of_targets[target] if why is not None)
            lines += [f"  {target} {count}: {reason}" for reason, count in sorted(reasons.items())]
    return lines


def noted(domain):
    """The lines of the file for the ops of a domain."""
    lines, is_wanted = [], False
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]:
        is_wanted = is_wanted if line.startswith(" ") else line.startswith(f"{domain}.")
        if is_wanted:
            lines.append(line)
    return lines


def rewrite(domain, lines):
    others = [noted(other) for other in ("onnx", "torch") if other != domain]
    parts = sorted([lines, *others])
    text = "\n".join([HEAD, *(line for part in parts for line in part)])
    pathlib.Path(FILE.resolve()).write_text(text + "\n", encoding="utf-8")
