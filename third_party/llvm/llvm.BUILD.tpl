package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = glob([
        "include/llvm/**",
        "include/llvm-c/**",
        "include/mlir/**",
        "include/mlir-c/**",
    ]),
    includes = ["include"],
)

# What libraries depend on. How MLIR is linked is the final target's choice: a
# binary or test adds :mlir_shared, the extension module of the wheel adds
# :mlir_static. Static and shared MLIR never mix in one process.
alias(
    name = "mlir",
    actual = ":headers",
)

# A link takes a second.
cc_library(
    name = "mlir_shared",
    linkopts = [
        "-L%{prefix}/lib",
        "-Wl,-rpath,%{prefix}/lib",
        "-lMLIR",
        "-lLLVM",
    ],
    deps = [":headers"],
)

# Self-contained: needs nothing beyond glibc and libstdc++ where it runs. Only
# the archive members that something refers to are linked.
cc_library(
    name = "mlir_static",
    linkopts = [
        "-L%{prefix}/lib",
        %{archives}
        "-l:libz.a",
        "-l:libzstd.a",
        "-Wl,--gc-sections",
        "-ldl",
        "-lm",
        "-lpthread",
    ],
    deps = [":headers"],
)

filegroup(
    name = "td_files",
    srcs = glob(["include/mlir/**/*.td"]),
)

exports_files([
    "bin/FileCheck",
    "bin/lit",
    "bin/llvm-tblgen",
    "bin/mlir-tblgen",
    "bin/mlir-translate",
    "bin/not",
])
