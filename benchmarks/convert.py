"""Time and memory to convert a model file to each target's file.

    bazel run //benchmarks:convert

Models: ResNet and BERT-base in their default configurations, with weights in the
output. torch-mlir and IREE's importer convert the same files in the same run.
"""

import argparse
import pathlib
import sys
import tempfile

from benchmarks import command, measure, peers

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]


def chains(model, target, work):
    """Yields (tool, its commands, the file they write) for one model and target."""
    ours, theirs, iree = (work / name for name in ("ours.mlirbc", "theirs.mlir", "iree.mlir"))
    yield (
        "isthmus",
        [[*command.ISTHMUS, "compile", model, "--target", target, "--weights", "resource", "-o", ours]],
        ours,
    )
    if target in peers.TORCH_MLIR_PIPELINES:
        for form in ("text", "bytecode"):
            commands = peers.torch_mlir_commands(model, target, work, theirs, bytecode=form == "bytecode")
            yield f"torch-mlir, to {form}", commands, theirs
    if target == "linalg":
        yield "IREE, import only", [[peers.PROGRAMS / "iree-import-onnx", model, "-o", iree]], iree


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    command.install()

    rows = []
    with tempfile.TemporaryDirectory() as work:
        for model in args.models:
            for target in args.targets:
                for tool, commands, output in chains(model, target, pathlib.Path(work)):
                    print(f"{model.stem} to {target}: {tool}", file=sys.stderr)
                    cost = measure.median_cost(commands, args.repeats)
                    size = f"{output.stat().st_size / 1e6:.0f}" if output.exists() and not cost.error else "-"
                    figures = [f"{cost.cpu_s:.3f}", f"{cost.wall_s:.2f}", f"{cost.peak_mb:.0f}", size, cost.error]
                    rows.append([model.stem, target, tool, *figures])
                    output.unlink(missing_ok=True)
    print(measure.table(["model", "target", "tool", "CPU s", "wall s", "peak MB", "file MB", "note"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
