"""Prints third_party/onnx/schemas.json from the pinned onnx package.

    python3 tools/generators/print_onnx_schemas.py > third_party/onnx/schemas.json

Prints only facts: names, versions, arities, types, defaults, without ONNX's prose.
Every op has all its versions. The names of ops of ONNX's other domains include the domain.
"""

import sys

import onnx
import schema_text
from onnx import defs

ONNX_VERSION = "1.23.2"

# The domains with the family of their ops. None: ONNX's own folders under onnx/defs.
DOMAINS = {"": None, "ai.onnx.ml": "ml", "ai.onnx.preview": "nn", "ai.onnx.preview.training": "training"}

# Gradient differentiates the graph that contains it, which no op of the onnx dialect can describe.
LEFT_OUT = {"ai.onnx.preview.training.Gradient"}


def print_parameter(parameter, variables):
    option = parameter.option.name.lower()
    printed = {"name": parameter.name, "type": parameter.type_str}
    if parameter.type_str not in variables:
        printed["type"] = schema_text.short_type(parameter.type_str)
    if option != "single":
        printed["option"] = option
    if option == "variadic":
        printed["min_arity"] = parameter.min_arity
        printed["homogeneous"] = parameter.is_homogeneous
    return printed


def print_version(schema, type_sets):
    printed = {"since": schema.since_version}
    if schema.deprecated:
        printed["deprecated"] = True
    variables = {c.type_param_str: type_sets.index(c.allowed_type_strs) for c in schema.type_constraints}
    printed["inputs"] = [print_parameter(p, variables) for p in schema.inputs]
    printed["outputs"] = [print_parameter(p, variables) for p in schema.outputs]
    printed["attributes"] = [
        schema_text.describe_attribute(attribute, attribute.default_value)
        for _, attribute in sorted(schema.attributes.items())
    ]
    printed["types"] = variables
    if schema.node_determinism == schema.NodeDeterminism.NonDeterministic:
        printed["random"] = True
    return printed


def main():
    if onnx.__version__ != ONNX_VERSION:
        sys.exit(f"expected onnx {ONNX_VERSION}, got {onnx.__version__}")
    history = {}
    for schema in defs.get_all_schemas_with_history():
        name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
        if schema.domain in DOMAINS and name not in LEFT_OUT:
            history.setdefault(name, []).append(schema)

    type_sets = schema_text.TypeSets()
    ops = []
    for name in sorted(history):
        versions = sorted(history[name], key=lambda s: s.since_version)
        family = DOMAINS[versions[-1].domain]
        if family is None:
            family = versions[-1].file.split("/defs/")[1].split("/")[0]
        ops.append({"name": name, "family": family, "versions": [print_version(s, type_sets) for s in versions]})

    header = {
        "onnx": ONNX_VERSION,
        "domain": "ai.onnx",
        "newest_opset": defs.onnx_opset_version(),
        "newest_opset_of_domains": {
            domain: max(s.since_version for s in defs.get_all_schemas_with_history() if s.domain == domain)
            for domain in DOMAINS
            if domain
        },
    }
    schema_text.print_document(header, type_sets, ops)


if __name__ == "__main__":
    main()
