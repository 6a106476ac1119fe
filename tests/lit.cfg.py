"""lit: every .mlir file is a test that runs its RUN lines with the built isthmus-opt."""

import os

import lit.formats

config.name = "isthmus"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.available_features.update(lit_config.params)
config.test_exec_root = os.environ["TEST_TMPDIR"]
config.environment["FILECHECK_OPTS"] = os.environ["FILECHECK_OPTS"]
config.environment["PATH"] = os.pathsep.join(
    [os.path.abspath(path) for path in ("tools/isthmus-opt", "tools/isthmus-run", "external/llvm/bin")]
    + [os.environ["PATH"]]
)
