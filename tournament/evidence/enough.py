"""How many openings would be enough to tell what was left open."""

from __future__ import annotations

import math
from statistics import NormalDist

from tournament.evidence.verdicts import ALPHA

POWER = NormalDist().inv_cdf(0.8)  # in four of five such tournaments
MOST = 100_000  # beyond which it is not worth saying


def critical(tests: int) -> float:
    """How many standard errors decide, of the largest of so many tests."""
    return NormalDist().inv_cdf(1 - ALPHA / 2 / max(tests, 1))


def openings_enough(openings: int, errors: float, decide: float) -> int | None:
    """About how many openings resolve a difference that is so many standard errors now, if it is as large as it looks.

    To two digits; None where it is beyond what anybody plays.
    """
    if not errors or (needed := openings * ((decide + POWER) / errors) ** 2) > MOST:
        return None
    step = int(10 ** max(0, math.floor(math.log10(needed)) - 1))
    return max(openings + 1, math.ceil(needed / step) * step)
