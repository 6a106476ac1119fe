"""Writes the onnx dialect from the schemas of third_party; a Bazel genrule runs it.

    onnx_ops.py onnx/schemas.json onnxruntime/schemas.json OUT_DIR FAMILY...

For each family it writes OUT_DIR/<Family>.td with one op per live ONNX op in its newest version. Schemas.inc holds every
version as a table, which the shared verifier and the importer check nodes against. It needs only Python.

The name of an op of another domain includes the domain, and its class the domain's last word:
onnx.com.microsoft.Attention is the class MicrosoftAttentionOp, onnx.ai.onnx.ml.Scaler is MlScalerOp.
"""

import json
import os
import sys

# Written by hand in Structure.td, because of its text form.
BY_HAND = {"Constant"}

# Their values are maps, which the dialect lacks. The importer replaces these ops or declines them.
OF_MAPS = {"ai.onnx.ml.CastMap", "ai.onnx.ml.DictVectorizer", "ai.onnx.ml.ZipMap"}

# ONNX withdrew them for TreeEnsemble, but exporters write them, and TreeEnsemble has no labels.
WITHDRAWN_BUT_LIVE = {"ai.onnx.ml.TreeEnsembleClassifier", "ai.onnx.ml.TreeEnsembleRegressor"}

# ONNX marks this function as random, but its body is deterministic.
NOT_RANDOM = {"AffineGrid"}

# An attribute that names a dtype by ONNX's number; its text form is a type: `to = f32`.
DTYPE_AS_TYPE = "to"

ATTRIBUTES = {
    "FLOAT": "F32Attr",
    "FLOATS": "F32ArrayAttr",
    "INT": "SI64Attr",
    "INTS": "I64ArrayAttr",
    "SPARSE_TENSOR": "ElementsAttr",
    "STRING": "StrAttr",
    "STRINGS": "StrArrayAttr",
    "TENSOR": "ElementsAttr",
    "TYPE_PROTO": "TypeAttr",
}

# In the order of TensorProto.DataType, from 1.
ELEMENT_TYPES = [
    "float",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "int64",
    "string",
    "bool",
    "float16",
    "double",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "bfloat16",
    "float8e4m3fn",
    "float8e4m3fnuz",
    "float8e5m2",
    "float8e5m2fnuz",
    "uint4",
    "int4",
    "float4e2m1",
    "float8e8m0",
    "uint2",
    "int2",
    "float6e2m3",
    "float6e3m2",
]

# The containers a type may have around its tensor, in the order of onnx::TypeSet's fields.
CONTAINERS = ["%s", "seq(tensor(%s))", "optional(tensor(%s))", "optional(seq(tensor(%s)))"]


def family_name(folder):
    """Returns the name of a family: ObjectDetection for "object_detection", Nn for "nn"."""
    special = {"controlflow": "ControlFlow"}
    return special.get(folder) or "".join(part.capitalize() for part in folder.split("_"))


# ---- Ops ------------------------------------------------------------------------------------------------------------------


def attribute_type(op, attribute):
    if op["name"] in ("BitCast", "Cast") and attribute["name"] == DTYPE_AS_TYPE:
        return "TypeAttr"
    kind = ATTRIBUTES[attribute["type"]]
    if attribute.get("required"):
        return kind
    if "default" not in attribute:
        return f"OptionalAttr<{kind}>"
    default = attribute["default"]
    if kind == "StrAttr":
        return f'DefaultValuedStrAttr<{kind}, "{default}">'
    if isinstance(default, list):
        default = "{" + json.dumps(default)[1:-1].replace('"', '\\"') + "}"
    return f'DefaultValuedAttr<{kind}, "{default}">'


def value(parameter, name):
    variadic = parameter.get("option") == "variadic"
    return ("Variadic<Onnx_Value>" if variadic else "Onnx_Value") + f":${name}"


def arguments(indent, dag, items):
    if not items:
        return f"{indent}let {dag[0]} = ({dag[1]});\n"
    separator = ",\n" + indent + "  "
    return f"{indent}let {dag[0]} = ({dag[1]}\n{indent}  {separator.join(items)});\n"


def class_name(op):
    *domain, name = op["name"].split(".")
    return "".join(map(str.capitalize, domain[-1:])) + name


def has_class(op):
    if op["name"] in BY_HAND | OF_MAPS:
        return False
    return op["name"] in WITHDRAWN_BUT_LIVE or not op["versions"][-1].get("deprecated")


