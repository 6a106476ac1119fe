"""Runs small models of transformers and timm, and their gradients, by torch.compile with the backend `isthmus`.

    bazel run //tests/Ledgers:torch_compile -- [--results FILE] [KEY ...]

A key is a type of transformers, or timm/ and a module. It needs `pip install timm torchvision`, and takes several hours, most
of them for PyTorch's own compiler, Inductor, which needs a C++ compiler. Results go to FILE, a line of JSON per key; a second
call takes only the keys that are not in it. The page is docs/ledgers/torch_compile.md.
"""

import copy
import time
import warnings

import timm
import torch
import transformers
from torch.utils import _pytree as pytree

from isthmus import pytorch
from tests.Ledgers import ledger, models, small_timm, small_transformers

_TIMM = "timm/"
KEYS = [*small_transformers.TYPES, *(_TIMM + module for module in small_timm.MODULES)]

_SECONDS = 600
_RUNS = 5
_LEFT = "isthmus leaves a graph to PyTorch: "


def act(key):
    """A record of one model."""
    torch.set_num_threads(1)
    built = _build_or_record(key)
    if isinstance(built, dict):
        return built
    model, *inputs = built
    made = {"stage": "exported", "parameters": models.parameters(model)}
    eager = _Runs(model, *inputs)
    made["eager"] = eager.milliseconds()
    graphs = []

    def backend(graph_module, example_inputs):
        graphs.append(graph_module)
        return pytorch.dynamo_backend(graph_module, example_inputs)

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        try:
            compiled = _Runs(torch.compile(model, backend=backend), *inputs)
            made["difference"] = ledger.difference(compiled.result(), eager.result())
            made["milliseconds"] = compiled.milliseconds()
            made["graphs"] = len(graphs)
            if eager.has_gradient():
                made["gradient"] = ledger.difference(compiled.gradient(model), eager.gradient(model))
            if not _is_close(made["difference"]) or not _is_close(made.get("gradient", 0.0)):
                made["in_f64"] = _difference_in_f64(model, *inputs)
        except Exception as error:  # of any type: nothing may reach the user
            made |= {"stage": "failed", "reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    left = [str(each.message) for each in shown if str(each.message).startswith(_LEFT)]
    made["left"] = [ledger.reason(message.removeprefix(_LEFT)) for message in left]
    torch.compiler.reset()
    try:
        made["inductor"] = _Runs(torch.compile(model, backend="inductor"), *inputs).milliseconds()
    except Exception as error:  # Inductor's, of any type
        made["inductor"] = ledger.reason(error)
    return made


def _build_or_record(key):
    """Returns (a model, its arguments, its keywords), or the record of a key without a model."""
    if key.startswith(_TIMM):
        built = small_timm.build_or_record(key.removeprefix(_TIMM))
        return built if isinstance(built, dict) else (*built[:2], {})
    built = small_transformers.build_or_record(key)
    return built if isinstance(built, dict) else (built[0], (), built[1])


def _difference_in_f64(model, arguments, keywords):
    """The larger of the differences of the result and the gradient in f64 from what PyTorch computes for the same graphs.

    In f32 a rounding can turn the sign before a `relu` or the choice of a `topk`; a program that is wrong is so in f64 too.
    Some models compute something else where they are compiled, by any backend.
    """
    model, arguments, keywords = pytree.tree_map_only(
        torch.Tensor,
        lambda tensor: tensor.double() if tensor.is_floating_point() else tensor,
        (copy.deepcopy(model).double(), arguments, keywords),
    )
    torch.compiler.reset()
    try:
        eager = _Runs(torch.compile(model, backend="eager"), arguments, keywords)
        results, gradient = eager.result(), eager.gradient(model) if eager.has_gradient() else []
        torch.compiler.reset()
        compiled = _Runs(torch.compile(model, backend=pytorch.dynamo_backend), arguments, keywords)
        differences = [ledger.difference(compiled.result(), results)]
        if gradient:
            differences.append(ledger.difference(compiled.gradient(model), gradient))
    except Exception as error:  # of any type: a model that makes f32 itself
        return ledger.reason(error)
    strings = [each for each in differences if isinstance(each, str)]
    return strings[0] if strings else max(differences)


class _Runs:
    """Calls of a model with the same inputs."""

    def __init__(self, model, arguments, keywords):
        self._model = model
        self._arguments = arguments
        self._keywords = keywords

    def _call(self):
        return ledger.tensors(self._model(*self._arguments, **self._keywords))

    def result(self):
        with torch.no_grad():
            return self._call()

    def milliseconds(self):
        """The least time of some calls, after one that compiles."""
        self.result()
        times = []
        for _ in range(_RUNS):
            start = time.perf_counter()
            self.result()
            times.append(time.perf_counter() - start)
        return round(1000 * min(times), 2)

    def has_gradient(self):
        return any(result.requires_grad for result in self._call())

    def gradient(self, model):
        """The gradients of a model's weights by the mean square of its results."""
        model.zero_grad()
        results = self._call()
        sum(result.square().mean() for result in results if result.requires_grad).backward()
        return [weight.grad for weight in model.parameters() if weight.grad is not None]


def page(records):
    """The ledger as Markdown."""
    ran = {name: made for name, made in records.items() if made["stage"] == "exported"}
    failed = {name: made for name, made in records.items() if made["stage"] in ("failed", "ended")}
    rows = [
        (f"tried, of {len(KEYS)}", len(records)),
        (models.STAGES["not built"], sum(made["stage"] == "not built" for made in records.values())),
        (
            "without a base model, or part of another type",
            sum(made["stage"] == "no model" for made in records.values()),
        ),
        ("an error reached the user", len(failed)),
        ("ran", len(ran)),
        ("all graphs are Isthmus's", sum(not made["left"] for made in ran.values())),
        (f"results within {models.TOLERANCE:g}", sum(_is_close(made["difference"]) for made in ran.values())),
        ("have a gradient", sum("gradient" in made for made in ran.values())),
        (
            f"gradients within {models.TOLERANCE:g}",
            sum("gradient" in made and _is_close(made["gradient"]) for made in ran.values()),
        ),
        (f"both within {models.TOLERANCE:g}, in f64 where f32 is not", sum(map(_is_right, ran.values()))),
    ]
    lines = [
        "# torch.compile\n",
        f"Small models of the types in transformers {transformers.__version__} and of the modules of timm"
        f" {timm.__version__}, run by `torch.compile` of PyTorch {torch.__version__} with the backend `isthmus`: the graphs that PyTorch makes of a model, those of them (and of"
        " its gradient) that are left to PyTorch, the largest difference from PyTorch's own result and gradient, relative to"
        " the largest number of each; if one is not within the tolerance, the larger of both in f64, from what PyTorch computes for"
        " the same graphs; and the milliseconds of a call on one thread, beside those of PyTorch without a compiler and with"
        " Inductor. `bazel run //tests/Ledgers:torch_compile` makes this page.\n",
        "| | models |\n|---|---|",
        *(f"| {label} | {count} |" for label, count in rows),
        "\n| model | graphs | left | result | gradient | in f64 | ms | eager | Inductor |\n|---|---|---|---|---|---|---|---|---|",
    ]
    for name, made in ran.items():
        cells = [name, made["graphs"], len(made["left"]), _cell(made["difference"]), _cell(made.get("gradient", ""))]
        cells.append(_number(made.get("in_f64", "")))
        cells += [
            made["milliseconds"],
            made["eager"],
            made["inductor"] if isinstance(made["inductor"], float) else "fails",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |".replace("|  |", "| |"))
    lines.append("\n## Left to PyTorch, and errors\n\n| model | why |\n|---|---|")
    for name, made in {**ran, **failed}.items():
        lines += [f"| {name} | {ledger.escape(why)} |" for why in made.get("left", []) + [made.get("reason")] if why]
    return "\n".join(lines) + "\n"


def _is_close(difference):
    return isinstance(difference, float) and difference <= models.TOLERANCE


def _is_right(made):
    """Whether the result and the gradient are within the tolerance, or are so in f64."""
    return (_is_close(made["difference"]) and _is_close(made.get("gradient", 0.0))) or _is_close(made.get("in_f64"))


def _number(difference):
    return f"{difference:.0e}" if isinstance(difference, float) else ledger.escape(difference)


def _cell(difference):
    text = _number(difference)
    return text if _is_close(difference) or not text else f"**{text}**"


if __name__ == "__main__":
    ledger.write(__doc__, "torch_compile", KEYS, act, page, seconds=_SECONDS, mebibytes=models.MEBIBYTES)
