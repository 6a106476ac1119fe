"""Runs the built isthmus-opt."""

import subprocess


def isthmus_opt(text, *args):
    """Returns the output of isthmus-opt for an MLIR text. A failure raises an error with its diagnostics."""
    run = subprocess.run(
        ["tools/isthmus-opt/isthmus-opt", *args],
        input=text,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        # The first line is the error, and the program follows.
        raise RuntimeError(f"isthmus-opt {' '.join(args)}: {run.stderr[:4000]}")
    return run.stdout
