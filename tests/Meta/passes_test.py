"""Every pass that the documentation lists can be named on the command line."""

import pathlib
import re

from tests.support.isthmus_opt import isthmus_opt


def test_registered():
    page = pathlib.Path("docs/generated/passes.md").read_text(encoding="utf-8")
    passes = re.findall(r"^### `-([\w-]+)`$", page, re.MULTILINE)
    assert passes
    known = isthmus_opt("", "--help")
    missing = [name for name in passes if f"--{name} " not in known]
    assert not missing, f"isthmus-opt does not know {missing}"
