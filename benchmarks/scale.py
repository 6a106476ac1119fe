"""Cost per node at different graph sizes.

    bazel run //benchmarks:scale

Converts generated graphs of 1, 10 and 100 thousand nodes to each target. For each stage (import, every pass, text, bytecode) it
reports CPU time and peak resident memory beyond those of a graph of one block, divided by the number of nodes, and the
ratio of the most expensive size to the cheapest; for instructions, if the kernel counts them, only this ratio. `--plot` draws
the results. `--peers` also converts ONNX graphs of at most `--peers-limit` nodes to Linalg with torch-mlir and IREE's importer.

The graphs are chains of transformer blocks with static sizes, the same with a dynamic batch, a fan of blocks that all read one
value, and a chain as an exported PyTorch program. `--graphs` selects others (graphs.py), each of one or two simple ops:

    bazel run //benchmarks:scale -- --graphs relus sum ifs --sizes 1000 20000 --targets linalg stablehlo

With `--jit`, the stages of the JIT follow those of Linalg and TOSA.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks import graphs, measure, peers, plot

SIZES = [1_000, 10_000, 100_000]
TARGETS = ["linalg", "tosa", "mhlo", "stablehlo"]
GRAPHS = ["chain", "open", "fan", "program"]
# The stages up to this one are the same for every target.
LAST_SHARED = "simplify-torch"
# The targets that the JIT runs.
RUNNABLE = {"linalg", "tosa"}
# Stages in which MLIR or LLVM itself processes the finished program.
OTHERS = {"text", "bytecode", "jit-native"}
# Stages with a smaller share of the total at every size are only listed by name.
MINOR = 0.005
WIDTH, HEADS, LENGTH = 16, 4, 8


def block(x, i, batch):
    """Returns the nodes of a block from `x` to its output, and their weights."""
    rng = np.random.default_rng(i)
    weights = {
        f"w{i}": rng.standard_normal((WIDTH, WIDTH), dtype=np.float32),
        f"b{i}": rng.standard_normal(WIDTH, dtype=np.float32),
        f"g{i}": rng.standard_normal(WIDTH, dtype=np.float32),
    }
    steps = [
        ("MatMul", [x, f"w{i}"], {}),
        ("Add", ["", f"b{i}"], {}),
        ("Reshape", ["", "heads"], {}),
        ("Transpose", [""], {"perm": [0, 2, 1, 3]}),
        ("Softmax", [""], {"axis": -1}),
        ("Transpose", [""], {"perm": [0, 2, 1, 3]}),
        ("Reshape", ["", "whole"], {}),
        ("Add", ["", x], {}),
        ("LayerNormalization", ["", f"g{i}", f"b{i}"], {}),
        ("Gelu", [""], {}),
        ("Slice", ["", "zero", "half", "last"], {}),
        ("Concat", ["", ""], {"axis": -1}),
        ("Mul", ["", "third"], {}),
        ("Clip", ["", "low", "high"], {}),
    ]
    if batch is None:  # the form in which exporters write a dynamic shape
        shape = [("Shape", [f"y{i}_1"], {"start": 0, "end": 1}), ("Concat", ["", "rest"], {"axis": 0})]
        steps[2:3] = [*shape, ("Reshape", [f"y{i}_1", ""], {})]
    nodes = []
    for j, (op, inputs, attributes) in enumerate(steps):
        inputs = [name or f"y{i}_{j - 1}" for name in inputs]
        nodes.append(helper.make_node(op, inputs, [f"y{i}_{j}"], name=f"n{i}_{j}", **attributes))
    return nodes, weights


CONSTANTS = {
    "heads": np.array([0, 0, HEADS, WIDTH // HEADS]),
    "rest": np.array([LENGTH, HEADS, WIDTH // HEADS]),
    "whole": np.array([0, 0, WIDTH]),
    "zero": np.array([0]),
    "half": np.array([WIDTH // 2]),
    "last": np.array([2]),
    "third": np.float32(1 / 3),
    "low": np.float32(-3),
    "high": np.float32(3),
}


def make_onnx(graph, count, path):
    """Writes a model of `count` nodes or a few more and returns the number."""
    batch = None if graph == "open" else 2
    nodes, weights, ends, x = [], dict(CONSTANTS), [], "x"
    while len(nodes) < count:
        made, own = block(x, len(ends), batch)
        nodes += made
        weights |= own
        ends.append(made[-1].output[0])
        x = "x" if graph == "fan" else ends[-1]
    if graph == "fan":
        nodes.append(helper.make_node("Sum", ends, ["y"], name="sum"))
    shape = ["batch" if batch is None else batch, LENGTH, WIDTH]
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", "y" if graph == "fan" else x)
    ]
    initializers = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    proto = helper.make_graph(nodes, graph, values[:1], values[1:], initializers)
    onnx.save(helper.make_model(proto, opset_imports=[helper.make_opsetid("", 20)]), path)
    return len(nodes)


def renamed(value, names):
    """Returns a part of a program's JSON with tensors renamed."""
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    if "as_tensor" in value:
        return {"as_tensor": {"name": names.get(value["as_tensor"]["name"], value["as_tensor"]["name"])}}
    if "as_tensors" in value:
        return {"as_tensors": [{"name": names.get(each["name"], each["name"])} for each in value["as_tensors"]]}
    return {key: renamed(each, names) for key, each in value.items()}


