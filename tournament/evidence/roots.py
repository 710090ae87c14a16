"""Where functions vanish, many of them at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def roots(function: Callable[[Floats], Floats], low: Floats, high: Floats, tolerance: float) -> Floats:
    """Of each element where the function is 0, to within the tolerance; at `low` and `high` it has opposite signs.

    Chandrupatla's method (1997): a parabola through the last three points (the function's argument as one of its
    value) says where to look next, if it runs steadily there, and else it is halfway between the last two of opposite
    signs.
    """
    newest, opposite = low, high
    at_newest, at_opposite = function(newest), function(opposite)
    found, certain = np.empty_like(low), np.zeros(len(low), dtype=bool)
    share = np.full(len(low), 0.5)  # of the way from the newest point to the opposite one
    while True:
        x = newest + share * (opposite - newest)
        value = function(x)
        same = np.sign(value) == np.sign(at_newest)
        third, at_third = np.where(same, newest, opposite), np.where(same, at_newest, at_opposite)
        opposite, at_opposite = np.where(same, opposite, newest), np.where(same, at_opposite, at_newest)
        newest, at_newest = x, value
        best = np.where(np.abs(at_newest) < np.abs(at_opposite), newest, opposite)
        width = np.abs(opposite - newest)
        enough = tolerance + 4 * np.finfo(np.float64).eps * np.abs(best)
        done = ((width < enough) | (at_newest == 0) | (at_opposite == 0)) & ~certain
        found[done] = best[done]
        certain |= done
        if certain.all():
            return found
        with np.errstate(divide="ignore", invalid="ignore"):  # of those that are done
            along = (newest - opposite) / (third - opposite)
            up = (at_newest - at_opposite) / (at_third - at_opposite)
            beyond = (third - newest) / (opposite - newest)
            parabola = at_newest / (at_newest - at_opposite) * at_third / (at_third - at_opposite)
            parabola -= beyond * at_newest / (at_third - at_newest) * at_opposite / (at_opposite - at_third)
            steady = (1 - np.sqrt(1 - along) < up) & (up < np.sqrt(along))
            least = 0.5 * enough / width
            share = np.where(certain, 0.5, np.clip(np.where(steady, parabola, 0.5), least, 1 - least))
