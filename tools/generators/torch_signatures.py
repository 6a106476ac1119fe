"""Writes the signatures of PyTorch's ops as C++ tables, for cc/lib/Dialect/Torch/Signatures.cpp.

Usage: torch_signatures.py third_party/torch/schemas.json third_party/torch/views.txt > Signatures.inc

    ARGUMENT("alpha", "number", "1")           in the order of the ops; a default is JSON
    SIGNATURE("aten.add.Tensor", 120, 3)       the first argument and their number; sorted by name
    VIEW("aten.permute")                       sorted by name
"""

import json
import pathlib
import sys


def main():
    schemas, views = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    arguments, signatures = [], []
    for name, schema in sorted(json.loads(schemas).items()):
        signatures.append((name, len(arguments), len(schema["arguments"])))
        for fact in schema["arguments"]:
            default = json.dumps(fact["default"]) if "default" in fact else ""
            arguments.append((fact["name"], fact["type"], default))
    rows = {"ARGUMENT": arguments, "SIGNATURE": signatures, "VIEW": [(name,) for name in views.split()]}
    for macro, values in rows.items():
        print(f"#ifdef {macro}")
        for value in values:
            print(f"{macro}({', '.join(map(json.dumps, value))})")
        print(f"#undef {macro}\n#endif")


if __name__ == "__main__":
    main()
