"""How fast the same compiler's code runs from our output and from torch-mlir's, of the same model.

    bazel run //benchmarks:neutral

Median milliseconds per call with one thread: IREE from linalg, XLA from StableHLO, weights inline.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import isthmus
from benchmarks import measure, peers

COMPILERS = {"IREE": "linalg", "XLA": "stablehlo"}
PRODUCERS = ["isthmus", "torch-mlir"]


def produce(producer, model, target, work):
    """Writes the model in the target's dialect, as text, and returns the file."""
    output = work / "model.mlir"
    if producer == "isthmus":
        isthmus.compile(model, target).save(output)
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

    # jaxlib does not pass resources on to XLA, so both producers' weights are arguments.
    module = isthmus.load(source)
    arguments = [*inputs, *module.hoist_weights(min_bytes=1024)]
    program = xla.program(module.text(), "stablehlo", arguments)
    arguments = xla.on_device(arguments)
    return lambda: program(*arguments)


def measure_one(model, compiler, producer):
    """Runs in a process of its own, so that no compiler's threads disturb another's."""
    inputs = list(np.load(model.with_suffix(".npz")).values())
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        source = produce(producer, model, COMPILERS[compiler], work)
        print(measure.median_ms(call_of(compiler, source, inputs, work)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="ONNX files of known sizes, and .npz beside them")
    parser.add_argument("--one", nargs=2, metavar=("COMPILER", "PRODUCER"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return measure_one(args.models[0], *args.one)

    threads = {"OMP_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | threads
    rows = []
    for model in args.models:
        for compiler in COMPILERS:
            figures = []
            for producer in PRODUCERS:
                print(f"{model.stem}, {compiler}: {producer}", file=sys.stderr)
                command = ["taskset", "--cpu-list", "0", sys.executable, __file__, str(model)]
                done = subprocess.run(
                    [*command, "--one", compiler, producer], env=environment, capture_output=True, text=True
                )
                figures.append(float(done.stdout) if done.returncode == 0 else done.stderr.strip()[-120:])
            ratio = "-" if any(isinstance(figure, str) for figure in figures) else f"{figures[0] / figures[1]:.2f}"
            shown = [figure if isinstance(figure, str) else f"{figure:.2f}" for figure in figures]
            rows.append([model.stem, compiler, *shown, ratio])
    print(measure.table(["model", "compiler", *(f"{producer}, ms" for producer in PRODUCERS), "ratio"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
