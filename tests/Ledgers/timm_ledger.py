"""Converts a small model of every module of timm to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:timm -- [--results FILE] [MODULE ...]

It needs `pip install timm torchvision`, and takes an hour. Results go to FILE, a line of JSON per module; a second call
takes only the modules that are not in it. The page is docs/ledgers/timm.md.
"""

import timm
import torch

from tests.Ledgers import models, small_timm


def act(module):
    """A record of the smallest model of a module."""
    torch.set_num_threads(1)
    built = small_timm.build_or_record(module)
    if isinstance(built, dict):
        return built
    model, arguments, made = built
    return made | models.record(model, arguments)


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Models of timm\n\n"
        f"The smallest model of each module in timm {timm.__version__}, with random weights and {small_timm.BATCH} images of the"
        f" smallest size that it takes, exported by PyTorch {torch.__version__} and converted to each target."
        f" {models.COLUMNS} `bazel run //tests/Ledgers:timm` makes this page."
    )
    columns = [("model", "model"), ("image", "image")]
    tried = f"tried, of {len(small_timm.MODULES)}"
    return models.page(introduction, "module", tried, records, columns=columns)


if __name__ == "__main__":
    models.write(__doc__, "timm", small_timm.MODULES, act, page)
