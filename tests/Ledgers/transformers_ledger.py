"""Converts a small model of every type in transformers to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:transformers -- [--results FILE] [TYPE ...]

It takes an hour or two. Results go to FILE, a line of JSON per type; a second call takes only the types that are not in
it. The page is docs/ledgers/transformers.md.
"""

import torch
import transformers

from tests.Ledgers import ledger, models, small_transformers

STAGES = {"no model": "without a base model, or part of another type"} | models.STAGES


def act(name):
    """A record of one type."""
    torch.set_num_threads(1)
    try:
        model, inputs = small_transformers.build(name)
    except LookupError:
        return {"stage": "no model"}
    except ValueError as error:
        return {"stage": "not built", "reason": ledger.reason(error)}
    return models.record(model, keywords=inputs)


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Models of transformers\n\n"
        f"Small models of the types in transformers {transformers.__version__}, exported by PyTorch {torch.__version__}"
        " and converted to each target. On Linalg the JIT runs them: the column is the largest difference from PyTorch,"
        " relative to the largest number of the result. `bazel run //tests/Ledgers:transformers` makes this page."
    )
    tried = f"tried, of {len(small_transformers.TYPES)}"
    return models.page(introduction, "type", tried, records, stages=STAGES)


if __name__ == "__main__":
    models.write(__doc__, "transformers", small_transformers.TYPES, act, page)
