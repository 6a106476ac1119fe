"""Writes isthmus/__init__.pyi, the types of the names that the package loads on first use: make_stub.py __init__.py

Type checkers do not call `__getattr__`.
"""

import ast
import pathlib
import sys


def homes(source):
    """Returns the value of _HOMES: {module: its public names}."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            return ast.literal_eval(node.value)
    raise SystemExit("expected _HOMES, got none")


def stub(source):
    """Returns the text of the stub. `import X as X` is how a stub exports a name."""
    lines = ['"""python/make_stub.py writes this file."""', ""]
    for home, names in sorted(homes(source).items()):
        lines += [f"from {home} import {name} as {name}" for name in sorted(names)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(stub(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")), end="")