def print_op(op):
    version = op["versions"][-1]
    name = op["name"]
    # Regions are in reverse alphabetical order: then before else. That of an omitted graph is empty.
    graphs = sorted((a for a in version["attributes"] if a["type"] == "GRAPH"), key=lambda a: a["name"], reverse=True)
    if graphs:
        traits = "[RecursiveMemoryEffects]"
    elif version.get("random") and name not in NOT_RANDOM:
        traits = "[]"
    else:
        traits = "[Pure]"

    taken = set()

    def unique(name, suffix):
        while name in taken:
            name += suffix
        taken.add(name)
        return name

    ins = [value(p, unique(p["name"], "_in")) for p in version["inputs"]]
    ins += [f"{attribute_type(op, a)}:${unique(a['name'], '_attr')}" for a in version["attributes"] if a not in graphs]
    outs = [value(p, unique(p["name"], "_out")) for p in version["outputs"]]
    text = f'\n// {name}-{version["since"]}\ndef Onnx_{class_name(op)}Op : Onnx_SchemaOp<"{name}", {traits}> {{\n'
    text += arguments("  ", ("arguments", "ins"), ins)
    text += arguments("  ", ("results", "outs"), outs)
    if graphs:
        regions = ", ".join(f"{'SizedRegion<1>' if g.get('required') else 'AnyRegion'}:${g['name']}" for g in graphs)
        text += f"  let regions = (region {regions});\n"
    return text + "}\n"


def print_family(family, ops):
    text = f"//===- {family}.td - Generated from schemas.json by onnx_ops.py --*- tablegen -*-===//\n\n"
    text += 'include "isthmus/Dialect/Onnx/OnnxBase.td"\n'
    return text + "".join(map(print_op, ops))


# ---- The table ------------------------------------------------------------------------------------------------------------


def type_set(names):
    """One mask of element types for each container. Maps have none."""
    # "map(int64, float)" has a space in it.
    names = {name for name in names.replace(", ", ",").split() if "map(" not in name}
    masks = []
    for container in CONTAINERS:
        present = [i for i, element in enumerate(ELEMENT_TYPES) if container % element in names]
        masks.append(sum(1 << (i + 1) for i in present))
        names -= {container % ELEMENT_TYPES[i] for i in present}
    if names:
        sys.exit(f"expected known types, got {sorted(names)}")
    return "{" + ", ".join(map(hex, masks)) + "}"


class Table:
    """The rows of Schemas.inc. A schema refers to its parameters and attributes by index."""

    def __init__(self):
        self.type_names = []
        self.parameters = []
        self.attributes = []
        self.schemas = []

    def type_index(self, name):
        if name not in self.type_names:
            self.type_names.append(name)
        return self.type_names.index(name)

    def add_parameters(self, version, key, type_sets):
        variables = sorted(version["types"])
        for p in version[key]:
            variable, types = -1, p["type"]
            if types in variables:
                types = type_sets[version["types"][types]]
                if p.get("homogeneous", True):
                    variable = variables.index(p["type"])
            option = p.get("option", "single").capitalize()
            self.parameters.append(
                f'{{"{p["name"]}", Option::{option}, {p.get("min_arity", 1)}, {variable}, {self.type_index(types)}}}'
            )

    def add(self, op, version, type_sets):
        first_input, first_attribute = len(self.parameters), len(self.attributes)
        self.add_parameters(version, "inputs", type_sets)
        first_output = len(self.parameters)
        self.add_parameters(version, "outputs", type_sets)
        for a in version["attributes"]:
            kind = "".join(part.capitalize() for part in a["type"].split("_"))
            required = "true" if a.get("required") else "false"
            self.attributes.append(f'{{"{a["name"]}", AttributeKind::{kind}, {required}}}')
        self.schemas.append(
            f'{{"{op["name"]}", {version["since"]}, {"true" if version.get("deprecated") else "false"}, '
            f"{first_input}, {first_output}, {len(self.parameters)}, {first_attribute}, {len(self.attributes)}}}"
        )

    def print(self):
        def array(declaration, rows):
            return f"static const {declaration}[] = {{\n" + "".join(f"    {row},\n" for row in rows) + "};\n\n"

        return (
            array("TypeSet typeSets", map(type_set, self.type_names))
            + array("Parameter parameters", self.parameters)
            + array("AttributeSchema attributes", self.attributes)
            + array("SchemaRow rows", self.schemas)
        )


def main():
    onnx_path, onnxruntime_path, out_dir, *families = sys.argv[1:]
    documents = []
    for path in (onnx_path, onnxruntime_path):
        with open(path) as file:
            documents.append(json.load(file))
    onnx = documents[0]

    table = Table()
    by_family = {}
    ops = [(op, document["types"]) for document in documents for op in document["ops"]]
    for op, type_sets in sorted(ops, key=lambda item: item[0]["name"]):
        for version in op["versions"]:
            table.add(op, version, type_sets)
        if has_class(op):
            by_family.setdefault(family_name(op["family"]), []).append(op)

    if sorted(by_family) != sorted(families):
        sys.exit(f"expected the families {sorted(by_family)} in families.bzl, got {sorted(families)}")
    for family, ops in by_family.items():
        with open(os.path.join(out_dir, family + ".td"), "w") as file:
            file.write(print_family(family, ops))
    with open(os.path.join(out_dir, "Schemas.inc"), "w") as file:
        file.write("// Generated from schemas.json by onnx_ops.py.\n\n")
        file.write(f"static constexpr int newestOpset = {onnx['newest_opset']};\n\n")
        file.write("static const DomainRow domains[] = {\n")
        for domain, newest in sorted(onnx["newest_opset_of_domains"].items()):
            file.write(f'    {{"{domain}", {newest}}},\n')
        file.write("};\n\n")
        file.write(table.print())


if __name__ == "__main__":
    main()
