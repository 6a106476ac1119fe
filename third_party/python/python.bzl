"""Declares @python: the interpreter and headers of the workspace's environment.

The environment is `.venv`, which `tools/setup` makes from the lock files here,
or the folder that ISTHMUS_VENV names. Without one, C++ targets still build;
Python targets fail and say what to run.
"""

_BUILD = """
load("@bazel_tools//tools/python:toolchain.bzl", "py_runtime_pair")

package(default_visibility = ["//visibility:public"])

py_runtime(
    name = "interpreter",
    interpreter_path = "{interpreter}",
    python_version = "PY3",
    stub_shebang = "#!/usr/bin/python3",
)

py_runtime_pair(
    name = "runtimes",
    py3_runtime = ":interpreter",
)

toolchain(
    name = "toolchain",
    toolchain = ":runtimes",
    toolchain_type = "@bazel_tools//tools/python:toolchain_type",
)
"""

_HEADERS = """
# Python.h. The symbols come from the interpreter that loads us.
cc_library(
    name = "headers",
    hdrs = glob(["include/**/*.h"]),
    includes = ["include"],
)
"""

_NO_HEADERS = """
genrule(
    name = "missing_headers",
    outs = ["missing.h"],
    cmd = "echo '{message}' >&2; exit 1",
)

cc_library(
    name = "headers",
    hdrs = ["missing.h"],
)
"""

def _python_configure_impl(ctx):
    root = ctx.path(Label("//:WORKSPACE")).dirname
    ctx.path(Label("//third_party/python:requirements.lock"))  # a new lock means a new environment
    venv = ctx.path(ctx.os.environ.get("ISTHMUS_VENV") or str(root) + "/.venv")
    if venv.exists:
        venv = venv.realpath  # .venv is a link; a cached result must have the target of the link
    interpreter = "%s/bin/python" % venv
    if not ctx.path(interpreter).exists:
        message = "expected a Python environment in %s, got nothing there: run tools/setup" % venv
        ctx.file("no_environment", "#!/bin/sh\necho '%s' >&2\nexit 1\n" % message, executable = True)
        ctx.file("BUILD", _BUILD.format(interpreter = ctx.path("no_environment")) +
                          _NO_HEADERS.format(message = message))
        ctx.file("paths.bzl", "TOSA_PYTHON = ''\n")
        return

    found = ctx.execute([interpreter, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])"])
    if found.return_code:
        fail("expected a Python environment in %s, got\n%s\nrun tools/setup" % (venv, found.stderr))
    ctx.symlink(found.stdout.strip(), "include")
    ctx.file("BUILD", _BUILD.format(interpreter = interpreter) + _HEADERS)
    ctx.file("paths.bzl", "TOSA_PYTHON = '%s/tosa/bin/python'\n" % venv)

python_configure = repository_rule(
    implementation = _python_configure_impl,
    environ = ["ISTHMUS_VENV"],
    local = True,
    doc = "Declares @python over the workspace's Python environment.",
)
