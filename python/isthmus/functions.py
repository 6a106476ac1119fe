"""Functions of PyTorch that torch.export cannot trace, because their kernels look at data, by others that it traces."""

import torch


class Traceable(torch.overrides.TorchFunctionMode):
    """Within it, calls of the functions below compute the same by operators without a look at data."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        return _FORMS.get(function, function)(*args, **(kwargs or {}))


def _cov(x, *, correction=1, fweights=None, aweights=None):
    """The covariance matrix of the rows of x [variables, observations], or the variance of a row."""
    rows = x if x.ndim == 2 else x.unsqueeze(0)
    weights = [w for w in (fweights, aweights) if w is not None]
    if not rows.dtype.is_floating_point and not rows.dtype.is_complex:
        rows = rows.to(torch.get_default_dtype())
    weight = None
    for w in weights:
        weight = w.to(rows.real.dtype) * (1 if weight is None else weight)
    total = rows.shape[1] if weight is None else weight.sum()
    mean = (rows if weight is None else rows * weight).sum(1, keepdim=True) / total
    degrees = total - correction
    if aweights is not None and correction:
        degrees = total - correction * (weight * aweights).sum() / total
    centered = rows - mean
    weighted = centered if weight is None else centered * weight
    degrees = degrees.clamp(min=0) if isinstance(degrees, torch.Tensor) else max(degrees, 0)
    return (centered @ weighted.mH / degrees).squeeze()


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
