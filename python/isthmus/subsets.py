"""Finds a small part of a list that still has a property."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def smallest(items: Sequence[Item], holds: Callable[[list[Item]], bool], *, least: int = 1) -> list[Item]:
    """Removes items as long as a property holds of the rest: first halves, at last single ones.

    Args:
      items: items of which the property holds.
      holds: the property of a part of the items, which are in their order.
      least: the smallest number of items to keep.

    Returns:
      Items of which the property holds. No single one can be removed.
    """
    kept = list(items)
    size = max(1, len(kept) // 2)
    while True:
        before = len(kept)
        start = len(kept)
        while start > 0:  # from the end, since what follows a node may need it
            first = max(0, start - size)
            rest = kept[:first] + kept[start:]
            if len(rest) >= least and len(rest) < len(kept) and holds(rest):
                kept = rest
            start = first
        if size > 1:
            size //= 2
        elif len(kept) == before:
            return kept
