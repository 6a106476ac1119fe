"""Converts a small model of every type in transformers to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:transformers -- [--results FILE] [TYPE ...]

It takes an hour or two. Results go to FILE, a line of JSON per type; a second call takes only the types that are not in
it. The page is docs/ledgers/transformers.md.
"""

import torch
import transformers
import transformers.exporters.exporter_dynamo  # registers patches
from transformers.exporters.utils import apply_patches

from tests.Ledgers import ledger, models, small_transformers

STAGES = {"no model": "without a base model, or part of another type"} | models.STAGES


def act(name):
    """A record of one type."""
    torch.set_num_threads(1)
    built = small_transformers.build_or_record(name)
    if isinstance(built, dict):
        return built
    model, inputs = built
    made = models.record(model, keywords=inputs)
    if made["stage"] == "not exported":
        with apply_patches("dynamo"):  # transformers' own changes to models that PyTorch does not export as they are
            made = models.record(model, keywords=inputs)
    difference = made.get("linalg", {}).get("difference", 0)
    if isinstance(difference, float) and difference > models.TOLERANCE:
        noise = _noise(model, inputs)
        made["noise"] = noise if isinstance(noise, float) else 0.0  # a sentence if shapes differ
    return made


def _noise(model, inputs):
    """The difference from a model of its program run by PyTorch, with weights that differ in their last digits."""
    with torch.no_grad():
        want = ledger.tensors(model(**inputs))
        program = torch.export.export(model, (), inputs, strict=False).module()
        for weight in program.parameters():
            if weight.is_floating_point():
                weight.mul_(1 + 1e-7 * torch.randn_like(weight))
        return ledger.difference(ledger.tensors(program(**inputs)), want)


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Models of transformers\n\n"
        f"Small models of the types in transformers {transformers.__version__}, exported by PyTorch {torch.__version__}"
        " and converted to each target. On Linalg the JIT runs them: the column is the largest difference from PyTorch,"
        " relative to the largest number of the result. It is not bold if PyTorch's own program, with weights changed in"
        " their last digits, differs from the model by half as much: for a choice of the largest scores among near"
        " equals, for random numbers, or where PyTorch exports something else. `bazel run //tests/Ledgers:transformers`"
        " makes this page."
    )
    tried = f"tried, of {len(small_transformers.TYPES)}"
    return models.page(introduction, "type", tried, records, stages=STAGES)


if __name__ == "__main__":
    models.write(__doc__, "transformers", small_transformers.TYPES, act, page)
