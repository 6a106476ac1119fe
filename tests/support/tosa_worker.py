"""Runs TOSA programs on Arm's reference model, in the environment of the tosa-tools wheel.

Reads pickled (program, arrays) from standard input and answers each with (error, results). A result is
sent as bytes, dtype and shape, because this environment's NumPy is older than that of the tests.
"""

import os
import pickle
import sys

import tosa_reference_model


def run(program, arrays):
    outputs, status = tosa_reference_model.run(program, arrays)
    if status != tosa_reference_model.GraphStatus.TOSA_VALID:
        return status.name, None
    return None, [(o.tobytes(), o.dtype.str, o.shape) for o in outputs]


def main():
    # The model prints to standard output, which must hold only answers, so its output goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            program, arrays = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(run(program, arrays), answers)
        answers.flush()


if __name__ == "__main__":
    main()
