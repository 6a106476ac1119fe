"""The smallest model of each module of timm, with images of the smallest size that it takes."""

import functools

import timm
import torch

from tests.Ledgers import ledger, models

BATCH = 2
MODULES = sorted(timm.list_modules())


def build_or_record(module):
    """Returns (a model, its arguments, {"model": its name, "image": its sizes}), or the record of a module that has none."""
    torch.manual_seed(0)
    name = _smallest(module)
    size = timm.get_pretrained_cfg(name).input_size
    try:
        model, arguments, shape = models.fit(
            functools.partial(_build, name, size[0]), [*range(32, size[-1], 32), size[-1]]
        )
    except ValueError as error:
        return {"model": name, "stage": "not built", "reason": ledger.reason(error)}
    return model, arguments, {"model": name, "image": "x".join(map(str, shape))}


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
