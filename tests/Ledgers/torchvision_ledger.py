"""Converts models of torchvision to every target, and runs those on Linalg against PyTorch.

    bazel run //tests/Ledgers:torchvision -- [--results FILE] [MODEL ...]

All models for detection, segmentation, video and optical flow are taken, and the smallest of each family that classifies
images. It needs `pip install torchvision`, and takes half an hour. Results go to FILE, a line of JSON per model; a
second call takes only the models that are not in it. The page is docs/ledgers/torchvision.md.
"""

import functools
import itertools

import torch
import torchvision
from torchvision.models import detection, optical_flow, quantization, segmentation, video
from torchvision.models.detection import transform
from torchvision.ops import boxes, poolers

from tests.Ledgers import ledger, models

_SPECIAL = {"detection": detection, "optical flow": optical_flow, "segmentation": segmentation, "video": video}


def act(name):
    """A record of one model."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    _make_exportable()
    kind = _known()[name]
    share = 1.0 if kind == "detection" else 0.9  # or else many boxes have the same score
    try:
        model, arguments, shape = models.fit(functools.partial(_build, name, kind), range(32, 321, 32), share)
    except ValueError as error:
        return {"kind": kind, "stage": "not built", "reason": ledger.reason(error)}
    return {"kind": kind, "image": "x".join(map(str, shape))} | models.record(model, arguments)


@functools.cache
def _known():
    """The kind of each model, by name."""
    kinds = {name: kind for kind, module in _SPECIAL.items() for name in torchvision.models.list_models(module)}
    others = set(torchvision.models.list_models()) - kinds.keys() - set(torchvision.models.list_models(quantization))
    family = {name: torchvision.models.get_model_builder(name).__module__ for name in sorted(others)}
    for _, names in itertools.groupby(sorted(family, key=family.get), family.get):
        kinds[min(names, key=_parameters)] = "classification"
    return dict(sorted(kinds.items()))


def _parameters(name):
    return torchvision.models.get_model_weights(name).DEFAULT.meta["num_params"]


def _build(name, kind, length):
    """A model for images of a length, its arguments, and the shape of an image."""
    shape = (3, 16, length, length) if kind == "video" else (3, length, length)
    if kind == "detection":
        options = {"weights_backbone": None}
        if name.startswith("ssd"):
            options["score_thresh"] = 1e-3  # new weights give few scores above the default
        else:
            options |= {"min_size": length, "max_size": length}
            one_stage = name.startswith(("fcos", "retinanet"))
            options |= {"score_thresh": 1e-3} if one_stage else {"rpn_post_nms_top_n_test": 100}
        if not name.startswith("keypoint"):
            options["num_classes"] = 5
        return _create(name, options), ([torch.rand(shape)],), shape
    if kind == "optical flow":
        steps = 3
        return _create(name, {}), (torch.rand(1, *shape), torch.rand(1, *shape), steps), shape
    options = {
        "classification": [{"image_size": length}, {"input_size": (length, length)}, {}],
        "segmentation": [{"weights_backbone": None, "num_classes": 5}],
        "video": [{"spatial_size": (length, length)}, {}],
    }
    return _create(name, *options[kind]), (torch.randn(2, *shape),), shape


def _create(name, *options):
    """A model, with the first options that it has."""
    for given in options:
        try:
            return torchvision.models.get_model(name, weights=None, **given)
        except TypeError as error:
            last = error
    raise last


def _make_exportable():
    """Replaces what asks in Python how many boxes there are, in detection; PyTorch exports no such programs.

    Boxes of different classes are moved apart by a constant in place of the largest coordinate. Masks stay as the
    network makes them, in place of being pasted into the image box by box.
    """
    far = 1024

    def batched_nms(corners, scores, classes, threshold):
        return boxes.nms(corners + far * classes.to(corners)[:, None], scores, threshold)

    boxes.batched_nms = batched_nms
    poolers.len = lambda sized: sized.shape[0] if isinstance(sized, torch.Tensor) else len(sized)
    transform.paste_masks_in_image = lambda masks, *_: masks


def page(records):
    """The ledger as Markdown."""
    introduction = (
        "# Models of torchvision\n\n"
        f"Models of torchvision {torchvision.__version__} for detection, segmentation, video and optical flow, and the"
        " smallest of each family that classifies images, with random weights and the smallest images that each takes,"
        f" exported by PyTorch {torch.__version__} and converted to each target. {models.COLUMNS} `bazel run"
        " //tests/Ledgers:torchvision` makes this page.\n\n"
        "Of detection, what asks in Python for the number of boxes is replaced, since PyTorch exports no such program:"
        " suppression by class moves boxes apart by a constant, and masks are not pasted into the image. Its random"
        " weights enlarge differences: of Faster R-CNN, PyTorch's own f32 differs from f64 by up to 0.015, and RetinaNet's"
        " boxes of nearly equal scores change places; their sorted scores agree to 5e-6."
    )
    columns = [("kind", "kind"), ("image", "image")]
    return models.page(introduction, "model", f"tried, of {len(_known())}", records, columns=columns)


if __name__ == "__main__":
    models.write(__doc__, "torchvision", list(_known()), act, page)
