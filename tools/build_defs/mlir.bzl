"""Bazel macros for MLIR code generation."""

# Empty, or the path of this repository in the embedding workspace.
_ROOT = Label("//tools/build_defs:mlir.bzl").workspace_root
_INCLUDE = _ROOT + "/cc/include" if _ROOT else "cc/include"

def mlir_tblgen(name, td_file, outs, td_deps = [], visibility = None):
    """Runs mlir-tblgen on one .td file and wraps the results in a cc_library.

    Args:
      name: name of the cc_library that exposes the generated .inc files.
      td_file: the .td file, checked in or generated, in this package.
      outs: {output file: mlir-tblgen flags}; a ".md" output becomes documentation.
      td_deps: labels of the .td files that td_file includes.
      visibility: visibility of the cc_library.
    """
    for out, flags in outs.items():
        native.genrule(
            name = name + "_" + out.replace(".", "_").replace("/", "_"),
            srcs = [td_file] + td_deps + ["@llvm//:td_files"],
            outs = [out],
            cmd = ("$(location @llvm//:bin/mlir-tblgen) {flags} -I {include} " +
                   "-I $(GENDIR)/{include} -I external/llvm/include " +
                   "$(location {td}) -o $@").format(flags = " ".join(flags), include = _INCLUDE, td = td_file),
            tools = ["@llvm//:bin/mlir-tblgen"],
            visibility = visibility,
        )
    native.cc_library(
        name = name,
        textual_hdrs = [out for out in outs if not out.endswith(".md")],
        visibility = visibility,
        deps = ["//cc/include:root"],
    )
