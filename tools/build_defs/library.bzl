"""libisthmus.so: the functions of isthmus.h, with all that they need inside."""

def isthmus_library(name, deps, **keywords):
    """Declares a shared library of the C functions.

    Args:
      name: name of the library's file.
      deps: how MLIR is linked (@llvm//:mlir_static or @llvm//:mlir_shared), and further targets.
      **keywords: other attributes of cc_binary.
    """
    native.cc_binary(
        name = name,
        additional_linker_inputs = ["//cc/lib/C:exports.lds"],
        linkopts = [
            "-Wl,--strip-all",
            "-Wl,--version-script=$(location //cc/lib/C:exports.lds)",
            "-Wl,-soname,libisthmus.so.0",
            "-Wl,--wrap=malloc",
            # Threads and memory of runs outlive a handle of dlopen.
            "-Wl,-z,nodelete",
        ],
        linkshared = True,
        deps = [
            "//cc/lib/C",
            "//cc/lib/C:Memory",
        ] + deps,
        **keywords
    )
