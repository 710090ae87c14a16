"""Better, worse, or can't tell: an exact sign test on the pairs that one of the two won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Word = Literal["better", "worse", "can't tell"]


class Verdict(NamedTuple):
    """A word, the p-value it rests on before and after Holm's adjustment, and the pairs won and lost."""

    word: Word
    p: float
    adjusted_p: float
    better: int
    worse: int


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


def verdicts(counts: Sequence[tuple[int, int]], alpha: float = 0.05) -> list[Verdict]:
    """A verdict on each (pairs won, pairs lost) of one table, adjusted for how many there are."""
    p_values = [sign_test(better, worse) for better, worse in counts]
    return [
        Verdict(_word(better, worse, adjusted <= alpha), p, adjusted, better, worse)
        for (better, worse), p, adjusted in zip(counts, p_values, holm(p_values), strict=True)
    ]


def _word(better: int, worse: int, resolved: bool) -> Word:
    if not resolved:
        return "can't tell"
    return "better" if better > worse else "worse"
