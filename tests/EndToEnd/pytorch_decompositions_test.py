"""Operators that the torch dialect has no class for compute the same as in PyTorch, through its own decompositions."""

import io
import warnings

import numpy as np
import pytest
import torch
from torch.export import Dim
from torch.nn import functional

import isthmus
from isthmus import ops, pytorch


def noise(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


X, SQUARE, IMAGE = noise(3, 4, 5), noise(4, 4), noise(1, 2, 4, 4)
CLASSES = torch.tensor([0, 4, 2])

# By operator: a function that uses it, and its arguments.
CASES = {
    "aminmax": (torch.aminmax, X),
    "atleast_3d": (torch.atleast_3d, SQUARE),
    "block_diag": (torch.block_diag, SQUARE, SQUARE),
    "column_stack": (lambda a: torch.column_stack([a, a]), SQUARE),
    "cross_entropy_loss": (functional.cross_entropy, X[0, :3], CLASSES),
    "diag": (torch.diag, SQUARE),
    "diag_embed": (torch.diag_embed, SQUARE),
    "fmax": (torch.fmax, torch.tensor([1.0, torch.nan, 3.0]), torch.tensor([2.0, 2.0, torch.nan])),
    "fmin": (torch.fmin, torch.tensor([1.0, torch.nan, 3.0]), torch.tensor([2.0, 2.0, torch.nan])),
    "heaviside": (torch.heaviside, X, X[0]),
    "hstack": (lambda a: torch.hstack([a, a]), X),
    "huber_loss": (functional.huber_loss, X, -X),
    "index_fill": (lambda a: a.index_fill(1, torch.tensor([0, 2]), 3.0), X),
    "index_fill_": (lambda a: a.clone().index_fill_(1, torch.tensor([0, 2]), 3.0), X),
    "isclose": (torch.isclose, X, X + 1e-9),
    "left_shift": (lambda a: a << 2, torch.tensor([1, -3], dtype=torch.int32)),
    "logit": (torch.logit, X.sigmoid()),
    "mse_loss": (functional.mse_loss, X, -X),
    "mT": (lambda a: a.mT, X),
    "nansum": (torch.nansum, torch.tensor([1.0, torch.nan, 3.0])),
    "nll_loss": (functional.nll_loss, X[0, :3], CLASSES),
    "quantile": (lambda a: torch.quantile(a, 0.3, dim=1), X),
    "renorm": (lambda a: torch.renorm(a, 2, 0, 1.0), X),
    "right_shift": (lambda a: a >> 1, torch.tensor([9, -3])),
    "rot90": (torch.rot90, SQUARE),
    "sinc": (torch.sinc, X),
    "smooth_l1_loss": (functional.smooth_l1_loss, X, -X),
    "swapaxes": (lambda a: torch.swapaxes(a, 0, 1), X),
    "take_along_dim": (lambda a: torch.take_along_dim(a, a.argsort(1), 1), X),
    "tensor_split": (lambda a: torch.tensor_split(a, 3, 1), X),
    "trace": (torch.trace, SQUARE),
    "tril_indices": (lambda a: a + torch.tril_indices(4, 4).sum(), SQUARE),
    "var_mean": (lambda a: torch.var_mean(a, 1), X),
    "vander": (torch.vander, SQUARE[0]),
    "xlogy": (torch.xlogy, X.abs(), X.abs()),
}


def leaves(tree):
    return torch.utils._pytree.tree_leaves(tree)


@pytest.mark.parametrize("name", CASES)
def test_numbers(name):
    function, *inputs = CASES[name]
    module = isthmus.compile(function, tuple(inputs))
    results, expected = leaves(module(*inputs)), leaves(function(*inputs))
    for got, want in zip(results, expected, strict=True):
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_open_sizes_and_guards():
    """A program that is traced again still refuses the sizes that its export refused."""

    def f(x):
        x = torch.hstack([x, x])
        return x + 1 if x.shape[0] > x.shape[1] else x - 1

    module = isthmus.compile(f, (noise(20, 3),), dynamic_shapes=({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},))
    torch.testing.assert_close(module(noise(11, 5)), f(noise(11, 5)))
    with pytest.raises(isthmus.InputError, match="argument 0 .'x'.*: expected"):
        module(noise(4, 5))


def test_guards_of_a_loaded_program():
    def f(x):
        x = torch.hstack([x, x])
        return x + 1 if x.shape[0] > x.shape[1] else x - 1

    shapes = ({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},)
    file = io.BytesIO()
    torch.export.save(torch.export.export(pytorch.Function(f), (noise(20, 3),), dynamic_shapes=shapes), file)
    file.seek(0)
    module = isthmus.compile(torch.export.load(file))
    np.testing.assert_allclose(module(noise(11, 5)), f(noise(11, 5)), rtol=1e-5)
    with pytest.raises(isthmus.InputError):
        module(noise(8, 5))


def test_decomposed_operators_are_named(capsys):
    isthmus.compile(torch.hstack, ([X, X],), verbose=True)
    assert "isthmus: PyTorch decomposes aten.hstack\n" in capsys.readouterr().err


def test_all_operators_as_custom_ops_are_kept():
    program = torch.export.export(pytorch.Function(lambda a: torch.renorm(a, 2, 0, 1.0)), (X,))
    module = isthmus.compile(program, output_type="linalg", custom_ops="all")
    assert module.custom_ops() == {"torch.aten.renorm": 1}
    assert "aten.renorm" not in pytorch.import_program(program).text()


def test_known_operators_are_not_decomposed():
    program = torch.export.export(pytorch.Function(functional.gelu), (X,))
    assert "aten.gelu" in {op.name for op in ops.coverage().torch}
    assert "torch.aten.gelu" in pytorch.import_program(program).text()


def test_graphs_of_torch_compile():
    compiled = torch.compile(functional.huber_loss, backend=pytorch.dynamo_backend)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="isthmus leaves")
        torch.testing.assert_close(compiled(X, -X), functional.huber_loss(X, -X))
