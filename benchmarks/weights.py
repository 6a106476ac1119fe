"""Cost of converting a program with gigabytes of weights, compared with the same program with few.

    bazel run //benchmarks:weights

Converts a Llama of 1.5 billion parameters in f32 (6 GB), as ONNX with external data and as `.pt2`, to each target with weights in
place; the same graph with a hundredth of the weights; and an ONNX model whose external data is a sparse file of 20 GB. Peak memory is
the memory that counts against the process, including pages of mapped files.

torch-mlir and IREE's importer convert the same graph with 1.7 GB of weights as ONNX, and the 6 GB graph as far as they get: no process
may use more than --limit GB of memory, and output that does not fit on a disk with 16 GB free goes to /dev/null.

Needs 16 GB of disk and --limit GB of memory.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from benchmarks import command, measure, peers

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]
# Hidden, intermediate and vocabulary sizes. Everything else that defines the graph is equal.
WIDTHS = {"large": (2048, 8192, 32000), "medium": (1088, 4352, 32000), "small": (128, 512, 2000)}
# The widths that other tools convert too.
BESIDE = ["medium", "large"]


def make_llama(width, path):
    """Exports a Llama with meaningless weights."""
    import torch
    import transformers

    hidden, intermediate, vocabulary = WIDTHS[width]
    config = transformers.LlamaConfig(
        hidden_size=hidden,
        intermediate_size=intermediate,
        vocab_size=vocabulary,
        num_hidden_layers=24,
        num_attention_heads=32,
        num_key_value_heads=8,
        use_cache=False,
    )
    with torch.device("meta"):
        model = transformers.LlamaModel(config).eval()
    model = model.to_empty(device="cpu")
    for i, parameter in enumerate(model.parameters()):  # nothing folds, and no two weights are equal
        parameter.detach().copy_(torch.linspace(i + 1, i + 2, parameter.shape[-1]))
    torch.nn.init.ones_(model.rotary_emb.inv_freq)
    tokens = torch.zeros(1, 128, dtype=torch.int64)
    if path.suffix == ".pt2":
        torch.export.save(torch.export.export(model, (tokens,)), path)
    else:
        torch.onnx.export(model, (tokens,), path, dynamo=True, optimize=False, external_data=True)


def make_sparse(path):
    """Writes an ONNX model that multiplies by 20 GB of external data in a sparse file."""
    import onnx
    from onnx import TensorProto, helper

    rows, count, layers = 1 << 14, 1 << 14, 20
    (path.parent / "weights.bin").touch()
    os.truncate(path.parent / "weights.bin", rows * count * 4 * layers)
    weights = []
    for i in range(layers):
        tensor = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT, dims=[rows, count])
        tensor.data_location = TensorProto.EXTERNAL
        size = rows * count * 4
        for key, value in [("location", "weights.bin"), ("offset", i * size), ("length", size)]:
            tensor.external_data.add(key=key, value=str(value))
        weights.append(tensor)
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i}"], [f"x{i + 1}"]) for i in range(layers)]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, rows]) for name in ("x0", f"x{layers}"))
    graph = helper.make_graph(nodes, "sparse", [x], [y], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]), path)


def make(kind, path):
    """Writes a model in a separate process, so that its memory does not count as ours."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    making = [sys.executable, __file__, "--make", kind, path]
    subprocess.run(making, env=environment, check=True, stdout=subprocess.DEVNULL)


def convert(path, target):
    """Returns our command that leaves weights in place, and its output file."""
    output = path.parent / "m.mlirbc"
    options = ["--target", target, "-o", output, "--weights", "external", "--weights-in-place"]
    return [*command.ISTHMUS, "compile", path, *options], output