def make_program(count, path):
    """Writes an exported program of `count` nodes or a few more, by repeating one block; returns the number."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)

        def forward(self, x):
            y = self.linear(x).view(2, LENGTH, HEADS, WIDTH // HEADS).transpose(1, 2)
            y = nn.functional.gelu(self.norm(y.softmax(-1).transpose(1, 2).reshape(2, LENGTH, WIDTH) + x))
            return torch.cat([y, y[..., ::2]], -1)[..., :WIDTH].mul(1 / 3).clamp(-3, 3)

    one = path.with_stem("one_block")
    torch.export.save(torch.export.export(Block().eval(), (torch.randn(2, LENGTH, WIDTH),)), one)
    with zipfile.ZipFile(one) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("models/model.json"):
                program = json.loads(data)
                made = repeat(program["graph_module"], count)
                data = json.dumps(program)
            target.writestr(name, data)
    one.unlink()
    return made


def repeat(module, count):
    """Repeats a graph's nodes, each time on the last result, until there are `count`."""
    graph = module["graph"]
    (x,) = [
        spec["user_input"]["arg"]["as_tensor"]["name"]
        for spec in module["signature"]["input_specs"]
        if "user_input" in spec
    ]
    y = graph["outputs"][0]["as_tensor"]["name"]
    once, types = graph["nodes"], graph["tensor_values"]
    inner = [out["as_tensor"]["name"] for node in once for out in node["outputs"]]
    nodes, last = list(once), y
    for i in range(1, -(-count // len(once))):
        names = {name: f"{name}_block{i}" for name in inner} | {x: last}
        nodes += renamed(once, names)
        types |= {names[name]: types[name] for name in inner}
        last = names[y]
    graph["nodes"] = nodes
    for part in ("graph", "signature"):
        outputs = "outputs" if part == "graph" else "output_specs"
        module[part][outputs] = renamed(module[part][outputs], {y: last})
    return len(nodes)


def make(graph, count, folder):
    if graph == "program":
        path = folder / "program.pt2"
        return path, make_program(count, path)
    path = folder / "model.onnx"
    if graph in graphs.SHAPES:
        onnx.save(graphs.SHAPES[graph](count), path)
        return path, count
    return path, make_onnx(graph, count, path)


def run_stages(program, path, target, repeats, jit=False):
    """Returns the minimum seconds, peak KiB and instructions by stage, in order."""
    command = [program, path, target, *(["jit"] if jit and target in RUNNABLE else [])]
    least = {}
    for _ in range(repeats):
        once = {}
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{path} to {target}: {done.stderr[-400:]}")
        for line in done.stdout.splitlines():
            stage, seconds, peak, instructions = line.split("\t")
            # A pass may run several times.
            is_shared = LAST_SHARED not in once
            name = stage if is_shared or stage == LAST_SHARED else f"{target}: {stage}"
            before = once.get(name, (0, 0, 0))
            once[name] = before[0] + float(seconds), max(before[1], int(peak)), before[2] + int(instructions)
        for name, cost in once.items():
            least[name] = tuple(map(min, least.get(name, cost), cost))
    return least


def per_node(costs, sizes):
    """Returns the cost per node at each size, from {size: (nodes, cost)}; size 1 is a graph of one block."""
    return [(costs[size][1] - costs[1][1]) / costs[size][0] for size in sizes]


def measure_graph(graph, sizes, args, folder):
    """Returns microseconds, KiB and instructions per node by stage, each a list of one for each size."""
    costs = {}
    for size in [1, *sizes]:
        path, count = make(graph, size, folder)
        for target in args.targets:
            print(f"{graph} of {count} nodes to {target}", file=sys.stderr, flush=True)
            repeats = max(args.repeats, min(10, 30_000 // size))  # noise matters more for small graphs
            for stage, cost in run_stages(args.stages, path, target, repeats, args.jit).items():
                for figures, figure in zip(costs.setdefault(stage, ({}, {}, {})), cost):
                    figures.setdefault(size, (count, figure))
        path.unlink()
    time, memory, instructions = (
        {stage: per_node(by_kind[kind], sizes) for stage, by_kind in costs.items()} for kind in range(3)
    )
    time = {stage: [seconds * 1e6 for seconds in each] for stage, each in time.items()}
    minor = [stage for stage in time if max(time[stage]) < MINOR * sum(each[-1] for each in time.values())]
    for stage in minor:
        del time[stage]
    return time, memory, instructions, minor


def measure_peers(graph, sizes, folder):
    """Yields (tool, microseconds, KiB) per node of whole conversions to Linalg, each a list with a value per size."""
    costs = {}
    for size in [1, *sizes]:
        path, count = make(graph, size, folder)
        output = folder / "peer.mlir"
        for tool, commands in {
            "torch-mlir": peers.torch_mlir_commands(path, "linalg", folder, output, bytecode=True),
            "IREE": peers.iree_import_commands(path, folder, output),
        }.items():
            print(f"{graph} of {count} nodes: {tool}", file=sys.stderr, flush=True)
            cost = measure.run_chain(commands)
            if cost.error:
                raise SystemExit(f"{tool}: {cost.error}")
            seconds, peak = costs.setdefault(tool, ({}, {}))
            seconds[size], peak[size] = (count, cost.cpu_s * 1e6), (count, cost.peak_mb * 1024)
    for tool, kinds in costs.items():
        yield tool, *(per_node(kind, sizes) for kind in kinds)


def growth(values):
    """Returns the ratio of the largest to the smallest value."""
    return max(values) / max(min(values), 1e-9)


def cells(values, skipped=0):
    """Returns the figures of a row for all sizes and their growth; the last `skipped` sizes are not measured."""
    return [*(f"{value:.2f}" for value in values), *[""] * skipped, f"{growth(values):.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", type=pathlib.Path)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--graphs", nargs="+", default=GRAPHS, choices=[*GRAPHS, *graphs.SHAPES])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument(
        "--repeats", type=int, default=3, help="runs of the largest graph; small graphs run up to 10 times (3)"
    )
    parser.add_argument("--jit", action="store_true", help="also measure the JIT for Linalg and TOSA")
    parser.add_argument("--plot", type=pathlib.Path, help="the SVG file to write")
    parser.add_argument("--peers", action="store_true", help="also measure torch-mlir and IREE's importer")
    parser.add_argument("--peers-limit", type=int, default=10_000, help="largest graph for the peers, in nodes (10000)")
    args = parser.parse_args()

    rows, panels = [], []
    for graph in args.graphs:
        with tempfile.TemporaryDirectory() as folder:
            time, memory, instructions, minor = measure_graph(graph, args.sizes, args, pathlib.Path(folder))
        print(f"{graph}: below {MINOR:.1%} of the sum: {', '.join(minor) or 'none'}", file=sys.stderr)
        for stage in time:
            counted = f"{growth(instructions[stage]):.2f}" if min(instructions[stage]) > 0 else ""
            rows.append([graph, stage, *cells(time[stage]), *cells(memory[stage]), counted])
        for name, without in (("all", set()), (f"all but {', '.join(sorted(OTHERS))}", OTHERS)):
            whole = [sum(each) for each in zip(*(time[s] for s in time if s.split(": ")[-1] not in without))]
            rows.append([graph, name, *cells(whole), *[""] * (len(args.sizes) + 2)])
        if args.peers and graph != "program":
            sizes = [size for size in args.sizes if size <= args.peers_limit]
            skipped = len(args.sizes) - len(sizes)
            with tempfile.TemporaryDirectory() as folder:
                for tool, spent, held in measure_peers(graph, sizes, pathlib.Path(folder)):
                    rows.append([graph, f"{tool}, to linalg", *cells(spent, skipped), *cells(held, skipped), ""])
        panels += [
            (f"{graph}: µs per node", time),
            (f"{graph}: KiB per node", {stage: memory[stage] for stage in time}),
        ]
    counts = [f"{size:,}" for size in args.sizes]
    header = [
        "graph",
        "stage",
        *(f"µs, {c}" for c in counts),
        "×",
        *(f"KiB, {c}" for c in counts),
        "×",
        "instructions, ×",
    ]
    print(measure.table(header, rows))
    if args.plot:
        args.plot.write_text(plot.svg(panels, args.sizes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
