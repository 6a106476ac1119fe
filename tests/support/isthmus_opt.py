"""Runs the built isthmus-opt."""

import subprocess


def isthmus_opt(text, *args):
    """Returns what isthmus-opt prints for an MLIR text; its diagnostics are the error of a failure."""
    run = subprocess.run(
        ["tools/isthmus-opt/isthmus-opt", *args],
        input=text,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        # The first line says what is wrong; behind it is the program.
        raise RuntimeError(f"isthmus-opt {' '.join(args)}: {run.stderr[:4000]}")
    return run.stdout
