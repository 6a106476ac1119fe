"""Converts a small model of every module of timm to every target, and runs the one on Linalg against PyTorch.

    bazel run //tests/Ledgers:timm -- [--results FILE] [MODULE ...]

It needs `pip install timm torchvision`, and takes an hour. Results go to FILE, a line of JSON per module; a second call
takes only the modules that are not in it. The page is docs/ledgers/timm.md.
"""

import functools

import timm
import torch

from tests.Ledgers import ledger, models

BATCH = 2


def act(module):
    """A record of the smallest model of a module."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    name = _smallest(module)
    size = timm.get_pretrained_cfg(name).input_size
    try:
        model, arguments, shape = models.fit(
            functools.partial(_build, name, size[0]), [*range(32, size[-1], 32), size[-1]]
        )
    except ValueError as error:
        return {"model": name, "stage": "not built", "reason": ledger.reason(error)}
    return {"model": name, "image": "x".join(map(str, shape))} | models.record(model, arguments)


def _smallest(module):
    """The name of the module's model with the fewest parameters."""
    sizes = {}
    for name in timm.list_models(module=module):
        with torch.device("meta"):
            sizes[name] = models.parameters(timm.create_model(name))
    return min(sizes, key=sizes.get)


def _build(name, channels, length):
    """A model for images of a length, its arguments, and the shape of an image."""
    try:
        model = timm.create_model(name, img_size=length)
    except TypeError:  # it has no such argument
        model = timm.create_model(name)
    shape = channels, length, length
    return model, (torch.randn(BATCH, *shape),), shape


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Models of timm\n\n"
        f"The smallest model of each module in timm {timm.__version__}, with random weights and {BATCH} images of the"
        f" smallest size that it takes, exported by PyTorch {torch.__version__} and converted to each target."
        f" {models.COLUMNS} `bazel run //tests/Ledgers:timm` makes this page."
    )
    columns = [("model", "model"), ("image", "image")]
    tried = f"tried, of {len(timm.list_modules())}"
    return models.page(introduction, "module", tried, records, columns=columns)


if __name__ == "__main__":
    models.write(__doc__, "timm", sorted(timm.list_modules()), act, page)
