"""Bazel macros for lit tests."""

load(":parts.bzl", "part_params")

def lit_tests(name, data = []):
    """Declares one test target per .mlir file of this package, plus a suite called name.

    The filegroup name_files has all files. A test that needs an optional part of the build says `REQUIRES: mhlo`.

    Args:
      name: name of the test_suite.
      data: further files the tests read.
    """
    tests = []
    for src in native.glob(["*.mlir"]):
        native.sh_test(
            name = src + ".test",
            size = "small",
            srcs = ["//tools/build_defs:run_lit.sh"],
            args = [native.package_name() + "/" + src] + part_params(),
            data = data + [
                src,
                "//tests:lit_config",
                "//tools/isthmus-opt",
                "@llvm//:bin/FileCheck",
                "@llvm//:bin/lit",
                "@llvm//:bin/not",
            ],
        )
        tests.append(src + ".test")
    native.test_suite(name = name, tests = tests)
    native.filegroup(
        name = name + "_files",
        srcs = native.glob(["*.mlir"]),
        visibility = [
            "//tests/Meta:__pkg__",
            "//tools/coverage:__pkg__",
        ],
    )
