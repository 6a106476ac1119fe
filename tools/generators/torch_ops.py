"""Writes the TableGen definitions of one family of torch ops, or declares the type rules that they name.

Usage: torch_ops.py --print ops|rules --schemas third_party/torch/schemas.json --registry ROLE/FAMILY.txt

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
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split()
        if len(fields) != 2:
            sys.exit(f"{path}:{number}: expected 'name rule', got '{line}'")
        yield fields


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


def print_ops(registry, schemas):
    role, family = registry.parent.name, registry.stem
    guard = f"ISTHMUS_DIALECT_TORCH_{role.upper()}_{family.upper()}_TD"
    print(f"// {role}/{registry.name} joined with PyTorch's operator registry; do not edit.\n")
    print(f'#ifndef {guard}\n#define {guard}\n\ninclude "isthmus/Dialect/Torch/TorchBase.td"\n')
    for name, rule in read_registry(registry):
        if name not in schemas:
            sys.exit(f"{registry}: no signature of '{name}'; run tools/refresh_schemas")
        print(define(name, role, rule, schemas[name], folds=family == "Scalar"))
    print(f"#endif // {guard}")


def print_rules(registry):
    print(f"// The type rules of {registry.parent.name}/{registry.name}; do not edit.\n")
    print("namespace isthmus::torch::rules {")
    for rule in sorted({rule for _, rule in read_registry(registry)}):
        print(f"mlir::LogicalResult {rule}(TypeInference &op);")
    print("} // namespace isthmus::torch::rules")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", choices=("ops", "rules"), required=True)
    parser.add_argument("--schemas", type=pathlib.Path, required=True)
    parser.add_argument("--registry", type=pathlib.Path, required=True)
    args = parser.parse_args()

    if args.print == "rules":
        print_rules(args.registry)
    else:
        print_ops(args.registry, json.loads(args.schemas.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
