"""Speed of the same compiler's code from our output and from torch-mlir's, for the same model.

    bazel run //benchmarks:neutral

Milliseconds per call with one thread: IREE from linalg with inline weights, XLA from StableHLO with weights as arguments.
The producers take turns. Each figure is the median of all rounds; the figure of a round is the median of its calls.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import isthmus
from benchmarks import measure, peers

COMPILERS = {"IREE": "linalg", "XLA": "stablehlo"}
PRODUCERS = ["isthmus", "torch-mlir"]
ROUNDS = 3


def produce(producer, model, target, work):
    """Writes the model as text in the target's dialect and returns the file."""
    output = work / "model.mlir"
    if producer == "isthmus":
        isthmus.compile(model, output_type=target).save(output, weights="resource")
        return output
    *others, lowering = peers.torch_mlir_commands(model, target, work, output, bytecode=False)
    if target == "stablehlo":
        lowering.append("--mlir-print-op-generic")  # the form that all readers of StableHLO share
    for command in [*others, lowering]:
        subprocess.run(command, check=True, capture_output=True)
    if target == "stablehlo":  # XLA's name for an entry point
        output.write_text(re.sub(r'sym_name = "\w+"', 'sym_name = "main"', output.read_text(), count=1))
    return output


def call_of(compiler, source, inputs, work):
    if compiler == "IREE":
        return peers.iree_call(source, inputs, 1, work)
    from tests.support import xla

    # jaxlib does not pass resources to XLA, so both producers' weights are arguments.
    module = isthmus.load(source)
    arguments = [*inputs, *module.hoist_weights(min_bytes=1024)]
    program = xla.program(module.text(), "stablehlo", arguments)
    arguments = xla.on_device(arguments)
    return lambda: program(*arguments)


def measure_one(model, compiler, producer):
    """Runs in a separate process, so that one compiler's threads do not disturb another's."""
    inputs = list(np.load(model.with_suffix(".npz")).values())
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        source = produce(producer, model, COMPILERS[compiler], work)
        print(measure.median_ms(call_of(compiler, source, inputs, work)))


def measure_apart(model, compiler, producer):
    """Returns the figure of `measure_one` from another process on one core."""
    threads = {"OMP_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}
    command = ["taskset", "--cpu-list", "0", sys.executable, __file__, str(model), "--one", compiler, producer]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | threads
    return float(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="ONNX files of known sizes, and .npz beside them")
    parser.add_argument("--one", nargs=2, metavar=("COMPILER", "PRODUCER"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return measure_one(args.models[0], *args.one)

    rows = []
    for model in args.models:
        for compiler in COMPILERS:
            rounds = {producer: [] for producer in PRODUCERS}
            for number in range(ROUNDS):
                for producer in PRODUCERS:
                    print(f"{model.stem}, {compiler}, round {number + 1}: {producer}", file=sys.stderr)
                    rounds[producer].append(measure_apart(model, compiler, producer))
            ours, theirs = (statistics.median(figures) for figures in rounds.values())
            rows.append([model.stem, compiler, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}"])
    print(measure.table(["model", "compiler", *(f"{producer}, ms" for producer in PRODUCERS), "ratio"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
