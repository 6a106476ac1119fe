"""Programs with tensors of more dims than TOSA has, between inputs and results of fewer, on every target."""

import numpy as np
import pytest
import torch

import isthmus
from tests.support.isthmus_opt import isthmus_opt
from tests.support.pt2_programs import Function
from tests.support.targets import TARGETS, runner
from tests.support.tosa import VALIDATE, run_reference_model


def noise(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def windows(x):
    """swin3d: a video [batch, depth, height, width, channels] in windows, and back."""
    b, d, h, w, c = x.shape
    x = x.view(b, d // 2, 2, h // 3, 3, w // 3, 3, c).permute(0, 1, 3, 5, 2, 4, 6, 7)
    rows = x.reshape(-1, 2 * 3 * 3, c).softmax(1)
    x = rows.view(b, d // 2, h // 3, w // 3, 2, 3, 3, c).permute(0, 1, 4, 2, 5, 3, 6, 7)
    return x.reshape(b, d, h, w, c)


def patches(x):
    """Wan: a video [batch, channels, depth, height, width] as patches, where each dim moves alone."""
    b, c, d, h, w = x.shape
    return (
        x.view(b, c, d // 2, 2, h // 2, 2, w // 2, 2).permute(0, 2, 4, 6, 1, 3, 5, 7).reshape(b, d * h * w // 8, c * 8)
    )


def upsampled(flow, mask):
    """RAFT: a flow [batch, 2, height, width], larger by convex combinations."""
    b, _, h, w = flow.shape
    weights = torch.softmax(mask.view(b, 1, 9, 4, 4, h, w), 2)
    around = torch.nn.functional.unfold(4 * flow, 3, padding=1).view(b, 2, 9, 1, 1, h, w)
    return (weights * around).sum(2).permute(0, 1, 4, 2, 5, 3).reshape(b, 2, 4 * h, 4 * w)


def positions(scores, heights, widths):
    """mvit: scores of keys [depth, height, width], with terms that depend on one of these dims."""
    view = scores.view(2, 3, 2, 4, 4, 2, 2, 3)
    view = view + heights[:, :, :, :, :, None, :, None] + widths[:, :, :, :, :, None, None, :]
    return view.view(2, 3, 32, 12)


def means(x):
    b, c, d, h, w = x.shape
    return x.view(b, c, d // 2, 2, h // 2, 2, w // 2, 2).mean((3, 5, 7))


def products(x, y):
    return torch.kron(x, y)


def repeated(x):
    return x.repeat(2, 3, 2, 3)


def selected(x):
    view = x.view(2, 2, 2, 3, 2, 2, 3)
    view = torch.where(view > 0, view.clamp(-1, 1).to(torch.float16).to(torch.float32), view.sigmoid())
    return view.view(12, -1) + view.amin((1, 3), keepdim=True).amax((0, 2, 6)).sum()


def along(x):
    view = x.view(2, 2, 2, 3, 2, 2, 3)
    rows = torch.cat([view.cumsum(3), view[:, :, :, 1:], view.flip(0, 3, 4)], 3)
    rows = rows.index_select(3, torch.tensor([7, 0, 3]))
    padded = torch.nn.functional.pad(view, (1, -2, 0, 0, 0, 1), value=0.5)
    return rows.reshape(-1), view.argmax(3).view(-1), view.argmin(), padded.view(-1)


def sums(x):
    """Every other dim of eight, for which no six suffice."""
    view = x.view(2, 3, 2, 2, 3, 2, 2, 2)
    return view.sum((1, 3, 5, 7)), view.amax((0, 2, 4, 6), keepdim=True).view(-1), view.sum((1, 2, 3, 4, 6, 7))


PROGRAMS = {
    "along": (along, (noise(12, 24),)),
    "means": (means, (noise(2, 3, 4, 2, 6),)),
    "patches": (patches, (noise(2, 3, 4, 4, 6),)),
    "positions": (positions, (noise(2, 3, 32, 12), noise(2, 3, 2, 4, 4, 2, seed=1), noise(2, 3, 2, 4, 4, 3, seed=2))),
    "products": (products, (noise(2, 3, 2, 2), noise(3, 2, 2, 3, seed=1))),
    "repeated": (repeated, (noise(2, 3, 4, 2),)),
    "selected": (selected, (noise(12, 24),)),
    "sums": (sums, (noise(6, 2, 6, 8),)),
    "upsampled": (upsampled, (noise(2, 2, 3, 5), noise(2, 144, 3, 5, seed=1))),
    "windows": (windows, (noise(2, 4, 6, 3, 5),)),
}


def check(results, expected):
    expected = expected if isinstance(expected, tuple) else (expected,)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    function, inputs = PROGRAMS[name]
    module = isthmus.compile(Function(function), inputs, "torch")
    arrays = [np.asarray(each) for each in inputs]
    for target in TARGETS:
        check(runner(module, target)(*arrays), function(*inputs))


@pytest.mark.parametrize("name", PROGRAMS)
def test_reference_model_of_tosa(name):
    function, inputs = PROGRAMS[name]
    text = isthmus.compile(Function(function), inputs, "tosa").text(weights="inline")
    check(run_reference_model(isthmus_opt(text, *VALIDATE), *map(np.asarray, inputs)), function(*inputs))


@pytest.mark.parametrize("function", [means, patches, windows])
def test_an_open_batch_on_tosa(function):
    x = PROGRAMS[function.__name__][1][0]
    program = torch.export.export(
        Function(function), (x,), dynamic_shapes={"args": ({0: torch.export.Dim("n", max=64)},)}
    )
    compiled = isthmus.compile(program, output_type="tosa")
    for size in (2, 5):
        y = noise(size, *x.shape[1:], seed=size)
        check([compiled(y)], function(y))


def test_what_tosa_refuses():
    def sorted_rows(x):
        return x.view(2, 2, 2, 3, 2, 2, 3).sort(-1).values.view(12, 24)

    with pytest.raises(
        isthmus.UnsupportedError, match="'torch.aten.sort.stable': TOSA's level 8k has tensors of rank 6"
    ):
        isthmus.compile(Function(sorted_rows), (noise(12, 24),), "tosa")
