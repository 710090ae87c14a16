"""Elo as people know it: how many points of difference an average score stands for, and how sure that is of a duel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tournament.evidence.likelihood import SCORES, Numbers, filled, mean_shortfall
from tournament.evidence.student import t95

HALVINGS = 60  # of a bracket, to the last digit
NEAREST = 1e-9  # to a score of 0 or 1 that is told from it


def elo(score: float) -> float:
    """The Elo difference at which such an average score is expected, draws counted half; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


class Margin(NamedTuple):
    """By how many Elo NEW is ahead, the 95 % interval, and how likely NEW is the better one (of superiority)."""

    elo: float
    interval: tuple[float, float]
    superiority: float


def margin(counts: Sequence[int]) -> Margin:
    """What pairs that scored 0, ¼, ½, ¾, 1 say of the difference, by the likelihood that the duel's test stands on.

    The interval has the averages that fall short of the one observed by no more than t²/2 (Student's: pairs may be
    few); from fewer than two pairs it is everything. Superiority is the normal distribution's share below z, where
    equals fall short by z²/2.
    """
    observed, pairs = filled(counts), sum(counts)
    score = sum(x * count for x, count in zip(SCORES, counts, strict=True)) / pairs if pairs else 0.5
    most = t95(pairs - 1) ** 2 / 2 if pairs > 1 else math.inf
    interval = elo(_farthest(observed, score, NEAREST, most)), elo(_farthest(observed, score, 1 - NEAREST, most))
    z = math.copysign(math.sqrt(2 * max(0.0, mean_shortfall(observed, 0.5))), score - 0.5)
    return Margin(elo(score), interval, math.erfc(-z / math.sqrt(2)) / 2 if score != 0.5 else 0.5)


def _farthest(counts: Numbers, near: float, far: float, most: float) -> float:
    """The mean farthest from the observed one, towards a score of 0 or 1, that falls short by no more than `most`."""
    if mean_shortfall(counts, far) <= most:
        return round(far)
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        near, far = (middle, far) if mean_shortfall(counts, middle) <= most else (near, middle)
    return near
