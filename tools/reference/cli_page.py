"""Writes docs/generated/cli.md from the command's own help: cli_page.py > PAGE.md"""

import contextlib
import io
import os
import re
import sys
import types

os.environ["COLUMNS"] = "100"

# Help needs no native module, so this stub avoids building it for this page alone.
native = types.ModuleType("isthmus._native")
native.version, native.available_targets, native.parts = "", list, list
sys.modules[native.__name__] = native

from isthmus import cli  # noqa: E402

INTRODUCTION = """\
# Command reference

Printed by `bazel run //tools:refresh_docs` from `isthmus --help` and the help of each command.
[README.md](../../README.md) has examples.
"""


def help_of(*command):
    """Returns the output of `isthmus COMMAND --help`."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        cli.parse_arguments([*command, "--help"])
    return printed.getvalue()


def page():
    """Returns the page's text."""
    overview = help_of()
    listed = overview[overview.index("COMMAND\n") :]
    commands = re.findall(r"^    ([\w-]+)(?: |$)", listed, re.MULTILINE)
    _, *streams = cli.__doc__.split("\n\n", 1)
    blocks = [INTRODUCTION, *streams]
    for command in [(), *((name,) for name in commands)]:
        blocks.append(f"\n## {' '.join(['isthmus', *command])}\n\n```\n{help_of(*command).rstrip()}\n```\n")
    return "".join(["\n".join(blocks[:2]), *blocks[2:]])


if __name__ == "__main__":
    print(page(), end="")
