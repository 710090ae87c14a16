"""When a duel may stop: the sequential test on pairs of games that chess engines are tested with.

How much better the new player is, is measured against how much pairs vary: t = (μ − ½)/σ, in normalized Elo
t = √2 · nElo / 347.4. H0 says elo0 and H1 says elo1. The evidence LLR is the log of how much likelier H1 makes the
pairs than H0, each with the likeliest shares that have its t. The duel stops at ln((1−β)/α) for H1 and at ln(β/(1−α))
for H0, whenever that is; simulated duels, asked after each pair, keep both errors within α and β.

Shares with one t are no convex set, and their likelihood has several peaks where decisive pairs are rare. With the
standard deviation s as the unknown, u = x − ½ − ts and v = u² − s², every peak has Σ pφ = 0 for φ = u − tv/2s, and
Σ pv = 0. The first gives p for any s (`likelihood`); then Σ pv is positive at the least s there can be and negative at
the greatest, and every peak is a place between where it falls through 0: all are found, and the highest counts.

What is said follows the hypotheses. H1 says that NEW is above elo0, H0 that it is below elo1: 'better' is above 0,
'worse' below 0, and whatever else is said with a number. Where they do not speak of 0 themselves, the same likelihood
does: equals (t = 0) against the shares observed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from tournament.errors import TourneyError
from tournament.evidence.likelihood import SCORES, Numbers, filled, mean_shortfall, shortfall

ELO_OF_T = 800 / math.log(10) / math.sqrt(2)  # normalized Elo of t = 1 for pairs: 347.4/√2
FARTHEST_ELO = 500.0  # 19 pairs in 20 won, if none splits

# When all pairs split, fillers are all that varies, and 200 pairs that say nothing would decide for H0. So nothing is
# decided on fewer decisive pairs than this; a coin that falls alike as often is still one in 16.
FEWEST_DECISIVE = 5

# 'Worse' beyond what H0 says (and 'better' beyond H1) is asked only once the test has stopped, on results that look bad
# because it stopped on them. At a tenth of alpha, 'better' and 'worse' together stay at alpha between equals.
BEYOND_SHARE = 0.1

STRIPS = 24  # between the least and the greatest s: no random count of thousands had two peaks in one
NARROW = 1e-9  # of s: its peak is then off by the square of that


class Claim(NamedTuple):
    """What is said of NEW against OLD: `better` and `worse` by more than so many normalized Elo, or not by so many."""

    word: Literal["better", "not better", "worse", "not worse"]
    by: float = 0.0

    @property
    def text(self) -> str:
        """As in `better`, `better by more than 10`, `not worse by 30 or more`."""
        return f"{self.word}{self._margin('')}"

    def of(self, new: str, old: str, *, asked: bool = False) -> str:
        """As in `room is not worse than runs by 30 normalized Elo or more`; what is asked is whether it is worse."""
        word = self.word.removeprefix("not ") if asked else self.word
        return f"{new} is {word} than {old}{self._margin(' normalized Elo')}"

    def _margin(self, unit: str) -> str:
        if self.word.startswith("not"):
            return f" by {self.by:g}{unit} or more"
        return f" by more than {self.by:g}{unit}" if self.by else ""


class Decision(NamedTuple):
    """What a duel's pairs say: which hypothesis is accepted, and what that claims; neither where one can't tell yet."""

    accepted: Literal["H0", "H1"] | None
    claim: Claim | None
    llr: float
    bounds: tuple[float, float]
    pairs: int
    decisive: int
    score: float


@dataclass(frozen=True)
class Terms:
    """What is tested: is NEW at least elo1 better (H1), or at most elo0 (H0), and how often may that be wrong."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        check_parameters(self.elo0, self.elo1, self.alpha, self.beta)

    def decide(self, counts: Sequence[int]) -> Decision:
        return decide(counts, self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def h1(self) -> Claim:
        """What is said where H1 is accepted."""
        return Claim("better", self.elo0) if self.elo0 >= 0 else Claim("not worse", -self.elo0)

    @property
    def h0(self) -> Claim:
        """What is said where H0 is accepted."""
        return Claim("worse", -self.elo1) if self.elo1 <= 0 else Claim("not better", self.elo1)


def check_parameters(elo0: float, elo1: float, alpha: float, beta: float) -> None:
    """Nothing, or a TourneyError that says which of the four can't be and what could."""
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise TourneyError(f"`{name}` is a share of errors between 0 and 0.5, and {value:g} is not; try 0.05.")
    for name, value in (("elo0", elo0), ("elo1", elo1)):
        if not abs(value) <= FARTHEST_ELO:
            raise TourneyError(
                f"`{name}` lies between -{FARTHEST_ELO:g} and {FARTHEST_ELO:g} normalized Elo, and {value:g} does not; "
                "try `elo0` 0 and `elo1` 30."
            )
    if elo1 <= elo0:
        raise TourneyError(
            f"`elo1` must be above `elo0`, and {elo1:g} is not above {elo0:g}; try `elo1` {elo0 + 30:g}."
        )


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The LLR at which the test stops for H0, and the one at which it stops for H1."""
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The log of how much likelier H1 makes the pairs than H0; `counts` of scores 0, ¼, ½, ¾, 1."""
    if counts[2] == sum(counts):
        return 0.0  # pairs that all split vary in nothing, and speak for neither
    pairs = filled(counts)
    return _shortfall(pairs, elo0 / ELO_OF_T) - _shortfall(pairs, elo1 / ELO_OF_T)


def decide(counts: Sequence[int], elo0: float, elo1: float, alpha: float, beta: float) -> Decision:
    """Whether the duel is over, and how; `counts` of pairs that scored 0, ¼, ½, ¾, 1."""
    terms = Terms(elo0, elo1, alpha, beta)
    low, high = bounds(alpha, beta)
    evidence = llr(counts, elo0, elo1)
    pairs, decisive = sum(counts), sum(counts) - counts[2]
    score = sum(x * count for x, count in zip(SCORES, counts, strict=True)) / pairs if pairs else 0.5
    accepted: Literal["H0", "H1"] | None = None
    claim = None
    if decisive >= FEWEST_DECISIVE and not low < evidence < high:
        accepted, claim = ("H1", terms.h1) if evidence >= high else ("H0", terms.h0)
        if claim.word.startswith("not") and mean_shortfall(filled(counts), 0.5) >= -math.log(BEYOND_SHARE * alpha):
            if accepted == "H1" and score > 0.5:
                claim = Claim("better")
            elif accepted == "H0" and score < 0.5:
                claim = Claim("worse")
    return Decision(accepted, claim, evidence, (low, high), pairs, decisive, score)


def _shortfall(counts: Numbers, t: float) -> float:
    """By how much the likeliest shares with (μ − ½)/σ = t fall short of the shares observed."""
    if t == 0:
        return mean_shortfall(counts, 0.5)

    def at(s: float) -> tuple[float, float]:
        """Σ pv for the likeliest shares with Σ pφ = 0, and their shortfall."""
        u = [score - 0.5 - t * s for score in SCORES]
        v = [distance**2 - s**2 for distance in u]
        phi = [f - t * g / (2 * s) for f, g in zip(u, v, strict=True)]
        theta, short = shortfall(counts, phi)
        return sum(count * g / (1 + theta * f) for count, f, g in zip(counts, phi, v, strict=True)), short

    # Below the first, shares between two neighbouring scores vary more; above the second, scores 0 and 1 vary less.
    least, most = abs(t) / (1 + t * t) / 4, 1 / math.sqrt(1 + t * t) / 2
    edges = [least + (most - least) * (1 - math.cos(math.pi * strip / STRIPS)) / 2 for strip in range(STRIPS + 1)]
    values = [math.inf, *(at(s)[0] for s in edges[1:-1]), -math.inf]
    ends = list(zip(edges, values, strict=True))
    return min(_peak(at, low, high) for low, high in pairwise(ends) if low[1] > 0 >= high[1])


def _peak(at: Callable[[float], tuple[float, float]], low: tuple[float, float], high: tuple[float, float]) -> float:
    """The shortfall where the first value that `at` has falls through 0, between two places with what it is there.

    By false position, where an end that stays twice counts half (Illinois), and by halves where it is infinite.
    """
    (left, above), (right, below) = low, high
    last = 0
    while True:
        inside = math.isfinite(above - below)
        s = left + (right - left) * (above / (above - below) if inside else 0.5)
        value, short = at(s)
        if value > 0:
            moved, left, above, below = s - left, s, value, below / 2 if last > 0 else below
        else:
            moved, right, below, above = right - s, s, value, above / 2 if last < 0 else above
        if moved <= NARROW * s:
            return short
        last = 1 if value > 0 else -1
