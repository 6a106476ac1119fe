"""Prints the signatures of the registered torch ops from PyTorch's own operator registry.

Usage: print_torch_schemas.py REGISTRY_FILE... > third_party/torch/schemas.json

Prints only facts: argument names, types, defaults, and result types, from
`torch._C._jit_get_all_schemas`.
"""

import json
import sys

import torch
import torch.ao.quantization.fx._decomposed  # defines quantized_decomposed
import torchao.quantization.quant_primitives  # noqa: F401 defines torchao
import torchvision_schemas


def registered(files):
    for file in files:
        for line in open(file, encoding="utf-8"):
            if line.strip() and not line.startswith("#"):
                yield line.split()[0]


def spelling(schema):
    name = schema.name.replace("::", ".")
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def default_of(argument):
    if not argument.has_default_value():
        return {}
    value = argument.default_value
    return {"default": value if not isinstance(value, (torch.dtype, torch.device)) else str(value)}


def main():
    defined = torchvision_schemas.define()  # until it is deleted
    schemas = {spelling(s): s for s in torch._C._jit_get_all_schemas()}
    del defined
    facts = {}
    missing = []
    for name in sorted(registered(sys.argv[1:])):
        schema = schemas.get(name)
        if schema is None:
            missing.append(name)
            continue
        facts[name] = {
            "arguments": [{"name": a.name, "type": str(a.type), **default_of(a)} for a in schema.arguments],
            "results": [{"name": r.name, "type": str(r.type)} for r in schema.returns],
        }
    if missing:
        sys.exit("not in PyTorch's operator registry: " + ", ".join(missing))
    print("{")
    print(",\n".join(f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items()))
    print("}")


if __name__ == "__main__":
    main()
