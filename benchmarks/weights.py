"""What a program with gigabytes of weights costs to convert, beside the same program with few.

    bazel run //benchmarks:weights

A Llama of 1.5 billion parameters in f32 (6 GB), as ONNX with external data and as `.pt2`, goes to each target with its weights left in
place; so does the same graph with a hundredth of them; and an ONNX model whose external data are a file of 20 GB that is all hole. Peak
memory is what counts against the process, pages of mapped files included. Needs 8 GB of disk and 16 GB of memory, for making the models.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from benchmarks import command, measure

TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]
# Layers, heads and everything else that makes the graph are the same.
WIDTHS = {"large": (2048, 8192, 32000), "small": (128, 512, 2000)}


def make_llama(width, path):
    """Exports a Llama with weights of no meaning."""
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
    for parameter in model.parameters():
        parameter.detach().copy_(torch.linspace(1, 2, parameter.shape[-1]))  # nothing folds
    torch.nn.init.ones_(model.rotary_emb.inv_freq)
    tokens = torch.zeros(1, 128, dtype=torch.int64)
    if path.suffix == ".pt2":
        torch.export.save(torch.export.export(model, (tokens,)), path)
    else:
        torch.onnx.export(model, (tokens,), path, dynamo=True, optimize=False, external_data=True)


def make_sparse(path):
    """An ONNX model that multiplies by 20 GB of external data, which take no disk."""
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
    """Makes a model in a process of its own, so that its memory is not ours."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    making = [sys.executable, __file__, "--make", kind, path]
    subprocess.run(making, env=environment, check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--formats", nargs="+", default=["onnx", "pt2"], choices=["onnx", "pt2"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--make", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.make:
        kind, path = args.make
        make_sparse(pathlib.Path(path)) if kind == "sparse" else make_llama(kind, pathlib.Path(path))
        return 0
    command.install()

    models = [(width, f"llama.{format}") for format in args.formats for width in WIDTHS]
    rows = []
    for kind, name in [*models, ("sparse", "sparse.onnx")]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            print(f"making {kind} {name}", file=sys.stderr)
            make(kind, path)
            size = sum(file.stat().st_size for file in path.parent.iterdir()) / 1e9
            for target in args.targets:
                print(f"{kind} {name} to {target}", file=sys.stderr)
                output = path.parent / "m.mlirbc"
                options = ["--target", target, "-o", output, "--weights", "external", "--weights-in-place"]
                cost = measure.median_cost([[*command.ISTHMUS, "compile", path, *options]], args.repeats)
                anew = output.with_suffix(".safetensors")
                copied = f"{anew.stat().st_size / 1e6:.0f}" if anew.exists() else "0"
                anew.unlink(missing_ok=True)
                figures = [f"{cost.cpu_s:.2f}", f"{cost.wall_s:.2f}", f"{cost.peak_mb:.0f}", copied, cost.error]
                rows.append([f"{name}, {kind}", f"{size:.2f}", target, *figures])
    print(measure.table(["model", "GB", "target", "CPU s", "wall s", "peak MB", "MB written anew", "note"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
