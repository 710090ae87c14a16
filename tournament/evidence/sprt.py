"""When a duel may stop: the sequential test on pairs of games that chess engines are tested with.

A pair (one opening, both seats) scores x = 0, ¼, ½, ¾ or 1. How much better the new player is, is measured against
how much pairs vary: t = (μ − ½)/σ, in normalized Elo t = √2 · nElo / 347.4. H0 says elo0 and H1 says elo1. The
evidence is LLR = n Σ p̂ᵢ ln(p¹ᵢ/p⁰ᵢ): p̂ are the shares observed, p⁰ and p¹ the likeliest that have H0's and H1's t.
The duel stops at ln((1−β)/α) for H1 and at ln(β/(1−α)) for H0, whenever that is; simulated duels, asked after each
pair, keep both errors within α and β.

The likeliest shares are a fixed point. With μ and σ of the last p,

    φᵢ = xᵢ − ½ − ½tσ(1 + ((xᵢ − μ)/σ)²),   θ such that Σ p̂ᵢφᵢ/(1 + θφᵢ) = 0,   pᵢ = p̂ᵢ/(1 + θφᵢ)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tournament.errors import TourneyError
from tournament.evidence.verdicts import sign_test

Outcome = Literal["better", "no difference", "worse", "can't tell"]
Shares = tuple[float, ...]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
ELO_OF_T = 800 / math.log(10) / math.sqrt(2)  # normalized Elo of t = 1 for pairs: 347.4/√2
FARTHEST_ELO = 500.0  # 19 pairs in 20 won, if none splits; the fixed point is found as far as 600 from any count

# An empty class counts as a thousandth of a pair (fishtest's number): no share may be 0, and it changes no LLR by
# more than some hundredths. But when all pairs split, these fillers are all that varies, and 200 pairs that say
# nothing would decide for H0. So nothing is decided on fewer decisive pairs than this; a coin that falls alike as
# often is still one in 16.
FILLER = 1e-3
FEWEST_DECISIVE = 5

# 'Worse' is asked only once the test has stopped for H0, on results that look bad because it stopped on them. At a
# tenth of alpha, 'better' and 'worse' together stay at alpha between equals, even if the test is asked after every
# other pair: 4.7 % and 0.3 % of 6,000 simulated duels at 5 %. At alpha itself 'worse' would add 3 to 4 %.
WORSE_SHARE = 0.1

# The fixed point is approached through hypotheses this far apart in t: from far it may jump out of reach.
STRIDE = 0.1
CONVERGED, NEAR = 1e-8, 1e-2
ROUNDS = 1000


class Decision(NamedTuple):
    """What a duel's pairs say: H1 is 'better'; H0 is 'no difference', or 'worse' where the sign test says so too."""

    verdict: Outcome
    llr: float
    bounds: tuple[float, float]
    pairs: int
    decisive: int
    score: float


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
    filled = [count or FILLER for count in counts]
    pairs = sum(filled)
    observed = tuple(count / pairs for count in filled)
    shares0, shares1 = _likeliest(observed, elo0 / ELO_OF_T), _likeliest(observed, elo1 / ELO_OF_T)
    return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(filled, shares0, shares1, strict=True))


def decide(counts: Sequence[int], elo0: float, elo1: float, alpha: float, beta: float) -> Decision:
    """Whether the duel is over, and how; `counts` of pairs that scored 0, ¼, ½, ¾, 1."""
    low, high = bounds(alpha, beta)
    evidence = llr(counts, elo0, elo1)
    pairs = sum(counts)
    lost, won = sum(counts[:2]), sum(counts[3:])
    verdict: Outcome = "can't tell"
    if lost + won >= FEWEST_DECISIVE:
        if evidence >= high:
            verdict = "better"
        elif evidence <= low:
            worse = lost > won and sign_test(lost, won) <= WORSE_SHARE * alpha
            verdict = "worse" if worse else "no difference"
    score = sum(x * count for x, count in zip(SCORES, counts, strict=True)) / pairs if pairs else 0.5
    return Decision(verdict, evidence, (low, high), pairs, lost + won, score)


def _likeliest(observed: Shares, t: float) -> Shares:
    """The shares with (μ − ½)/σ = t that make the observed ones likeliest."""
    strides = max(1, math.ceil(abs(t) / STRIDE))
    shares: Shares = (0.2,) * len(SCORES)
    for stride in range(1, strides + 1):
        enough = CONVERGED if stride == strides else NEAR
        for _ in range(ROUNDS):
            last, shares = shares, _nearer(observed, shares, t * stride / strides)
            if max(abs(p - q) for p, q in zip(shares, last, strict=True)) < enough:
                break
        else:
            raise ArithmeticError(f"No likeliest shares found for {observed} at t = {t}.")
    return shares


def _nearer(observed: Shares, shares: Shares, t: float) -> Shares:
    """One round: the likeliest shares where the constraint is as steep as at the last ones."""
    mean = sum(p * x for p, x in zip(shares, SCORES, strict=True))
    sd = math.sqrt(sum(p * (x - mean) ** 2 for p, x in zip(shares, SCORES, strict=True)))
    phi = [x - 0.5 - 0.5 * t * (sd + (x - mean) ** 2 / sd) for x in SCORES]
    terms = tuple(zip(observed, phi, strict=True))
    theta = _theta(terms, -1 / max(phi), -1 / min(phi))  # between those at which a share would be infinite
    found = [p / (1 + theta * f) for p, f in terms]
    total = sum(found)  # 1, but for rounding
    return tuple(p / total for p in found)


def _theta(terms: Sequence[tuple[float, float]], low: float, high: float) -> float:
    """The θ between two at which Σ p̂ᵢφᵢ/(1 + θφᵢ) = 0, for terms (p̂ᵢ, φᵢ): the sum falls all the way, from ∞ to −∞.

    By Newton's steps; one that does not stay between the bounds, which every step draws closer, goes to their middle.
    """
    theta = (low + high) / 2
    for _ in range(ROUNDS):
        shares = [(p * f / (1 + theta * f), f / (1 + theta * f)) for p, f in terms]
        left = sum(share for share, _ in shares)
        step = left / sum(share * by for share, by in shares)
        if abs(step) <= 1e-15 * abs(theta):
            return theta
        low, high = (theta, high) if left > 0 else (low, theta)
        theta += step
        if not low < theta < high:
            theta = (low + high) / 2
    return theta
