"""Formulas of the functions of PyTorch that torch.export cannot trace, because their kernels look at data."""

import math

import torch


class Traceable(torch.overrides.TorchFunctionMode):
    """A mode in which PyTorch calls the formulas below in place of such functions."""

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


_FORMS = {
    torch.corrcoef: _corrcoef,
    torch.cov: _cov,
    torch.Tensor.corrcoef: _corrcoef,
    torch.Tensor.cov: _cov,
}
