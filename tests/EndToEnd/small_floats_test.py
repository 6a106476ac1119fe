"""Floats of 8 bits: every number as PyTorch reads it, and numbers that PyTorch rounds to them."""

import numpy as np
import pytest
import torch

import isthmus
from isthmus import pytorch

DTYPES = [torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz]


class Read(torch.nn.Module):
    def forward(self, x):
        return x.to(torch.float32) * 2


class Round(torch.nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, x):
        return x.to(self.dtype)


def compiled(model, *arguments):
    return isthmus.compile(torch.export.export(model, arguments), output_type="linalg")


def same(got, want):
    return bool(((got == want) | (got.isnan() & want.isnan())).all())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_number_is_read(dtype):
    numbers = torch.arange(256, dtype=torch.uint8).view(dtype)
    got, want = compiled(Read(), numbers)(numbers), Read()(numbers)
    assert same(got, want)
    assert (torch.signbit(got) == torch.signbit(want))[~want.isnan()].all()


def _to_round(dtype):
    """All numbers of a dtype, the middles between them and their neighbours, and numbers of every size."""
    numbers = torch.arange(256, dtype=torch.uint8).view(dtype).float()
    finite = numbers[numbers.isfinite()].unique()
    middles = (finite[1:] + finite[:-1]) / 2
    infinite = torch.full_like(middles, torch.inf)
    powers = torch.exp2(torch.arange(-149.0, 128))
    special = torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan, 464.0, 465.0, 248.0, 61440.0])
    spread = torch.cat([powers, -powers, powers * 1.3])
    return torch.cat([numbers, middles, middles.nextafter(infinite), middles.nextafter(-infinite), spread, special])


@pytest.mark.parametrize("source", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_numbers_are_rounded(dtype, source):
    numbers = _to_round(dtype).to(source)
    got, want = compiled(Round(dtype), numbers)(numbers), numbers.to(dtype)
    assert got.dtype is dtype
    assert same(got.float(), want.float())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_weights(dtype):
    """A constant of 8 bits, large enough to be a resource."""

    class Weighted(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Buffer(torch.randn(64, 96).to(dtype))

        def forward(self, x):
            return x @ self.weight.to(torch.float32)

    model, x = Weighted(), torch.randn(3, 64)
    torch.testing.assert_close(compiled(model, x)(x), model(x), rtol=1e-5, atol=1e-4)


def test_arrays_of_ml_dtypes():
    x = torch.randn(5).to(torch.float8_e5m2)
    array = pytorch.to_array(x)
    (result,) = isthmus.compile(torch.export.export(Read(), (x,)), output_type="linalg").run(array)
    np.testing.assert_array_equal(result, Read()(x).numpy())


def test_saturates_in_stablehlo():
    numbers = _to_round(torch.float8_e4m3fn)
    text = str(isthmus.compile(torch.export.export(Round(torch.float8_e4m3fn), (numbers,)), output_type="stablehlo"))
    assert "stablehlo.clamp" in text
