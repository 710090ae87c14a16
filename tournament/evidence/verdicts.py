"""Better, worse, or can't tell: exact tests of one pairing by itself, and their adjustment for being many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np

from tournament.evidence.student import two_sided

Word = Literal["better", "worse", "can't tell"]

ALPHA = 0.05  # of all verdicts of a report, how often any is a false alarm
STEPS = 8  # to which a margin is rounded, of a whole: those of single pairs are even


def word(margin: float, p: float) -> Word:
    """The one rule: what a margin and its adjusted p-value are called."""
    if p > ALPHA:
        return "can't tell"
    return "better" if margin > 0 else "worse"


def flip_test(margins: Sequence[float]) -> float:
    """How often margins add up to as much, on either side, if each is as likely to have the other sign; exact.

    A margin is a score less a half, of a pair or a cluster of them. With margins of one size it is the sign test.
    """
    steps = Counter(abs(round(STEPS * margin)) for margin in margins)
    reached = abs(sum(round(STEPS * margin) for margin in margins))
    chances = np.ones(1)
    for step, number in steps.items():
        if step:
            coins = np.zeros(2 * step * number + 1)
            coins[:: 2 * step] = _coins(number)
            chances = np.convolve(chances, coins)
    middle = len(chances) // 2
    return min(1.0, float(chances[: max(0, middle - reached + 1)].sum() + chances[middle + reached :].sum()))


def _coins(number: int) -> list[float]:
    """The chances that 0, 1, 2, … of so many coins fall on one side."""
    whole = math.lgamma(number + 1) - number * math.log(2)
    return [math.exp(whole - math.lgamma(k + 1) - math.lgamma(number - k + 1)) for k in range(number + 1)]


def departure_p(margins: Sequence[float], expected: float) -> float:
    """How often margins are as far from the expected one on average by chance alone; 1 for fewer than two.

    A t-test, as if one margin more on either side had been as large as one can be: where all were alike, as many
    would hardly be surprising otherwise.
    """
    number = len(margins)
    if number < 2:
        return 1.0
    mean = sum(margins) / number
    variance = (sum((margin - mean) ** 2 for margin in margins) + 0.5) / (number + 1)
    return two_sided(abs(mean - expected) / math.sqrt(variance / number), number - 1)


def sign_test(better: int, worse: int) -> float:
    """How often a fair coin would fall at least as unevenly, on either side; 1 without a throw."""
    pairs = better + worse
    ways, tail = 1, 0  # in which so many of the throws fall one way, and in which no more than the fewer do
    for thrown in range(min(better, worse) + 1):
        tail += ways
        ways = ways * (pairs - thrown) // (thrown + 1)
    return min(1.0, 2 * tail / (1 << pairs))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted so that any one below alpha is a false alarm in at most alpha of all tables.

    Holm's steps: the k-th smallest of m times m − k + 1, never less than a smaller one's, at most 1.
    """
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = reached
    return adjusted
