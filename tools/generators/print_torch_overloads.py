"""Prints the names of PyTorch's ops that a program can hold and that write to no argument, one a line.

Usage: print_torch_overloads.py > third_party/torch/overloads.txt

PyTorch's schemas are the source; those of TorchScript alone are left out.
"""

import torch
from print_torch_views import spelling


def is_registered(schema):
    """Whether the dispatcher knows the op. TorchScript's ops on Python's values have schemas, too."""
    return torch._C._dispatch_has_kernel(spelling(schema).replace(".", "::", 1))


def writes(schema):
    return any(argument.alias_info is not None and argument.alias_info.is_write for argument in schema.arguments)


def main():
    aten = [schema for schema in torch._C._jit_get_all_schemas() if schema.name.startswith("aten::")]
    for name in sorted({spelling(schema) for schema in aten if is_registered(schema) and not writes(schema)}):
        print(name)


if __name__ == "__main__":
    main()
