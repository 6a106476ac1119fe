"""Writes the arguments of all torch ops as a C++ table, one SIGNATURE line per op, sorted by name.

Usage: torch_signatures.py third_party/torch/schemas.json > Signatures.inc

    SIGNATURE("aten.add.Tensor", "self:Tensor|other:Tensor|alpha:number=1")

A default is written as JSON.
"""

import json
import pathlib
import sys


def argument(fact):
    default = "=" + json.dumps(fact["default"]) if "default" in fact else ""
    return f"{fact['name']}:{fact['type']}{default}"


def main():
    schemas = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    for name in sorted(schemas):
        text = "|".join(argument(fact) for fact in schemas[name]["arguments"])
        print(f"SIGNATURE({json.dumps(name)}, {json.dumps(text)})")


if __name__ == "__main__":
    main()
