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

# Libraries depend on this. The final target chooses how to link MLIR: a binary or
# test adds :mlir_shared, and the extension module of the wheel adds :mlir_static.
# Static and shared MLIR never mix in one process.
alias(
    name = "mlir",
    actual = ":headers",
)

# Linking against this takes a second.
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

# Binaries with this need only glibc and libstdc++ where they run. Only archive
# members with a reference to them are linked.
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
    "bin/llvm-objcopy",
    "bin/llvm-readelf",
    "bin/llvm-tblgen",
    "bin/mlir-tblgen",
    "bin/mlir-translate",
    "bin/not",
])
