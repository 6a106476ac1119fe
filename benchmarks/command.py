"""The `isthmus` command of the package under test, for processes that a benchmark starts."""

import compileall
import os
import pathlib
import sys

import isthmus

# The same code as in the installed command.
ISTHMUS = [sys.executable, "-c", "import sys; from isthmus.__main__ import main; sys.exit(main())"]


def install():
    """Lets child processes find the package, and compiles its modules to bytecode, as pip has done for the peers."""
    package = pathlib.Path(isthmus.__file__).parent
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["PYTHONPATH"] = str(package.parent)
    compileall.compile_dir(package, quiet=1)
