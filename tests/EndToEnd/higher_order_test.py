"""PyTorch's loops over rows, and attention with one open size, compute the same numbers on every target."""

import jax
import numpy as np
import pytest
import torch
from torch._higher_order_ops.map import map as map_rows
from torch._higher_order_ops.scan import scan

import isthmus
from tests.support.targets import TARGETS, runner


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def noise(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def totals(start, x):
    return scan(lambda total, row: (total * 0.5 + row, total + row), start, x)


def products(x, y):
    return map_rows(lambda row, y: row * y + 1, x, y)


def halves(x):
    """Takes rows by a counter that is negative at first."""

    def step(i, row):
        return i + 1, row * x.select(0, 0) + i

    return scan(step, torch.tensor(-2.0), x)[1]


def columns(x):
    """Rows of one column each: a view of a row, which is a slice at a place that the loop counts."""
    return map_rows(lambda row: row[:, None] * 2, x)


def states(x):
    return scan(lambda state, row: (state + row.unsqueeze(1), state * 2), torch.zeros(2, 3, 4), x)


LOOPS = {
    "map to columns": (columns, (noise(7, 2, 4),)),
    "scan of columns": (states, (noise(7, 2, 4),)),
    "scan": (totals, (noise(4, seed=1), noise(3, 4))),
    "map": (products, (noise(3, 4), noise(4, seed=1))),
    "scan with a number": (halves, (noise(5, 2),)),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", LOOPS)
def test_loops(name, target):
    function, inputs = LOOPS[name]
    module = isthmus.compile(Function(function), inputs, "torch")
    results = runner(module, target)(*[np.asarray(each) for each in inputs])
    expected = function(*inputs)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted.numpy(), rtol=1e-5, atol=1e-6)


def attention(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def residual(q, k, v):
    """The sizes of both operands of each product follow from arguments that share them."""
    return torch.softmax((q + v) @ (k * 2).transpose(-1, -2), -1) @ torch.tanh(v) + q


def decayed(x):
    def step(state, row):
        state = state * 0.5 + row
        return state, state.sum(-1)

    return scan(step, torch.zeros(x.shape[1], 4), x)


@pytest.mark.parametrize("target", ["linalg", "stablehlo"])
@pytest.mark.parametrize("function", [columns, decayed])
def test_rows_of_open_sizes(function, target):
    batch = torch.export.Dim("batch", min=2, max=16)
    program = torch.export.export(Function(function), (noise(5, 2, 4),), dynamic_shapes=(({1: batch},),))
    x = noise(5, 6, 4)
    expected = function(x)
    expected = expected if isinstance(expected, tuple) else (expected,)
    if target == "linalg":
        results = isthmus.compile(program)(x)
        results = results if isinstance(results, tuple) else (results,)
    else:
        f = isthmus.to_jax(program)
        results = jax.tree.leaves(f(f.weights, x.numpy()))
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted.numpy(), rtol=1e-5, atol=1e-6)


def test_positions_that_count_down():
    """Positions as floats, whose number follows from two open sizes."""

    def weighted(x, memory):
        length = x.shape[0] + memory.shape[0]
        return torch.cat([memory, x]) * torch.arange(length - 1, -1, -1.0)

    sizes = {0: torch.export.Dim("length")}, {0: torch.export.Dim("remembered")}
    f = isthmus.to_jax(weighted, (noise(3), noise(4)), dynamic_shapes=sizes)
    x, memory = noise(5), noise(2)
    np.testing.assert_allclose(f(f.weights, x.numpy(), memory.numpy()), weighted(x, memory), rtol=1e-6)


@pytest.mark.parametrize("function", [attention, residual])
def test_an_open_batch_on_tosa(function):
    inputs = tuple(noise(3, 4, 16, 8, seed=i) for i in range(3))
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(Function(function), inputs, dynamic_shapes={"args": ({0: batch},) * 3})
    compiled = isthmus.compile(program, output_type="tosa")
    for size in (2, 5):
        arguments = [noise(size, 4, 16, 8, seed=i) for i in range(3)]
        np.testing.assert_allclose(compiled(*arguments), function(*arguments), rtol=1e-4, atol=1e-5)
