"""Prints third_party/onnx/schemas.json from the pinned onnx package.

    python3 tools/generators/print_onnx_schemas.py > third_party/onnx/schemas.json

Only facts are printed: names, versions, arities, types, defaults. ONNX's prose stays in its own package.
Every op has its newest version and all older ones that a model of opset 7 or later may refer to. `types` of the file are
sets of type names that type variables refer to by index; a plain element type there means a tensor of it.
"""

import json
import sys

import numpy
import onnx
from onnx import defs

ONNX_VERSION = "1.23.2"
OLDEST_OPSET = 7


def short_type(name):
    """A plain element type stands for a tensor of it: "tensor(float)" is "float"."""
    return name[len("tensor(") : -1] if name.startswith("tensor(") else name


class TypeSets:
    """Interns sets of type names."""

    def __init__(self):
        self.sets = []

    def index(self, names):
        entry = " ".join(sorted(map(short_type, names)))
        if entry not in self.sets:
            self.sets.append(entry)
        return self.sets.index(entry)


def print_parameter(parameter, variables):
    option = parameter.option.name.lower()
    printed = {"name": parameter.name, "type": parameter.type_str}
    if parameter.type_str not in variables:
        printed["type"] = short_type(parameter.type_str)
    if option != "single":
        printed["option"] = option
    if option == "variadic":
        printed["min_arity"] = parameter.min_arity
        printed["homogeneous"] = parameter.is_homogeneous
    return printed


def print_attribute(attribute):
    printed = {"name": attribute.name, "type": attribute.type.name}
    if attribute.required:
        printed["required"] = True
    if attribute.default_value.type:
        value = onnx.helper.get_attribute_value(attribute.default_value)
        if isinstance(value, bytes):
            value = value.decode()
        elif isinstance(value, list):
            value = [v.decode() if isinstance(v, bytes) else v for v in value]
        elif isinstance(value, float):
            value = float(str(numpy.float32(value)))  # the shortest text of this float32
        printed["default"] = value
    return printed


def print_version(schema, type_sets):
    printed = {"since": schema.since_version}
    if schema.deprecated:
        printed["deprecated"] = True
    variables = {c.type_param_str: type_sets.index(c.allowed_type_strs) for c in schema.type_constraints}
    printed["inputs"] = [print_parameter(p, variables) for p in schema.inputs]
    printed["outputs"] = [print_parameter(p, variables) for p in schema.outputs]
    printed["attributes"] = [print_attribute(schema.attributes[name]) for name in sorted(schema.attributes)]
    printed["types"] = variables
    if schema.node_determinism == schema.NodeDeterminism.NonDeterministic:
        printed["random"] = True
    return printed


def main():
    if onnx.__version__ != ONNX_VERSION:
        sys.exit(f"expected onnx {ONNX_VERSION}, got {onnx.__version__}")
    history = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "":
            history.setdefault(schema.name, []).append(schema)

    type_sets = TypeSets()
    ops = []
    for name in sorted(history):
        versions = sorted(history[name], key=lambda s: s.since_version)
        oldest = max([s.since_version for s in versions if s.since_version <= OLDEST_OPSET], default=1)
        versions = [s for s in versions if s.since_version >= oldest]
        # Families are ONNX's own folders under onnx/defs.
        family = versions[-1].file.split("/defs/")[1].split("/")[0]
        ops.append({"name": name, "family": family, "versions": [print_version(s, type_sets) for s in versions]})

    header = {
        "onnx": ONNX_VERSION,
        "domain": "ai.onnx",
        "oldest_opset": OLDEST_OPSET,
        "newest_opset": defs.onnx_opset_version(),
    }
    # One line per type set and per op version, so that a diff of two printings reads well.
    print("{")
    for key, value in header.items():
        print(f" {json.dumps(key)}: {json.dumps(value)},")
    print(' "types": [\n' + ",\n".join("  " + json.dumps(s) for s in type_sets.sets) + "\n ],")
    print(' "ops": [')
    for i, op in enumerate(ops):
        lines = ",\n".join("    " + json.dumps(v) for v in op["versions"])
        comma = "," if i + 1 < len(ops) else ""
        print(f'  {{"name": "{op["name"]}", "family": "{op["family"]}", "versions": [\n{lines}\n  ]}}{comma}')
    print(" ]\n}")


if __name__ == "__main__":
    main()
