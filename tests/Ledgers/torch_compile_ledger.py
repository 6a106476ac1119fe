"""Runs a small model of every type in transformers, and its gradient, by torch.compile with the backend `isthmus`.

    bazel run //tests/Ledgers:torch_compile -- [--results FILE] [TYPE ...]

It takes several hours, most of them for PyTorch's own compiler, Inductor, which needs a C++ compiler. Results go to FILE, a
line of JSON per type; a second call takes only the types that are not in it. The page is docs/ledgers/torch_compile.md.
"""

import time
import warnings

import torch
import transformers

from isthmus import pytorch
from tests.Ledgers import ledger, models, small_transformers

_SECONDS = 600
_RUNS = 5
_LEFT = "isthmus leaves a graph to PyTorch: "


def act(name):
    """A record of one type."""
    torch.set_num_threads(1)
    built = small_transformers.build_or_record(name)
    if isinstance(built, dict):
        return built
    model, inputs = built
    made = {"stage": "exported", "parameters": models.parameters(model)}
    eager = _Runs(model, inputs)
    made["eager"] = eager.milliseconds()
    graphs = []

    def backend(graph_module, example_inputs):
        graphs.append(graph_module)
        return pytorch.dynamo_backend(graph_module, example_inputs)

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        try:
            compiled = _Runs(torch.compile(model, backend=backend), inputs)
            made["difference"] = ledger.difference(compiled.result(), eager.result())
            made["milliseconds"] = compiled.milliseconds()
            made["graphs"] = len(graphs)
            if eager.has_gradient():
                made["gradient"] = ledger.difference(compiled.gradient(model), eager.gradient(model))
        except Exception as error:  # of any type: nothing may reach the user
            made |= {"stage": "failed", "reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    left = [str(each.message) for each in shown if str(each.message).startswith(_LEFT)]
    made["left"] = [ledger.reason(message.removeprefix(_LEFT)) for message in left]
    torch.compiler.reset()
    try:
        made["inductor"] = _Runs(torch.compile(model, backend="inductor"), inputs).milliseconds()
    except Exception as error:  # Inductor's, of any type
        made["inductor"] = ledger.reason(error)
    return made


class _Runs:
    """Calls of a model with the same inputs."""

    def __init__(self, model, inputs):
        self._model = model
        self._inputs = inputs

    def result(self):
        with torch.no_grad():
            return ledger.tensors(self._model(**self._inputs))

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
        return any(result.requires_grad for result in ledger.tensors(self._model(**self._inputs)))

    def gradient(self, model):
        """The gradients of a model's weights by the mean square of its results."""
        model.zero_grad()
        results = ledger.tensors(self._model(**self._inputs))
        sum(result.square().mean() for result in results if result.requires_grad).backward()
        return [weight.grad for weight in model.parameters() if weight.grad is not None]


def page(records):
    """The ledger as Markdown."""
    ran = {name: made for name, made in records.items() if made["stage"] == "exported"}
    failed = {name: made for name, made in records.items() if made["stage"] in ("failed", "ended")}
    rows = [
        ("tried, of " + str(len(small_transformers.TYPES)), len(records)),
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
    ]
    lines = [
        "# torch.compile\n",
        f"Small models of the types in transformers {transformers.__version__}, run by `torch.compile` of PyTorch"
        f" {torch.__version__} with the backend `isthmus`: the graphs that PyTorch makes of a model, those of them (and of"
        " its gradient) that are left to PyTorch, the largest difference from PyTorch's own result and gradient, relative to"
        " the largest number of each, and the milliseconds of a call on one thread, beside those of PyTorch without a"
        " compiler and with Inductor. `bazel run //tests/Ledgers:torch_compile` makes this page.\n",
        "| | types |\n|---|---|",
        *(f"| {label} | {count} |" for label, count in rows),
        "\n| type | graphs | left | result | gradient | ms | eager | Inductor |\n|---|---|---|---|---|---|---|---|",
    ]
    for name, made in ran.items():
        cells = [name, made["graphs"], len(made["left"]), _cell(made["difference"]), _cell(made.get("gradient", ""))]
        cells += [
            made["milliseconds"],
            made["eager"],
            made["inductor"] if isinstance(made["inductor"], float) else "fails",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |".replace("|  |", "| |"))
    lines.append("\n## Left to PyTorch, and errors\n\n| type | why |\n|---|---|")
    for name, made in {**ran, **failed}.items():
        lines += [f"| {name} | {ledger.escape(why)} |" for why in made.get("left", []) + [made.get("reason")] if why]
    return "\n".join(lines) + "\n"


def _is_close(difference):
    return isinstance(difference, float) and difference <= models.TOLERANCE


def _cell(difference):
    text = f"{difference:.0e}" if isinstance(difference, float) else ledger.escape(difference)
    return text if _is_close(difference) or not text else f"**{text}**"


if __name__ == "__main__":
    ledger.write(
        __doc__, "torch_compile", small_transformers.TYPES, act, page, seconds=_SECONDS, mebibytes=models.MEBIBYTES
    )
