"""A plot of errors along the graph, as SVG: nodes from left to right, errors on a logarithmic scale."""

import math
from collections.abc import Sequence

from isthmus.report.markup import Html, shortened, tag
from isthmus.report.numbers import counted
from isthmus.verify import Difference

# In pixels. Across, the plot is as wide as the page, so places are percentages there.
_HEIGHT, _TOP, _BOTTOM = 280, 26, 252
_LEFT, _RIGHT = 14.0, 98.0

# Points on the plot. Of more tensors, each point is the one with the largest error of several.
_MOST_POINTS = 1000
# Decades between two lines of the grid, at most so many lines.
_MOST_LINES = 8


def plot(differences: Sequence[Difference], tolerance: float, first: Difference | None = None) -> Html:
    """Returns a figure.

    Args:
      differences: the tensors in order, one at least.
      tolerance: the largest allowed relative error.
      first: the tensor that gets a ring.
    """
    step = -(-len(differences) // _MOST_POINTS)
    points = [
        max(differences[i : i + step], key=lambda each: (each is first, each.error))
        for i in range(0, len(differences), step)
    ]
    scale = _Scale([point.error for point in points], tolerance)
    span = max(len(points) - 1, 1)
    across = [f"{_LEFT + (_RIGHT - _LEFT) * i / span:.2f}%" for i in range(len(points))]
    down = [f"{scale.place(point.error):.1f}" for point in points]
    between = [
        tag("line", class_="path", x1=across[i], y1=down[i], x2=across[i + 1], y2=down[i + 1])
        for i in range(len(points) - 1)
    ]
    dots = [_dot(point, x, y, tolerance) for point, x, y in zip(points, across, down)]
    rings = [
        tag("circle", class_="first", cx=x, cy=y, r="8") for point, x, y in zip(points, across, down) if point is first
    ]
    summary = _summary(differences, tolerance, first)
    drawing = tag(
        "svg",
        tag("title", "Relative error of each tensor, in the order of the graph"),
        tag("desc", summary),
        *scale.grid(),
        *between,
        *dots,
        *rings,
        *scale.limit(tolerance),
        role="img",
        height=str(_HEIGHT),
        width="100%",
    )
    notes = " A ring marks the first tensor beyond the tolerance." if first else ""
    if step > 1:
        notes += f" Each point is the largest error of {step} tensors in a row."
    return tag("figure", drawing, tag("figcaption", summary + notes))


class _Scale:
    """Maps errors to places from the top: 0 is below the least error, and infinity above the largest."""

    def __init__(self, errors, tolerance):
        finite = [error for error in [*errors, tolerance] if 0 < error < math.inf] or [1.0]
        self._low = math.floor(math.log10(min(finite)))
        self._high = max(math.ceil(math.log10(max(finite))), self._low + 1)
        self._has_zero = not all([*errors, tolerance])
        self._has_infinity = math.inf in errors
        self._top = _TOP + (24 if self._has_infinity else 0)
        self._bottom = _BOTTOM - (24 if self._has_zero else 0)

    def place(self, error):
        if error == math.inf:
            return float(_TOP)
        if not error > 0:
            return float(_BOTTOM)
        share = (math.log10(error) - self._low) / (self._high - self._low)
        return self._bottom - share * (self._bottom - self._top)

    def grid(self):
        step = -(-(self._high - self._low) // _MOST_LINES)
        lines = [(10.0**power, f"1e{power}") for power in range(self._low, self._high + 1, step)]
        lines += [(0.0, "0")] if self._has_zero else []
        lines += [(math.inf, "inf")] if self._has_infinity else []
        for error, label in lines:
            y = f"{self.place(error):.1f}"
            yield tag("line", class_="grid", x1=f"{_LEFT - 2}%", x2="100%", y1=y, y2=y)
            yield tag("text", label, x=f"{_LEFT - 3}%", y=y, text_anchor="end", dominant_baseline="middle")

    def limit(self, tolerance):
        y = self.place(tolerance)
        yield tag("line", class_="limit", x1=f"{_LEFT - 2}%", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}")
        yield tag("text", f"tolerance {tolerance:g}", class_="limit-name", x=f"{_LEFT - 1}%", y=f"{y - 6:.1f}")


def _dot(point, x, y, tolerance):
    place = f"{point.name} (node '{point.node}')" if point.node else point.name
    within = point.error <= tolerance
    title = tag("title", f"{shortened(place)}: {point.error:.2e}")
    return tag("circle", title, class_="within" if within else "beyond", cx=x, cy=y, r="3" if within else "4")


def _summary(differences, tolerance, first):
    beyond = sum(not each.error <= tolerance for each in differences)
    counts = f"{counted(len(differences), 'tensor')} in the order of the graph, {beyond:,} beyond the tolerance"
    text = f"{counts} of {tolerance:g}."
    if first:
        number = next(i for i, each in enumerate(differences) if each is first)
        text += f" The first of these is number {number + 1:,}, {shortened(first.name)}."
    return text
