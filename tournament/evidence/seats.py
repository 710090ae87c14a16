"""What moving first was worth, with openings as the unit: games of one opening resemble each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tournament.evidence.student import t95, two_sided

Floats = NDArray[np.float64]


class Change(NamedTuple):
    """A difference between shares, and how often chance alone makes one as large."""

    size: float
    p: float


def share_interval(points: ArrayLike, games: ArrayLike) -> tuple[float, float] | None:
    """The 95 % interval of a share of points, from the points and the games of each opening; None of fewer than two.

    Wilson's, for as many independent games as would vary like the openings do, with Student's tails for few openings.
    Where all openings say the same, each counts as one game.
    """
    scored, played = _by_opening(points, games)
    if len(played) < 2:
        return None
    share, independent, t = _share(scored, played), _independent(scored, played), t95(len(played) - 1)
    centre = share + t**2 / (2 * independent)
    spread = t * math.sqrt(share * (1 - share) / independent + t**2 / (4 * independent**2))
    scale = 1 + t**2 / independent
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def share_p(points: ArrayLike, games: ArrayLike) -> float:
    """How often chance alone makes the share of points as far from a half; 1 with fewer than two openings.

    It is at most 0.05 where the interval leaves a half out.
    """
    scored, played = _by_opening(points, games)
    if len(played) < 2:
        return 1.0
    off = abs(_share(scored, played) - 0.5)
    return two_sided(2 * off * math.sqrt(_independent(scored, played)), len(played) - 1)


def change(shares: ArrayLike, lever: Sequence[float]) -> Change:
    """What the shares of each opening (a row) add up to by the lever, on average, and its two-sided p-value."""
    of_opening = np.asarray(shares, dtype=np.float64) @ np.asarray(lever)
    openings, size = len(of_opening), float(of_opening.mean()) if len(of_opening) else 0.0
    if openings < 2 or not size:
        return Change(size, 1.0)
    error = float(of_opening.std(ddof=1)) / math.sqrt(openings) or abs(size) / math.sqrt(openings)
    return Change(size, two_sided(abs(size) / error, openings - 1))


def slope_lever(levels: Sequence[float]) -> list[float]:
    """The lever that makes a slope of shares at these levels."""
    x = np.asarray(levels, dtype=np.float64)
    centred = x - x.mean()
    return [float(value) for value in centred / (centred @ centred)]


def odd_lever(levels: Sequence[int]) -> list[float] | None:
    """The lever that makes how much higher shares are at odd levels than at the even ones, of a line through all.

    None where levels can't tell the one from a slope.
    """
    design = np.array([[1.0, level, level % 2] for level in levels])
    if np.linalg.matrix_rank(design) < 3 or len(levels) < 4:
        return None
    return [float(value) for value in np.linalg.pinv(design)[2]]


def _by_opening(points: ArrayLike, games: ArrayLike) -> tuple[Floats, Floats]:
    return np.asarray(points, dtype=np.float64), np.asarray(games, dtype=np.float64)


def _share(scored: Floats, played: Floats) -> float:
    return float(scored.sum() / played.sum())


def _independent(scored: Floats, played: Floats) -> float:
    """How many independent games would vary as the openings do, from how far each one's points are from the share."""
    share, openings = _share(scored, played), len(played)
    off = scored - share * played
    variance = openings / (openings - 1) * float(off @ off) / float(played.sum()) ** 2
    alike = share * (1 - share) / variance if variance > 0 else float(openings)
    return min(alike, float(played.sum()))
