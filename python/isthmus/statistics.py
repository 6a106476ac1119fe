"""What an array has, in a few numbers."""

import dataclasses
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True)
class Statistics:
    """The shape of an array and the range of its elements.

    Attributes:
      dtype: "float32".
      shape: its sizes.
      least, greatest, mean, deviation: of the finite elements, of real numbers; None if there are none. The
        deviation is the standard deviation.
      zeros, nans, infinities: the number of these elements.
    """

    dtype: str
    shape: tuple[int, ...]
    least: float | None = None
    greatest: float | None = None
    mean: float | None = None
    deviation: float | None = None
    zeros: int = 0
    nans: int = 0
    infinities: int = 0


def describe(values: Any) -> Statistics:
    """Returns the statistics of an array, or of what NumPy can view as one."""
    array = np.asarray(values)
    kind = np.complex128 if np.iscomplexobj(array) else np.float64
    try:
        numbers = array.astype(kind)
    except (TypeError, ValueError):  # strings
        return Statistics(str(array.dtype), array.shape)
    nans, infinities = np.isnan(numbers), np.isinf(numbers)
    counts = {"zeros": numbers == 0, "nans": nans, "infinities": infinities}
    found = {what: int(np.count_nonzero(elements)) for what, elements in counts.items()}
    finite = numbers[~(nans | infinities)]
    if not finite.size or np.iscomplexobj(finite):
        return Statistics(str(array.dtype), array.shape, **found)
    with np.errstate(over="ignore", invalid="ignore"):
        values = map(float, (finite.min(), finite.max(), finite.mean(), finite.std()))
    return Statistics(str(array.dtype), array.shape, *values, **found)
