"""Bazel macros for Python tests."""

load("@python//:paths.bzl", "TOSA_PYTHON")
load(":parts.bzl", "part_params")

def pytest(name, src, size = "small", data = [], deps = [], shard_count = None, tags = [], parts = [], env = {}):
    """Declares one pytest target for one file, with variables `env`; see py_tests for the other arguments."""
    native.py_test(
        name = name,
        size = size,
        srcs = [src, "//tools/build_defs:run_pytest.py"],
        args = [native.package_name() + "/" + src] +
               ["--requires=" + part for part in parts] + part_params(),
        data = data,
        env = dict(env, TOSA_PYTHON = TOSA_PYTHON),
        main = "//tools/build_defs:run_pytest.py",
        shard_count = shard_count,
        tags = tags,
        deps = deps,
    )

def py_tests(name, srcs = None, size = "small", data = [], deps = [], shard_count = None, tags = [], parts = []):
    """Declares one pytest target per *_test.py of this package, plus a suite called name.

    A test finds programs of the environment (torch-mlir-opt, iree-compile) beside
    sys.executable. $TOSA_PYTHON is the interpreter with tosa-tools.

    Args:
      name: name of the test_suite.
      srcs: the test files; by default every *_test.py here.
      size: Bazel's size of each test, which limits its time.
      data: files the tests read.
      deps: py_library targets the tests import.
      shard_count: number of processes for the cases of one file.
      tags: Bazel tags of each test; --config=lean leaves out "same_in_lean".
      parts: parts of the build (parts.bzl) that the tests need; without them they pass without running.
    """
    tests = []
    for src in srcs or native.glob(["*_test.py"]):
        test = src[:-len(".py")]
        pytest(
            name = test,
            size = size,
            src = src,
            data = data,
            deps = deps,
            parts = parts,
            shard_count = shard_count,
            tags = tags,
        )
        tests.append(test)
    native.test_suite(name = name, tests = tests)
