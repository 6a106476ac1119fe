"""Writes the TableGen definitions of one family of torch ops, and declares the type rules that they name.

Usage: torch_ops.py --schemas third_party/torch/schemas.json --registry ROLE/FAMILY.txt --ops FILE.td --rules FILE.inc

A registry line is `name rule`; its folder is the op's role, and the signature
comes from PyTorch's own registry. One line becomes one op class:
`aten.add.Tensor` is `AtenAddTensorOp`.
"""

import argparse
import json
import pathlib
import re
import sys

# PyTorch's spelling of an argument type, and its ODS constraint.
OPERAND_TYPES = {
    "Tensor": "AnyTorchTensor",
    "Optional[Tensor]": "AnyTorchOptionalTensor",
    "List[Tensor]": "AnyTorchListOfTensor",
    "List[Optional[Tensor]]": "AnyTorchListOfOptionalTensor",
    "int": "TorchInt",
    "Optional[int]": "TorchOptionalInt",
    "List[bool]": "TorchListOfBool",
    "List[int]": "TorchListOfInt",
    "Optional[List[float]]": "TorchOptionalListOfFloat",
    "Optional[List[int]]": "TorchOptionalListOfInt",
    "float": "TorchFloat",
    "Optional[float]": "TorchOptionalFloat",
    "bool": "TorchBool",
    "Optional[bool]": "TorchOptionalBool",
    "number": "TorchScalar",
    "Optional[number]": "TorchOptionalScalar",
    "str": "TorchStr",
    "Optional[str]": "TorchOptionalStr",
    "Device": "TorchDevice",
    "Optional[Device]": "TorchOptionalDevice",
    "Optional[Generator]": "TorchOptionalGenerator",
}
ROLES = {"core": "Core", "composite": "Composite"}


def class_name(name):
    """aten.add.Tensor -> AtenAddTensorOp; aten.__and__.bool -> Aten__And__BoolOp."""
    words = re.split(r"[._]", name)
    return "".join(word[:1].upper() + word[1:] if word else "_" for word in words) + "Op"


def read_registry(path):
    """The pairs of an op's name and its type rule."""
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split()
        if len(fields) != 2:
            sys.exit(f"{path}:{number}: expected 'name rule', got '{line}'")
        lines.append(fields)
    return lines


def define(name, role, rule, schema, folds):
    operands = ", ".join(f"{OPERAND_TYPES[argument['type']]}:${argument['name']}" for argument in schema["arguments"])
    results = ", ".join(
        f"{OPERAND_TYPES[result['type']]}:${result['name'] or 'result' + (str(i) if len(schema['results']) > 1 else '')}"
        for i, result in enumerate(schema["results"])
    )
    return (
        f'def Torch_{class_name(name)} : Torch_RegistryOp<"{name}", "{rule}", [{ROLES[role]}]> {{\n'
        f"  let arguments = (ins {operands});\n"
        f"  let results = (outs {results});\n" + ("  let hasFolder = 1;\n" if folds else "") + "}\n"
    )


def ops_file(registry, lines, schemas):
    role, family = registry.parent.name, registry.stem
    guard = f"ISTHMUS_DIALECT_TORCH_{role.upper()}_{family.upper()}_TD"
    yield f"// {role}/{registry.name} joined with PyTorch's operator registry; do not edit.\n"
    yield f'#ifndef {guard}\n#define {guard}\n\ninclude "isthmus/Dialect/Torch/TorchBase.td"\n'
    for name, rule in lines:
        if name not in schemas:
            sys.exit(f"{registry}: no signature of '{name}'; run tools/refresh_schemas")
        yield define(name, role, rule, schemas[name], folds=family == "Scalar")
    yield f"#endif // {guard}\n"


def rules_file(registry, lines):
    yield f"// The type rules of {registry.parent.name}/{registry.name}; do not edit.\n"
    yield "namespace isthmus::torch::rules {"
    for rule in sorted({rule for _, rule in lines}):
        yield f"mlir::LogicalResult {rule}(TypeInference &op);"
    yield "} // namespace isthmus::torch::rules\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("schemas", "registry", "ops", "rules"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    args = parser.parse_args()

    lines = read_registry(args.registry)
    schemas = json.loads(args.schemas.read_text(encoding="utf-8"))
    args.ops.write_text("\n".join(ops_file(args.registry, lines, schemas)), encoding="utf-8")
    args.rules.write_text("\n".join(rules_file(args.registry, lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
