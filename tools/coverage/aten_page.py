"""Writes docs/generated/aten.md: aten_page.py OVERLOADS.txt SCHEMAS.json ALIASES.def ABSENT_OPS.txt"""

import collections
import fnmatch
import json
import pathlib
import re
import sys
import textwrap

from isthmus import ops

INTRODUCTION = """\
# PyTorch's ops

Printed by `bazel run //tools:refresh_docs` from the schemas of the pinned PyTorch. Each overload of `aten` that writes to none of
its arguments is in one of the lists below. An overload that does write, in place or to `out`, lowers as the one that returns a new
tensor.
[ops.md](ops.md) says how each op that lowers does so on each target.
"""


def reasons(text):
    """Returns the patterns of names and their reasons, in order: [(pattern, reason)]."""
    rules, reason = [], None
    for line in text.splitlines():
        if line.startswith(" "):
            rules += [(pattern, reason) for pattern in line.split()]
        elif not line.startswith("#"):
            reason = line
    return rules


def absent(names, rules):
    """Returns {reason: names}.

    Raises:
      ValueError: a name without a reason, or a pattern that is the first for no name.
    """
    found, used = collections.defaultdict(list), set()
    for name in names:
        for pattern, reason in rules:
            if fnmatch.fnmatchcase(name.removeprefix("aten."), pattern):
                found[reason].append(name)
                used.add(pattern)
                break
        else:
            raise ValueError(f"absent_ops.txt: no pattern for {name}, which does not lower")
    if unused := [pattern for pattern, _ in rules if pattern not in used]:
        raise ValueError(f"absent_ops.txt: patterns of no op: {' '.join(unused)}")
    return {reason: found[reason] for reason in dict.fromkeys(reason for _, reason in rules)}


def page(overloads, registered, aliases, rules):
    """Returns the page's text."""
    groups = {
        "Core and composite ops: they lower": [name for name in overloads if name in registered],
        "Other names: they lower as the op that they name": [
            name for name in overloads if name in aliases and name not in registered
        ],
    }
    groups |= absent([name for name in overloads if name not in registered and name not in aliases], rules)
    counts = [("overloads", "", "number")]
    counts += [(*reason.split(": ", 1), str(len(names))) for reason, names in groups.items()]
    blocks = [ops.markdown(counts)]
    for reason, names in groups.items():
        listed = ", ".join(f"`{name.removeprefix('aten.')}`" for name in names)
        blocks.append([f"## {reason.split(': ')[0]}", "", *textwrap.wrap(listed, 128, break_long_words=False)])
    return INTRODUCTION + "".join("\n" + "\n".join(block) + "\n" for block in blocks)


def main():
    overloads, schemas, aliases, why = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    names = set(re.findall(r'^\w+\("([\w.]+)"', aliases, re.MULTILINE))
    sys.stdout.write(page(overloads.split(), set(json.loads(schemas)), names, reasons(why)))


if __name__ == "__main__":
    main()
