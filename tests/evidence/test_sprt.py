"""The sequential test against the same maximum in forty digits, against its symmetries, and against simulated duels."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from tournament.errors import TourneyError
from tournament.evidence.sprt import FEWEST_DECISIVE, bounds, check_parameters, decide, llr

X = np.array([0, 0.25, 0.5, 0.75, 1])
COUNTS = st.lists(st.integers(0, 200), min_size=5, max_size=5)
ELOS = st.integers(-100, 100)

# Shares that no longer move by 1e-8 a round may still be off by more where they near their limit slowly. Among 6,000
# random counts and hypotheses such evidence was off by 6e-9 of itself (of 1, where it is less) at most.
OFF = 1e-6


def t_of(elo: float) -> float:
    return math.sqrt(2) * elo / (800 / math.log(10))


def t_value(shares: np.ndarray) -> float:
    mean = shares @ X
    return float((mean - 0.5) / math.sqrt(shares @ (X - mean) ** 2))


# ── the evidence ─────────────────────────────────────────────────────────────────────────────────


@cache
def best_log_likelihood(counts: tuple[int, ...], elo: int) -> Decimal:
    """The largest log likelihood on the simplex with that t, less what the shares observed would have: 40 digits.

    It is another way than ours. A standard deviation s fixes the mean as well, ½ + ts. Shares with both have a
    largest likelihood, and s is what is left to choose. As s grows, that likelihood may rise and fall more than once,
    since shares with one t are no convex set: it is followed from end to end, and all of its peaks are compared.
    """
    steps = 8
    with localcontext() as context:
        context.prec = 40
        filled = [Decimal(count) or Decimal("0.001") for count in counts]
        t = Decimal(elo) * Decimal(2).sqrt() * Decimal(10).ln() / 800
        # Below the first, shares between two neighbouring scores vary more; above the second, scores 0 and 1 vary less.
        ends = abs(t) / (1 + t * t) / 4, 1 / (1 + t * t).sqrt() / 2
        spreads = [ends[0] + (ends[1] - ends[0]) * step / steps for step in range(steps + 1)]
        slopes = [None, *(with_spread(filled, t, spread)[1] for spread in spreads[1:-1]), None]
        known = list(zip(spreads, slopes, strict=True))
        rises = [True, *(slope > 0 for slope in slopes[1:-1]), False]
        return max(
            peak_between(filled, t, known[step], known[step + 1])
            for step in range(steps)
            if rises[step] and not rises[step + 1]
        )


End = tuple[Decimal, Decimal | None]  # a standard deviation, and the slope there where it is known


def peak_between(counts: list[Decimal], t: Decimal, low: End, high: End) -> Decimal:
    """The largest likelihood between two standard deviations: it rises at the first and falls at the second.

    By false position, and by halves where a slope is not known; an end that stays twice counts half (Illinois). At the
    end s is off by 1e-13 at most, and the likelihood at a peak by its square.
    """
    last = low[0]
    while True:
        if low[1] is None or high[1] is None:
            middle = (low[0] + high[0]) / 2
        else:
            middle = low[0] + (high[0] - low[0]) * low[1] / (low[1] - high[1])
        peak, slope = with_spread(counts, t, middle)
        if abs(middle - last) < Decimal("1e-13"):
            return peak
        if slope > 0:
            high = high[0], high[1] / 2 if high[1] is not None and last == low[0] else high[1]
            low = middle, slope
        else:
            low = low[0], low[1] / 2 if low[1] is not None and last == high[0] else low[1]
            high = middle, slope
        last = middle


def with_spread(counts: list[Decimal], t: Decimal, spread: Decimal) -> tuple[Decimal, Decimal]:
    """The largest log likelihood of shares with that standard deviation and t, and whether it grows with the former.

    With u = x − ½ − ts and v = u² − s² the shares obey Σp = 1, Σpu = 0, Σpv = 0. All three are linear, so Lagrange's
    p = p̂/(1 + au + bv) is the one maximum, at the a and b for which Σn ln(1 + au + bv), which is concave, is largest.
    Newton's steps go there, halved where they would not climb. By its multipliers the maximum changes with s as
    at + 2bs does.
    """
    u = [Decimal(score) / 4 - Decimal("0.5") - t * spread for score in range(5)]
    v = [distance**2 - spread**2 for distance in u]
    ones = [Decimal(1)] * len(u)

    def divisors(a: Decimal, b: Decimal) -> list[Decimal]:
        return [1 + a * f + b * g for f, g in zip(u, v, strict=True)]

    def logs(a: Decimal, b: Decimal) -> Decimal:
        below = divisors(a, b)
        if min(below) <= 0:
            return Decimal("-inf")
        return sum(n * d.ln() for n, d in zip(counts, below, strict=True))

    def summed(weights: list[Decimal], one: list[Decimal], other: list[Decimal]) -> Decimal:
        return sum(w * f * g for w, f, g in zip(weights, one, other, strict=True))

    a = b = height = Decimal(0)
    while True:
        below = divisors(a, b)
        weights = [n / d for n, d in zip(counts, below, strict=True)]
        curves = [w / d for w, d in zip(weights, below, strict=True)]
        along_a, along_b = summed(weights, u, ones), summed(weights, v, ones)
        aa, ab, bb = summed(curves, u, u), summed(curves, u, v), summed(curves, v, v)
        step_a = (bb * along_a - ab * along_b) / (aa * bb - ab**2)
        step_b = (aa * along_b - ab * along_a) / (aa * bb - ab**2)
        promised = along_a * step_a + along_b * step_b  # twice what is left to climb, once that is little
        if promised < Decimal("1e-25"):
            return -height, a * t + 2 * b * spread
        share = Decimal(1)
        while (reached := logs(a + share * step_a, b + share * step_b)) <= height + share * promised / 4:
            share /= 2
        a, b, height = a + share * step_a, b + share * step_b, reached


@pytest.mark.parametrize(
    "counts",
    [
        [3, 10, 30, 12, 5],
        [20, 0, 60, 0, 25],
        [0, 3, 40, 9, 0],
        [5, 0, 30, 0, 12],
        [0, 0, 200, 0, 5],
        [0, 0, 20, 0, 1],
        [0, 0, 0, 0, 10],
        [0, 1, 5, 80, 100],
        [60, 2, 30, 1, 5],
        [1, 1, 1, 1, 1],
        [7, 0, 0, 0, 0],
        [0, 12, 0, 30, 0],
        [1500, 400, 6000, 500, 1600],
    ],
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 30), (-30, 0), (0, 100), (50, 80), (-100, 100)])
def test_agrees_with_the_same_maximum_found_another_way_in_forty_digits(counts, elo0, elo1):
    """Ours stops where no share moves by 1e-8 any more, and is then off by some 1e-11 of the evidence.

    The other is off by less than 1e-15, so that 1e-9 is ours alone, and far less than the hundredths that are shown.
    """
    expected = best_log_likelihood(tuple(counts), elo1) - best_log_likelihood(tuple(counts), elo0)
    assert llr(counts, elo0, elo1) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("pairs", [1, 10, 300])
def test_pairs_all_won_are_as_likely_as_one_coin_says(pairs):
    """With scores 0 and 1 alone, t fixes the coin: (μ − ½)² = t² μ(1 − μ). Fillers are worth some hundredths."""

    def coin(elo: float) -> float:
        return 0.5 + 0.5 * t_of(elo) / math.sqrt(1 + t_of(elo) ** 2)

    expected = pairs * math.log(coin(30) / coin(0))
    assert llr([0, 0, 0, 0, pairs], 0, 30) == pytest.approx(expected, abs=0.02)


@given(COUNTS, ELOS, ELOS)
def test_swapping_players_and_hypotheses_turns_the_evidence_round(counts, elo0, elo1):
    assume(elo0 < elo1)
    mirrored = llr(counts[::-1], -elo1, -elo0)
    assert llr(counts, elo0, elo1) == pytest.approx(-mirrored, rel=OFF, abs=OFF)


@given(COUNTS, st.sampled_from([0, 1]))
def test_a_pair_won_instead_of_lost_speaks_for_the_new_player(counts, lost):
    assume(counts[lost] > 0)
    turned = list(counts)
    turned[lost] -= 1
    turned[4 - lost] += 1
    assert llr(turned, 0, 30) > llr(counts, 0, 30)


@given(st.lists(st.integers(1, 50), min_size=5, max_size=5), st.integers(2, 20))
def test_the_same_shares_of_more_pairs_are_that_much_more_evidence(counts, times):
    expected = times * llr(counts, 0, 30)
    assert llr([times * count for count in counts], 0, 30) == pytest.approx(expected, rel=OFF, abs=OFF)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 100_000], [100_000, 0, 0, 0, 0], [0, 1, 90_000, 0, 0]])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 1), (-500, 500), (499, 500)])
def test_a_lopsided_duel_and_far_hypotheses_still_have_an_answer(counts, elo0, elo1):
    assert math.isfinite(llr(counts, elo0, elo1))


# ── the decision ─────────────────────────────────────────────────────────────────────────────────


def test_bounds_are_walds():
    assert bounds(0.05, 0.05) == pytest.approx((-2.944, 2.944), abs=0.001)
    assert bounds(0.01, 0.1) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_no_pairs_say_nothing():
    assert decide([0, 0, 0, 0, 0], 0, 30, 0.05, 0.05) == ("can't tell", 0, bounds(0.05, 0.05), 0, 0, 0.5)


def test_a_decision_says_what_it_rests_on():
    decision = decide([2, 3, 40, 5, 50], 0, 30, 0.05, 0.05)
    assert decision.verdict == "better"
    assert decision.llr > decision.bounds[1]
    assert (decision.pairs, decision.decisive) == (100, 60)
    assert decision.score == pytest.approx((0.25 * 3 + 0.5 * 40 + 0.75 * 5 + 50) / 100)


@pytest.mark.parametrize("pairs", [1, 20, 199, 200, 1000, 100_000])
def test_pairs_that_all_split_never_decide(pairs):
    decision = decide([0, 0, pairs, 0, 0], 0, 30, 0.05, 0.05)
    assert decision.verdict == "can't tell"
    assert decision.llr == 0
    assert decision.decisive == 0


@pytest.mark.parametrize("decisive", range(1, FEWEST_DECISIVE))
def test_a_few_decisive_pairs_among_many_splits_do_not_decide(decisive):
    for counts in ([0, 0, 2000, 0, decisive], [decisive, 0, 2000, 0, 0]):
        assert decide(counts, 0, 30, 0.05, 0.05).verdict == "can't tell"


def test_equals_show_no_difference_and_the_beaten_are_worse():
    assert decide([100, 0, 400, 0, 100], 0, 30, 0.05, 0.05).verdict == "no difference"
    assert decide([40, 0, 40, 0, 4], 0, 30, 0.05, 0.05).verdict == "worse"
    assert decide([4, 0, 40, 0, 40], 0, 30, 0.05, 0.05).verdict == "better"


def test_not_better_is_not_yet_worse():
    """42 lost to 27 stops the test, but a coin does that once in ten."""
    assert decide([42, 0, 60, 0, 27], 0, 30, 0.05, 0.05).verdict == "no difference"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ((0, 30, 1.0, 0.05), "`alpha`"),
        ((0, 30, 0.0, 0.05), "`alpha`"),
        ((0, 30, math.nan, 0.05), "`alpha`"),
        ((0, 30, 0.05, 0.5), "`beta`"),
        ((0, 30, 0.05, -0.1), "`beta`"),
        ((30, 30, 0.05, 0.05), "above"),
        ((30, 0, 0.05, 0.05), "above"),
        ((0, math.inf, 0.05, 0.05), "`elo1`"),
        ((math.nan, 30, 0.05, 0.05), "`elo0`"),
        ((-1000, 30, 0.05, 0.05), "`elo0`"),
    ],
)
def test_parameters_that_make_no_test_are_named(parameters, said):
    with pytest.raises(TourneyError, match=said) as raised:
        check_parameters(*parameters)
    assert "try" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_sensible_parameters_pass():
    check_parameters(0, 30, 0.05, 0.05)
    check_parameters(-10, 0, 0.01, 0.2)


# ── whole duels ──────────────────────────────────────────────────────────────────────────────────

SPLITS_OFTEN = np.array([0.2, 0, 0.6, 0, 0.2])  # the first player often wins, and draws are rare
DRAWS_TOO = np.array([0.1, 0.15, 0.5, 0.15, 0.1])
COIN = np.array([0.5, 0, 0, 0, 0.5])
ALPHA = BETA = 0.05

decided = cache(decide)


def tilted(shares: np.ndarray, elo: float) -> np.ndarray:
    """Shares of the same kind whose normalized Elo is that."""

    def by(tilt: float) -> np.ndarray:
        weights = shares * np.exp(tilt * (X - 0.5))
        return weights / weights.sum()

    return by(brentq(lambda tilt: t_value(by(tilt)) - t_of(elo), -8, 8))


def share_of(verdicts: set[str], truth: np.ndarray, elo0: float, elo1: float, *, runs: int, every: int = 1) -> float:
    """How many of that many duels end in one of the verdicts; the test is asked after `every` pairs."""
    random = np.random.default_rng(1)
    ended = 0
    for _ in range(runs):
        counts = np.zeros(5, dtype=int)
        verdict = "can't tell"
        while verdict == "can't tell" and counts.sum() < 4000:
            counts += random.multinomial(every, truth)
            verdict = decided(tuple(counts.tolist()), elo0, elo1, ALPHA, BETA).verdict
        ended += verdict in verdicts
    return ended / runs


def at_most(rate: float, runs: int) -> float:
    """The rate and two standard errors."""
    return rate + 2 * math.sqrt(rate * (1 - rate) / runs)


@pytest.mark.parametrize(
    ("kind", "elo0", "elo1", "runs"),
    [(SPLITS_OFTEN, 0, 100, 400), (COIN, 0, 100, 400), (SPLITS_OFTEN, -60, 60, 400), (DRAWS_TOO, 0, 150, 100)],
    ids=["splits", "coin", "about zero", "draws"],
)
def test_errors_stay_within_alpha_and_beta(kind, elo0, elo1, runs):
    not_better = {"no difference", "worse", "can't tell"}
    assert share_of({"better"}, tilted(kind, elo0), elo0, elo1, runs=runs) <= at_most(ALPHA, runs)
    assert share_of(not_better, tilted(kind, elo1), elo0, elo1, runs=runs) <= at_most(BETA, runs)


@pytest.mark.parametrize(
    ("kind", "runs"), [(SPLITS_OFTEN, 400), (COIN, 2000), (DRAWS_TOO, 200)], ids=["splits", "coin", "draws"]
)
def test_a_duel_of_equals_ends_in_a_false_alarm_in_at_most_alpha_of_all(kind, runs):
    """With the duel's own hypotheses, asked every 20 pairs, and 'worse' counted as an alarm too."""
    assert share_of({"better", "worse"}, kind, 0, 30, runs=runs, every=20) <= ALPHA


def test_a_player_that_is_much_worse_is_called_so():
    assert share_of({"worse"}, tilted(SPLITS_OFTEN, -200), 0, 30, runs=100) > 0.9
