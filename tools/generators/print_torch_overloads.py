"""Prints the names of PyTorch's ops that a program can hold and that write to no argument, one a line.

Usage: print_torch_overloads.py > third_party/torch/overloads.txt

PyTorch's schemas are the source; those of TorchScript alone are left out.
"""

import torch
from print_torch_views import spelling


def is_registered(schema):
    """Whether the dispatcher knows the op. TorchScript's ops on Python's values have schemas, too."""
    name = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    return torch._C._dispatch_has_kernel(name)


def writes(schema):
    return any(argument.alias_info is not None and argument.alias_info.is_write for argument in schema.arguments)


def main():
    schemas = torch._C._jit_get_all_schemas()
    for name in sorted(
        {spelling(s) for s in schemas if s.name.startswith("aten::") and not writes(s) and is_registered(s)}
    ):
        print(name)


if __name__ == "__main__":
    main()
