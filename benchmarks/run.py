"""Speed of a compiled model, compared with onnxruntime and with IREE compiling our Linalg.

    bazel run //benchmarks:run

Median milliseconds per call, batch 1, with one thread and with two. All sizes are static.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import isthmus
from benchmarks import measure, peers


def onnxruntime_call(model, inputs, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)


def compiled(model, inputs):
    """Returns our Linalg for inputs of these sizes."""
    return isthmus.compile(model, specialize={name: array.shape for name, array in inputs.items()})


def isthmus_call(model, inputs, threads):
    module = compiled(model, inputs)
    return lambda: module.run(*inputs.values(), threads=threads)


def iree_call(model, inputs, threads):
    """Returns a call of IREE's code from our Linalg, with its task system on `threads` cores."""
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work, "model.mlir")
        compiled(model, inputs).save(source)
        return peers.iree_call(source, list(inputs.values()), threads, pathlib.Path(work))


TOOLS = {"isthmus": isthmus_call, "onnxruntime": onnxruntime_call, "IREE, our Linalg": iree_call}


def measure_one(tool, model, threads):
    """Runs in a separate process, so that one tool's threads do not disturb another's."""
    inputs = dict(np.load(model.with_suffix(".npz")))
    inputs = {name: array[:1] for name, array in inputs.items()}
    if "input_ids" in inputs:  # a full-length sentence
        inputs = {name: np.resize(array, (1, 128)) for name, array in inputs.items()}
    print(measure.median_ms(TOOLS[tool](model, inputs, threads)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="ONNX files with open batch, and .npz beside them")
    parser.add_argument("--one", nargs=2, metavar=("TOOL", "THREADS"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        tool, threads = args.one
        return measure_one(tool, args.models[0], int(threads))

    rows = []
    for model in args.models:
        for threads in (1, 2):
            for tool in TOOLS:
                print(f"{model.stem}, {threads} thread(s): {tool}", file=sys.stderr)
                environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": str(threads)}
                command = [sys.executable, __file__, str(model), "--one", tool, str(threads)]
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                figure = f"{float(done.stdout):.1f}" if done.returncode == 0 else done.stderr.strip()[-120:]
                rows.append([model.stem, threads, tool, figure])
    print(measure.table(["model", "threads", "tool", "ms"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
