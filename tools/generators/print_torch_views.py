"""Prints the names of PyTorch's ops whose result may share the memory of their first argument, one a line.

Usage: print_torch_views.py > third_party/torch/views.txt

Their schemas have annotations: `aten::t(Tensor(a) self) -> Tensor(a)`, `aten::split(Tensor(a -> *) self, …)`.
"""

import torch


def spelling(schema):
    name = schema.name.replace("::", ".")
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def shares_memory(schema):
    if not schema.arguments or not schema.returns:
        return False
    given = schema.arguments[0].alias_info
    made = schema.returns[0].alias_info
    if given is None or given.is_write:
        return False
    # If the result is a list, only the argument's annotation shows that the elements are views of it.
    return "*" in given.after_set or (made is not None and bool(made.before_set & given.before_set))


def main():
    names = {spelling(schema) for schema in torch._C._jit_get_all_schemas() if shares_memory(schema)}
    for name in sorted(names):
        if name.startswith(("aten.", "prims.")):
            print(name)


if __name__ == "__main__":
    main()
