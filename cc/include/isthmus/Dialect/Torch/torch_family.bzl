"""Turns registry/FAMILY.txt into FAMILYOps.h and its definitions."""

load("//tools/build_defs:mlir.bzl", "mlir_tblgen")

def torch_family(family, td_deps):
    """Declares the generated header and source of one op family.

    Args:
      family: name of the registry file without its ending, such as "Pointwise".
      td_deps: the .td files the generated one includes.
    """
    name = family + "Ops"
    path = "isthmus/Dialect/Torch/" + name
    native.genrule(
        name = name + "_td",
        srcs = ["registry/%s.txt" % family, "//third_party/torch:schemas.json"],
        outs = [name + ".td"],
        cmd = ("python3 $(location //tools/generators:torch_ops.py) " +
               "--schemas $(location //third_party/torch:schemas.json) " +
               "--registry $(location registry/%s.txt) > $@") % family,
        tools = ["//tools/generators:torch_ops.py"],
        visibility = ["//cc:__subpackages__"],
    )
    mlir_tblgen(
        name = name + "_inc",
        outs = {
            name + ".h.inc": ["-gen-op-decls"],
            name + ".cpp.inc": ["-gen-op-defs"],
        },
        td_deps = td_deps,
        td_file = ":%s.td" % name,
    )
    header = [
        "#ifndef ISTHMUS_DIALECT_TORCH_%sOPS_H" % family.upper(),
        "#define ISTHMUS_DIALECT_TORCH_%sOPS_H" % family.upper(),
        "#include \"isthmus/Dialect/Torch/Torch.h\"",
        "#define GET_OP_CLASSES",
        "#include \"%s.h.inc\"" % path,
        "#endif",
    ]
    source = [
        "#include \"%s.h\"" % path,
        "#include \"isthmus/Dialect/Torch/RegistryOps.h\"",
        "#include \"mlir/IR/Builders.h\"",
        "#define GET_OP_CLASSES",
        "#include \"%s.cpp.inc\"" % path,
        "namespace isthmus::torch {",
        "void register%sOps(TorchDialect &dialect) {" % family,
        "  dialect.add<",
        "#define GET_OP_LIST",
        "#include \"%s.cpp.inc\"" % path,
        "  >();",
        "}",
        "} // namespace isthmus::torch",
    ]
    _write(name + ".h", header)
    _write(name + ".cpp", source)

def _write(out, lines):
    native.genrule(
        name = out.replace(".", "_"),
        outs = [out],
        cmd = "cat > $@ <<'EOF'\n%s\nEOF" % "\n".join(lines),
        visibility = ["//cc:__subpackages__"],
    )

def family_list(name, families):
    """Writes Families.def: FAMILY(Pointwise) and so on, one line each."""
    _write(name, ["FAMILY(%s)" % family for family in families])
