"""The form of third_party/onnx/schemas.json and third_party/onnxruntime/schemas.json.

`types` of the file has sets of type names, which type variables refer to by index. A plain element type means a tensor.
"""

import json

import numpy
import onnx


def short_type(name):
    """Returns a tensor type as its plain element type: "tensor(float)" is "float"."""
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


def describe_attribute(attribute, default):
    """Returns an attribute; the AttributeProto of a missing default has no type."""
    printed = {"name": attribute.name, "type": attribute.type.name}
    if attribute.required:
        printed["required"] = True
    if default.type:
        value = onnx.helper.get_attribute_value(default)
        if isinstance(value, bytes):
            value = value.decode()
        elif isinstance(value, list):
            value = [v.decode() if isinstance(v, bytes) else v for v in value]
        elif isinstance(value, float):
            value = float(str(numpy.float32(value)))  # the shortest text of this float32
        printed["default"] = value
    return printed


def print_document(header, type_sets, ops):
    # One line per type set and per op version, so that diffs are readable.
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
