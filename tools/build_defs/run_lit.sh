#!/bin/bash
# Runs one lit test from the Bazel runfiles tree.
export FILECHECK_OPTS="--enable-var-scope"
exec external/llvm/bin/lit -v "$@"
