"""Formulas of the functions of PyTorch that torch.export cannot trace, because their kernels look at data."""

import contextlib
import math
from unittest import mock

import torch
from torch.export import _trace
from torch.nn import functional as F
from torch.nn.modules import transformer


class Traceable(torch.overrides.TorchFunctionMode):
    """A mode in which PyTorch calls the formulas below in place of such functions.

    It also ends checks of data that change no result: of the arguments of distributions, and whether a mask of
    `torch.nn.Transformer` is a causal one, which would choose a faster kernel. And `torch.export` does not print what it
    has traced when it gives up, as another way may trace the program; its error has that as `partial_fx_graph`.
    """

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(torch.distributions.Distribution, "_validate_args", False))
            stack.enter_context(mock.patch.object(transformer, "_detect_is_causal_mask", _is_said_to_be_causal))
            stack.enter_context(mock.patch.object(_trace, "print", _print_nothing, create=True))
            self._patches = stack.pop_all()
        return super().__enter__()

    def __exit__(self, *error):
        self._patches.close()
        return super().__exit__(*error)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        return _FORMS.get(function, function)(*args, **(kwargs or {}))


def _cov(x, *, correction=1, fweights=None, aweights=None):
    """The covariance matrix of the rows of x [variables, observations], or the variance of a row."""
    weights = [w for w in (fweights, aweights) if w is not None]
    rows = x.reshape(1, -1) if x.ndim < 2 else x
    if not (
        rows.ndim == 2
        and all(w.ndim == 1 and w.numel() == rows.shape[1] for w in weights)
        and (fweights is None or not (fweights.is_floating_point() or fweights.is_complex()))
        and (aweights is None or aweights.is_floating_point())
    ):
        return torch.cov(x, correction=correction, fweights=fweights, aweights=aweights)  # says what is wrong
    if not (rows.is_floating_point() or rows.is_complex()):
        rows = rows.to(torch.get_default_dtype())
    weight = math.prod(weights)  # 1 if there are none
    total = weight.sum() if weights else rows.shape[1]
    centered = rows - (rows * weight).sum(1, keepdim=True) / total
    if aweights is not None and correction:
        degrees = total - correction * (weight * aweights).sum() / total
    else:
        degrees = total - correction
    degrees = degrees.clamp(min=0) if isinstance(degrees, torch.Tensor) else max(degrees, 0)
    return (centered @ (centered * weight).mH / degrees).squeeze()


def _corrcoef(x):
    """The correlation coefficients of the rows of x [variables, observations]."""
    c = _cov(x)
    if c.ndim == 0:
        return c / c
    deviations = c.diagonal().real.sqrt()
    c = c / deviations.unsqueeze(1) / deviations
    if not c.is_complex():
        return c.clip(-1, 1)
    return torch.complex(c.real.clip(-1, 1), c.imag.clip(-1, 1))


def _print_nothing(*_, **__):
    pass


def _is_said_to_be_causal(mask, is_causal=None, size=None):
    return is_causal is True


def _gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """(log v + (input - target)^2 / v) / 2 for v = max(var, eps), and log(2 pi) / 2 if full.

    The gradient of v by var is 1, also below eps.
    """
    if not isinstance(var, torch.Tensor):
        var = torch.full_like(input, var)
    if var.shape == input.shape[:-1] != input.shape:
        var = var.unsqueeze(-1)
    if var.shape not in (input.shape, (*input.shape[:-1], 1)):
        raise ValueError(
            f"var: expected the sizes of input, {tuple(input.shape)}, or one per row, got {tuple(var.shape)}"
        )
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"reduction: expected none, mean or sum, got {reduction}")
    var = var + (var.clamp(min=eps) - var).detach()
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return loss if reduction == "none" else getattr(loss, reduction)()


_FORMS = {
    F.gaussian_nll_loss: _gaussian_nll_loss,
    torch.corrcoef: _corrcoef,
    torch.cov: _cov,
    torch.Tensor.corrcoef: _corrcoef,
    torch.Tensor.cov: _cov,
}
