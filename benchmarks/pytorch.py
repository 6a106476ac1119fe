"""Cost of converting a PyTorch program to each target, compared with torch-mlir.

    bazel run //benchmarks:pytorch

CPU seconds and megabytes of peak memory, above the memory that the process held before, for converting an ExportedProgram in
memory or a `.pt2` file to the target's IR in memory. This includes reading the file but not exporting. Weights are random.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from benchmarks import measure

TARGETS = ["linalg", "tosa", "stablehlo"]
TOOLS = ["isthmus", "torch-mlir"]
SOURCES = ["memory", "file"]


def tokens(model, length):
    import torch

    return (torch.randint(0, model.config.vocab_size, (1, length)),)


def build(name):
    """Returns a module in eval mode and its example inputs."""
    import torch
    import transformers

    torch.manual_seed(0)
    if name == "resnet50":
        return transformers.ResNetModel(transformers.ResNetConfig()).eval(), (torch.randn(1, 3, 224, 224),)
    model = {
        "bert-base": lambda: transformers.BertModel(transformers.BertConfig()),
        "gpt2": lambda: transformers.GPT2Model(transformers.GPT2Config(use_cache=False)),
        # The sizes and dtype of Llama 3.2 1B, with a separate embedding. In f32, torch-mlir exceeds 24 GB.
        "llama-1b": lambda: transformers.LlamaModel(
            transformers.LlamaConfig(
                hidden_size=2048,
                intermediate_size=8192,
                num_hidden_layers=16,
                num_attention_heads=32,
                num_key_value_heads=8,
                vocab_size=32000,
                use_cache=False,
            )
        ).to(torch.bfloat16),
    }[name]()
    for module in model.modules():  # torch-mlir does not find non-persistent buffers
        module._non_persistent_buffers_set.clear()
    return model.eval(), tokens(model, 128)


MODELS = ["resnet50", "bert-base", "gpt2", "llama-1b"]


def convert(tool, program, target):
    if tool == "isthmus":
        import isthmus

        if isinstance(program, pathlib.Path):
            return isthmus.import_model(program).lower(target)
        return isthmus.compile(program, output_type=target)
    import torch
    from torch_mlir import fx

    if isinstance(program, pathlib.Path):
        program = torch.export.load(program)
    output_type = {"linalg": "linalg-on-tensors"}.get(target, target)
    return fx.export_and_import(program, output_type=output_type)


def memory_kb(field):
    """Returns a field of /proc/self/status, such as VmRSS."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition(field + ":")[2].split()[0])


def measure_one(tool, name, source, target, work):
    """Prints CPU seconds and peak megabytes of one conversion."""
    import torch

    path = work / f"{name}.pt2"
    if source == "file" and path.exists():
        program = path
    else:
        with torch.no_grad():
            program = torch.export.export(*build(name))
        if source == "file":
            torch.export.save(program, path)
            return
    if tool == "isthmus":
        import isthmus.pytorch  # noqa: F401  loading code is not part of the conversion
    else:
        import torch_mlir.fx  # noqa: F401
        import transformers.modeling_outputs  # noqa: F401  classes that the file names
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before, start = memory_kb("VmRSS"), time.process_time()
    converted = convert(tool, program, target)
    seconds, peak = time.process_time() - start, memory_kb("VmHWM") - before
    assert converted is not None
    print(seconds, peak / 1e3)


def measure_apart(tool, name, source, target, work, timeout):
    """Returns (CPU seconds, megabytes), or the error, from a separate process."""
    command = [sys.executable, __file__, "--one", tool, name, source, target, str(work)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"not done after {timeout} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1][-100:]
    return tuple(map(float, done.stdout.split()[-2:])) if done.stdout.strip() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=MODELS, choices=MODELS)
    parser.add_argument("--targets", nargs="+", default=TARGETS, choices=TARGETS)
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one conversion")
    parser.add_argument("--one", nargs=5, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        *which, work = args.one
        return measure_one(*which, pathlib.Path(work))

    rows = []
    with tempfile.TemporaryDirectory() as work:
        for name in args.models:
            measure_apart("isthmus", name, "file", "linalg", work, args.timeout)  # writes the file
            for source in SOURCES:
                for target in args.targets:
                    figures = []
                    for tool in TOOLS:
                        print(f"{name} from {source} to {target}: {tool}", file=sys.stderr)
                        figures.append(measure_apart(tool, name, source, target, work, args.timeout))
                    shown = [f"{f[0]:.2f} s, {f[1]:.0f} MB" if isinstance(f, tuple) else f for f in figures]
                    ratios = "-"
                    if all(isinstance(figure, tuple) for figure in figures):
                        ratios = f"{figures[1][0] / figures[0][0]:.0f}, {figures[1][1] / max(figures[0][1], 1):.0f}"
                    rows.append([name, source, target, *shown, ratios])
            pathlib.Path(work, f"{name}.pt2").unlink(missing_ok=True)
    print(measure.table(["model", "from", "target", *TOOLS, "less CPU, memory"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
