"""Turns registry/ROLE/FAMILY.txt into a header of op classes and its definitions."""

load("//tools/build_defs:mlir.bzl", "mlir_tblgen")

# What follows a family's name in the headers of its core and composite ops.
SUFFIXES = {
    "composite": "Composites",
    "core": "Ops",
}

_GENERATOR = "//tools/generators:torch_ops.py"
_SCHEMAS = "//third_party/torch:schemas.json"

def torch_family(role, family, td_deps):
    """Declares the generated header and source of one file of the registry.

    Args:
      role: "core" or "composite", the file's folder.
      family: name of the file without its ending, such as "Pointwise".
      td_deps: the .td files the generated one includes.

    Returns:
      The header's name without its ending, such as "PointwiseOps".
    """
    name = family + SUFFIXES[role]
    path = "isthmus/Dialect/Torch/" + name
    registry = "registry/%s/%s.txt" % (role, family)
    td = name + ".td"
    rules = name + "Rules.h.inc"
    native.genrule(
        name = name + "_td",
        srcs = [registry, _SCHEMAS],
        outs = [td, rules],
        cmd = "python3 $(location {generator}) --schemas $(location {schemas}) --registry $(location {registry}) --ops $(location {td}) --rules $(location {rules})".format(
            generator = _GENERATOR,
            registry = registry,
            rules = rules,
            schemas = _SCHEMAS,
            td = td,
        ),
        tools = [_GENERATOR],
        visibility = ["//cc:__subpackages__"],
    )
    mlir_tblgen(
        name = name + "_inc",
        outs = {
            name + ".h.inc": ["-gen-op-decls"],
            name + ".cpp.inc": ["-gen-op-defs"],
        },
        td_deps = td_deps,
        td_file = td,
    )
    header = [
        "#ifndef ISTHMUS_DIALECT_TORCH_%s_H" % name.upper(),
        "#define ISTHMUS_DIALECT_TORCH_%s_H" % name.upper(),
        "#include \"isthmus/Dialect/Torch/Torch.h\"",
        "#define GET_OP_CLASSES",
        "#include \"%s.h.inc\"" % path,
        "#endif",
    ]
    source = [
        "#include \"%s.h\"" % path,
        "#include \"isthmus/Dialect/Torch/RegistryOps.h\"",
        "#include \"mlir/IR/Builders.h\"",
        "#include \"%sRules.h.inc\"" % path,
        "#define GET_OP_CLASSES",
        "#include \"%s.cpp.inc\"" % path,
        "namespace isthmus::torch {",
        "void register%s(TorchDialect &dialect) {" % name,
        "  dialect.add<",
        "#define GET_OP_LIST",
        "#include \"%s.cpp.inc\"" % path,
        "  >();",
        "}",
        "} // namespace isthmus::torch",
    ]
    _write(name + ".h", header)
    _write(name + ".cpp", source)
    return name

def _write(out, lines):
    native.genrule(
        name = out.replace(".", "_"),
        outs = [out],
        cmd = "cat > $@ <<'EOF'\n%s\nEOF" % "\n".join(lines),
        visibility = ["//cc:__subpackages__"],
    )

def family_list(name, families):
    """Writes Families.def: FAMILY(PointwiseOps) and so on, one line each."""
    _write(name, ["FAMILY(%s)" % family for family in families])
