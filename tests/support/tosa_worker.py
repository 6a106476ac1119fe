"""Runs TOSA programs on Arm's reference model, in the environment of the tosa-tools wheel.

Reads pickled (text, arrays) from standard input and answers each with (error, results). A result is
sent as bytes, dtype and shape, because this environment's NumPy is older than that of the tests.
"""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import tosa_reference_model


def run(text, arrays):
    with tempfile.TemporaryDirectory() as folder:
        source, flatbuffer = pathlib.Path(folder, "model.mlir"), pathlib.Path(folder, "model.tosa")
        source.write_text(text, encoding="utf-8")
        serialize = subprocess.run(
            [
                pathlib.Path(sys.executable).parent / "tosa-opt",
                "--tosa-serialize",
                f"--tosa-flatbuffer-filename={flatbuffer}",
                source,
            ],
            capture_output=True,
            text=True,
        )
        if serialize.returncode:
            return serialize.stderr[-4000:], None
        outputs, status = tosa_reference_model.run(flatbuffer.read_bytes(), arrays)
    if status != tosa_reference_model.GraphStatus.TOSA_VALID:
        return status.name, None
    return None, [(o.tobytes(), o.dtype.str, o.shape) for o in outputs]


def main():
    # The model prints to standard output, which must hold only answers, so its output goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            text, arrays = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(run(text, arrays), answers)
        answers.flush()


if __name__ == "__main__":
    main()