def others(path, kind):
    """Yields (tool, target, commands, output folder)."""
    work = path.parent / "theirs"
    importer = [peers.PROGRAMS / "iree-import-onnx", path]
    if kind == "large":
        to_nowhere = ["-o", os.devnull]
        importing = [peers.PROGRAMS / "torch-mlir-import-onnx", path, *to_nowhere]
        yield "torch-mlir, import to /dev/null", "-", [importing], work
        yield "IREE, import to /dev/null", "-", [[*importer, *to_nowhere]], work
        importer.append("--large-model")
        yield "IREE, --large-model, import to /dev/null", "-", [[*importer, *to_nowhere]], work
    else:
        yield "IREE, import only", "-", [[*importer, "-o", work / "iree.mlir"]], work
        for target in peers.TORCH_MLIR_PIPELINES:
            commands = peers.torch_mlir_commands(path, target, work, work / "theirs.mlirbc", bytecode=True)
            yield "torch-mlir", target, commands, work
    archive = [*importer, "-o", work / "iree.mlir", "--externalize-params", "--save-params-to", work / "iree.irpa"]
    yield "IREE, import with parameters apart", "-", [archive], work


def times(theirs, ours):
    """Returns the ratios of their CPU time and peak memory to ours."""
    if theirs.error:
        return "-"
    return f"{theirs.cpu_s / ours.cpu_s:.0f}, {theirs.peak_mb / ours.peak_mb:.0f}"


def compare(path, kind, limit):
    """Returns a row for each tool on one model. If a tool has no such target, compares with our most expensive one."""
    rows, ours = [], {}
    for target in TARGETS:
        converting, _ = convert(path, target)
        ours[target] = measure.median_cost([converting], 3)
        for file in path.parent.glob("m.*"):
            file.unlink()
        figures = [f"{ours[target].cpu_s:.2f}", f"{ours[target].wall_s:.2f}", f"{ours[target].peak_mb:.0f}"]
        rows.append([kind, "isthmus", target, *figures, "1, 1", ours[target].error])
    dearest = max(ours.values(), key=lambda cost: cost.cpu_s)
    for tool, target, commands, work in others(path, kind):
        print(f"{kind} {path.name} to {target}: {tool}", file=sys.stderr, flush=True)
        work.mkdir()
        limited = [["prlimit", f"--as={limit * 10**9}", *each] for each in commands]
        cost = measure.run_chain(limited)
        figures = [f"{cost.cpu_s:.1f}", f"{cost.wall_s:.1f}", f"{cost.peak_mb:.0f}"]
        rows.append([kind, tool, target, *figures, times(cost, ours.get(target, dearest)), cost.error])
        shutil.rmtree(work)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--formats", nargs="+", default=["onnx", "pt2"], choices=["onnx", "pt2"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--beside", nargs="*", default=BESIDE, choices=BESIDE, help="the sizes to convert with other tools too"
    )
    parser.add_argument("--limit", type=int, default=20, help="GB of memory that a tool may use (20)")
    parser.add_argument("--make", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.make:
        kind, path = args.make
        make_sparse(pathlib.Path(path)) if kind == "sparse" else make_llama(kind, pathlib.Path(path))
        return 0
    command.install()

    models = [(width, f"llama.{format}") for format in args.formats for width in ("large", "small")]
    rows, compared = [], []
    for kind, name in [*models, ("sparse", "sparse.onnx")]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            print(f"making {kind} {name}", file=sys.stderr)
            make(kind, path)
            size = sum(file.stat().st_size for file in path.parent.iterdir()) / 1e9
            for target in args.targets:
                print(f"{kind} {name} to {target}", file=sys.stderr)
                converting, output = convert(path, target)
                cost = measure.median_cost([converting], args.repeats)
                anew = output.with_suffix(".safetensors")
                copied = f"{anew.stat().st_size / 1e6:.0f}" if anew.exists() else "0"
                anew.unlink(missing_ok=True)
                figures = [f"{cost.cpu_s:.2f}", f"{cost.wall_s:.2f}", f"{cost.peak_mb:.0f}", copied, cost.error]
                rows.append([f"{name}, {kind}", f"{size:.2f}", target, *figures])
            if kind in args.beside and path.suffix == ".onnx":
                compared += compare(path, kind, args.limit)
    if "medium" in args.beside:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "llama.onnx")
            make("medium", path)
            compared += compare(path, "medium", args.limit)
    print(measure.table(["model", "GB", "target", "CPU s", "wall s", "peak MB", "MB written anew", "note"], rows))
    header = ["model", "tool", "target", "CPU s", "wall s", "peak MB", "times ours: CPU, memory", "note"]
    print("\n" + measure.table(header, compared))
    return 0


if __name__ == "__main__":
    sys.exit(main())
