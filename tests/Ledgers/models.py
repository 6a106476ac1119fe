"""Shared by the ledgers of models: the record of one model on every target, and the page of all."""

import contextlib
import time

import torch

import isthmus
from tests.Ledgers import ledger
from tests.support import xla

SECONDS, MEBIBYTES = 300, 12_000
TARGETS = "linalg", "stablehlo", "tosa"
# Relative to the largest number of a result.
TOLERANCE = 1e-4
# What a page says of its columns.
COLUMNS = (
    "On Linalg the JIT runs them: the column is the largest difference from PyTorch, relative to the largest number of the"
    " result. Seconds are of the processor, for all targets, without export."
)
STAGES = {
    "not built": "no small configuration was found that runs in PyTorch",
    "not exported": "PyTorch does not export it",
    "ended": f"took more than {SECONDS} s or {MEBIBYTES:,} MiB",
    "exported": "exported",
}


def write(description, name, known, act, page):
    """Writes the page of a ledger of models; see `ledger.write`."""
    ledger.write(description, name, known, act, page, seconds=SECONDS, mebibytes=MEBIBYTES)


def fit(build, lengths, share=0.9):
    """The result of `build` for the first length for which it is a model that gives numbers.

    Args:
      build: a function of a length that returns a model, the arguments to call it with, and anything else.
      lengths: of images.
      share: of the statistics of batch norms that are those of the arguments.
    """
    why = "infinities or NaN"
    for length in lengths:
        try:
            model, arguments, *rest = build(length)
            _enliven(model.eval(), arguments, share)
            with torch.no_grad():
                results = ledger.tensors(model(*arguments))
        except Exception as error:  # the library's, of any type, for a length that the model does not take
            why = ledger.reason(error)
            continue
        if all(result.numel() and result.isfinite().all() for result in results):
            return model, arguments, *rest
    raise ValueError(f"{why}, for images of length {length}")


def _enliven(model, arguments, share):
    """Lets each part of a new model have an influence on its results.

    Weights that are constant get noise, as those of a new norm. Batch norms take their statistics from the arguments, or
    else values vanish on their way through many layers; to take only a share keeps variances from being near 0.
    """
    generator = torch.Generator().manual_seed(0)
    norms = [module for module in model.modules() if isinstance(module, torch.nn.modules.batchnorm._BatchNorm)]
    with torch.no_grad():
        for weight in model.parameters():
            if weight.is_floating_point() and weight.numel() and (weight == weight.flatten()[0]).all():
                weight += 0.1 * torch.rand(weight.shape, generator=generator)
        for norm in norms:
            norm.train().momentum = share
        with contextlib.suppress(ValueError):  # a norm of one number per channel
            model(*arguments)
    model.eval()


def record(model, arguments=(), keywords=None):
    """A record of one model: how far it got, and each target's outcome."""
    keywords = keywords or {}
    made = {"parameters": parameters(model)}
    with torch.no_grad():
        want = ledger.tensors(model(*arguments, **keywords))
        try:
            program = torch.export.export(model, arguments, keywords, strict=False)
        except Exception as error:  # PyTorch's, of any type
            return made | {"stage": "not exported", "reason": f"{type(error).__name__}: {ledger.reason(error)}"}
    made["stage"] = "exported"
    for target in TARGETS:
        try:
            start = time.process_time()
            module = isthmus.compile(program, output_type=target)
            made[target] = {"seconds": round(time.process_time() - start, 2)}
            if target == "linalg":
                got = ledger.tensors(module(*arguments, **keywords))
                made[target]["difference"] = ledger.difference(got, want)
        except isthmus.IsthmusError as error:
            made[target] = {"reason": ledger.reason(error)}
    return made


def runner(module, target, inputs):
    """A function from arrays like `inputs` to the results of a module: in XLA if it is StableHLO, else in the JIT."""
    if target == "stablehlo":
        return xla.program(module.text(weights="inline"), target, inputs, optimize=False)
    return module.run


def parameters(model):
    """The number of a model's parameters."""
    return sum(parameter.numel() for parameter in model.parameters())


def page(introduction, key, tried, records, *, stages=STAGES, columns=(), ran=("linalg",)):
    """The ledger as Markdown.

    Args:
      introduction: the title and what the page shows.
      key: what a key of the records is.
      tried: label of the number of records.
      records: by key.
      stages: what each stage means.
      columns: pairs (heading, entry of a record) of further columns; they bring a column of seconds.
      ran: the targets whose results were compared.
    """
    exported = {name: made for name, made in records.items() if made["stage"] == "exported"}
    lines = [introduction, "", _row("", f"{key}s"), "|---|---|", _row(tried, len(records))]
    for stage, meaning in stages.items():
        lines.append(_row(meaning, sum(made["stage"] == stage for made in records.values())))
    for target in TARGETS:
        count = sum(_is_right(made, target) for made in exported.values())
        lines.append(_row(f"{target}: {'right' if target in ran else 'lowered'}", f"{count} of {len(exported)}"))
    headings = [key, *(heading for heading, _ in columns), "parameters"]
    headings += [*["seconds"] * bool(columns), "Linalg", "StableHLO", "TOSA"]
    lines += ["", _row(*headings), "|" + "---|" * len(headings)]
    for name, made in exported.items():
        cells = [made[entry] for _, entry in columns] + [f"{made['parameters']:,}"]
        if columns:
            cells.append(f"{sum(made.get(target, {}).get('seconds', 0) for target in TARGETS):.1f}")
        lines.append(_row(name, *cells, *(_cell(made, target) for target in TARGETS)))
    lines += ["", "## Not converted", "", _row(key, "why"), "|---|---|"]
    for name, made in records.items():
        if made["stage"] not in ("exported", "no model"):
            lines.append(_row(name, f"{made['stage']}: {made.get('reason', '')}"))
    return "\n".join(lines) + "\n"


def _row(*cells):
    text = " | ".join(ledger.escape(str(cell)) for cell in cells)
    return f"| {text} |".replace("|  |", "| |")


def _is_right(made, target):
    outcome = made.get(target, {})
    error = outcome.get("difference", 0 if "seconds" in outcome else None)
    return isinstance(error, (int, float)) and error <= max(TOLERANCE, 2 * made.get("noise", 0))


def _rounded(difference):
    return f"{difference:.0e}" if isinstance(difference, float) else difference


def _cell(made, target):
    if _is_right(made, target):
        return _rounded(made[target]["difference"]) if "difference" in made[target] else "yes"
    outcome = made.get(target, {})
    return f"**{_rounded(outcome['difference'])}**" if "difference" in outcome else outcome.get("reason", "ended")
