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

# Developer builds and tests link the shared library: a link takes a second.
cc_library(
    name = "mlir",
    linkopts = [
        "-L%{prefix}/lib",
        "-Wl,-rpath,%{prefix}/lib",
        "-lMLIR",
        "-lLLVM",
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
    "bin/mlir-tblgen",
    "bin/not",
])
