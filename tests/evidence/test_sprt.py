"""The sequential test against the same maximum in forty digits, against its symmetries, and against simulated duels."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from tournament.errors import TourneyError
from tournament.evidence.likelihood import filled
from tournament.evidence.sprt import ELO_OF_T, FEWEST_DECISIVE, Claim, Terms, bounds, check_parameters, decide, llr

X = np.array([0, 0.25, 0.5, 0.75, 1])
COUNTS = st.lists(st.integers(0, 200), min_size=5, max_size=5)
ELOS = st.integers(-100, 100)

OFF = 1e-6  # of the evidence, or of 1 where it is less: far more than rounding


def t_of(elo: float) -> float:
    return elo / ELO_OF_T


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
    """The other is off by less than 1e-15, so that 1e-9 is ours alone, and far less than what is shown."""
    expected = best_log_likelihood(tuple(counts), elo1) - best_log_likelihood(tuple(counts), elo0)
    assert llr(counts, elo0, elo1) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


def with_spreads(counts: np.ndarray, t: float, spreads: np.ndarray) -> np.ndarray:
    """As `with_spread` in double precision, for many standard deviations: how far each falls short."""
    u = X - 0.5 - t * spreads[:, None]
    rows = np.stack([u, u**2 - spreads[:, None] ** 2], axis=1)
    place, height = np.zeros((len(spreads), 2)), np.zeros(len(spreads))
    while True:
        below = 1 + np.einsum("si,sij->sj", place, rows)
        slope = np.einsum("sj,sij->si", counts / below, rows)
        curve = np.einsum("sj,sij,skj->sik", counts / below**2, rows, rows)
        curve += 1e-13 * np.trace(curve, axis1=1, axis2=2)[:, None, None] * np.eye(2)  # where rounding leaves it flat
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        promised = (slope * step).sum(axis=1)
        if (promised <= 1e-9 * (1 + height)).all():
            return height
        share = np.ones(len(spreads))
        while True:
            below = 1 + np.einsum("si,sij->sj", place + share[:, None] * step, rows)
            logs = (counts * np.log(np.where(below > 0, below, 1))).sum(axis=1)
            reached = np.where(below.min(axis=1) > 0, logs, -np.inf)
            down = reached < height + share * promised / 4 - 1e-12 * (1 + height)
            if not down.any():
                break
            share[down] /= 2
        place, height = place + share[:, None] * step, reached


def least_shortfall(counts: list[int], elo: float) -> float:
    """By how much the likeliest shares fall short, by looking everywhere: 150 spreads, then closer about each low."""
    t, pairs = t_of(elo), np.array(filled(counts))
    least, most = abs(t) / (1 + t * t) / 4, 1 / math.sqrt(1 + t * t) / 2
    spreads = least + (most - least) * (1 - np.cos(np.pi * np.arange(151) / 150)) / 2
    heights = np.concatenate([[np.inf], with_spreads(pairs, t, spreads[1:-1]), [np.inf]])
    lows = 1 + np.flatnonzero((heights[1:-1] <= heights[:-2]) & (heights[1:-1] <= heights[2:]))
    return min(lowest_between(pairs, t, spreads[low - 1], spreads[low + 1]) for low in lows)


def lowest_between(pairs: np.ndarray, t: float, low: float, high: float) -> float:
    while True:
        spreads = np.linspace(low, high, 13)
        heights = with_spreads(pairs, t, spreads[1:-1])
        best = int(heights.argmin())
        low, high = spreads[[best, best + 2]]
        if high - low < 1e-7:
            return float(heights[best])


def random_counts(random: np.random.Generator) -> list[int]:
    """Pairs of many kinds: any, hardly a decisive one, nearly all of one class, few classes."""
    kind = random.integers(4)
    if kind == 0:
        counts = random.integers(0, 200, 5)
    elif kind == 1:
        counts = random.integers(0, 8, 5)
        counts[2] = random.integers(1, 3000)
    elif kind == 2:
        counts = random.integers(0, 4, 5) * random.integers(0, 2, 5)
        counts[random.integers(5)] = random.integers(1, 3000)
    else:
        counts = random.multinomial(random.integers(5, 600), random.dirichlet([0.3] * 5))
    return [int(count) for count in counts]


def test_the_highest_of_all_peaks_is_found_among_random_counts(long):
    """Against a search that looks everywhere; `--long` tries 3,000."""
    random = np.random.default_rng(1)
    for _ in range(3000 if long else 10):
        counts = random_counts(random)
        elo0, elo1 = np.sort(random.choice(np.delete(np.arange(-60, 61), 60), 2, replace=False)).tolist()
        if random.random() < 0.3:
            elo0 = -random.integers(100, 301)
        if counts[2] < sum(counts):
            expected = least_shortfall(counts, elo0) - least_shortfall(counts, elo1)
            assert llr(counts, elo0, elo1) == pytest.approx(expected, rel=1e-5, abs=1e-5), (counts, elo0, elo1)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "evidence"),
    [
        ([1, 4, 2000, 2, 3], -50, 50, 3.73),  # −4.43 at a lower peak
        ([2, 0, 2000, 0, 3], -50, 50, 4.88),  # 2.50
        ([0, 0, 400, 6, 0], -50, -45, 3.12),  # −0.04
    ],
)
def test_a_lower_peak_is_left_for_the_highest(counts, elo0, elo1, evidence):
    assert llr(counts, elo0, elo1) == pytest.approx(evidence, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "evidence"),
    [
        ([365, 16618, 36229, 16974, 390], 0, 2, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
        ([0, 0, 0, 0, 5550], 0, 5, 111.80),
        ([379, 10170, 21828, 10640, 343], 0, 2, 2.9455),
    ],
)
def test_agrees_with_what_fastchess_and_fishtest_publish(counts, elo0, elo1, evidence):
    assert llr(counts, elo0, elo1) == pytest.approx(evidence, abs=0.005)


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
    assert decide([0, 0, 0, 0, 0], 0, 30, 0.05, 0.05) == (None, None, 0, bounds(0.05, 0.05), 0, 0, 0.5)


def test_a_decision_says_what_it_rests_on():
    decision = decide([2, 3, 40, 5, 50], 0, 30, 0.05, 0.05)
    assert (decision.accepted, decision.claim) == ("H1", Claim("better"))
    assert decision.llr > decision.bounds[1]
    assert (decision.pairs, decision.decisive) == (100, 60)
    assert decision.score == pytest.approx((0.25 * 3 + 0.5 * 40 + 0.75 * 5 + 50) / 100)


@pytest.mark.parametrize("pairs", [1, 20, 199, 200, 1000, 100_000])
def test_pairs_that_all_split_never_decide(pairs):
    decision = decide([0, 0, pairs, 0, 0], 0, 30, 0.05, 0.05)
    assert decision.claim is None
    assert decision.llr == 0
    assert decision.decisive == 0


@pytest.mark.parametrize("decisive", range(1, FEWEST_DECISIVE))
def test_a_few_decisive_pairs_among_many_splits_do_not_decide(decisive):
    for counts in ([0, 0, 2000, 0, decisive], [decisive, 0, 2000, 0, 0]):
        assert decide(counts, 0, 30, 0.05, 0.05).claim is None


# Pairs after which the test has stopped for H1 or for H0, or not yet; `far` has gone on until 0 is out of reach too.
WORDS = {
    ("H1", "near"): {
        (0, 30): "better",
        (10, 40): "better by more than 10",
        (-30, 0): "not worse by 30 or more",
        (-300, -100): "not worse by 300 or more",
        (-30, 30): "not worse by 30 or more",
    },
    ("H1", "far"): {
        (0, 30): "better",
        (10, 40): "better by more than 10",
        (-30, 0): "better",
        (-300, -100): "better",
        (-30, 30): "better",
    },
    ("H0", "near"): {
        (0, 30): "not better by 30 or more",
        (10, 40): "not better by 40 or more",
        (-30, 0): "worse",
        (-300, -100): "worse by more than 100",
        (-30, 30): "not better by 30 or more",
    },
    ("H0", "far"): {
        (0, 30): "worse",
        (10, 40): "worse",
        (-30, 0): "worse",
        (-300, -100): "worse by more than 100",
        (-30, 30): "worse",
    },
    (None, "near"): dict.fromkeys([(0, 30), (10, 40), (-30, 0), (-300, -100), (-30, 30)]),
}
FAR = (2, 0, 60, 0, 120)
STOPPED = {  # pairs by hypotheses and outcome, where not the same for all
    ("H1", "near"): {
        (0, 30): (150, 0, 600, 0, 250),
        (10, 40): (100, 0, 600, 0, 300),
        (-300, -100): (30, 0, 120, 0, 20),
        **dict.fromkeys([(-30, 0), (-30, 30)], (190, 0, 600, 0, 210)),
    },
    ("H0", "near"): {
        **dict.fromkeys([(0, 30), (10, 40), (-30, 30)], (210, 0, 600, 0, 190)),
        (-30, 0): (250, 0, 600, 0, 150),
        (-300, -100): (120, 0, 60, 0, 2),
    },
}


@pytest.mark.parametrize("hypotheses", WORDS["H1", "near"], ids=str)
@pytest.mark.parametrize("outcome", WORDS, ids=str)
def test_words_follow_the_hypotheses(hypotheses, outcome):
    accepted, how = outcome
    if accepted is None:
        counts = (1, 1, 3, 1, 1)
    elif how == "far":
        counts = FAR if accepted == "H1" else FAR[::-1]
    else:
        counts = STOPPED[outcome][hypotheses]
    decision = decide(counts, *hypotheses, 0.05, 0.05)
    assert decision.accepted == accepted
    assert (decision.claim and decision.claim.text) == WORDS[outcome][hypotheses]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (Claim("better"), "a is better than b"),
        (Claim("better", 10), "a is better than b by more than 10 normalized Elo"),
        (Claim("not worse", 30), "a is not worse than b by 30 normalized Elo or more"),
        (Claim("not better", 2.5), "a is not better than b by 2.5 normalized Elo or more"),
        (Claim("worse"), "a is worse than b"),
        (Claim("worse", 100), "a is worse than b by more than 100 normalized Elo"),
    ],
)
def test_a_claim_is_a_sentence(claim, said):
    assert claim.of("a", "b") == said
    assert claim.of("a", "b", asked=True) == said.replace("not ", "")


@given(st.lists(st.integers(0, 60), min_size=5, max_size=5), ELOS, ELOS)
def test_swapping_players_and_hypotheses_turns_the_words_round(counts, elo0, elo1):
    assume(elo0 < elo1)
    one = decide(counts, elo0, elo1, 0.05, 0.05)
    other = decide(counts[::-1], -elo1, -elo0, 0.05, 0.05)
    assert {one.accepted, other.accepted} in ({None}, {"H0", "H1"})
    if one.claim is not None:
        turned = {"better": "worse", "worse": "better"}
        *negated, word = one.claim.word.split()
        assert other.claim == (" ".join([*negated, turned[word]]), one.claim.by)


@given(COUNTS, ELOS, ELOS)
def test_nobody_is_better_that_scores_less_nor_worse_that_scores_more(counts, elo0, elo1):
    assume(elo0 < elo1)
    decision = decide(counts, elo0, elo1, 0.05, 0.05)
    if decision.claim is not None and decision.claim.word in ("better", "worse"):
        assert (decision.score > 0.5) == (decision.claim.word == "better")


def test_not_better_is_not_yet_worse():
    """42 lost to 27 stops the test, but a coin does that once in ten."""
    assert decide([42, 0, 60, 0, 27], 0, 30, 0.05, 0.05).claim == Claim("not better", 30)
    assert decide([40, 0, 40, 0, 4], 0, 30, 0.05, 0.05).claim == Claim("worse")


def test_one_that_is_ahead_but_not_by_as_much_is_not_worse():
    """So many pairs that equals are out of the question; but ahead is the one that is not better by 40."""
    assert decide([3794, 0, 12000, 0, 4206], 10, 40, 0.05, 0.05).claim == Claim("not better", 40)


def test_an_even_score_is_never_worse_however_many_pairs_were_lost():
    """80 pairs lost by a draw and 40 won twice: exactly half of the points."""
    decision = decide([0, 80, 280, 0, 40], 0, 30, 0.05, 0.05)
    assert (decision.score, decision.accepted, decision.claim) == (0.5, "H0", Claim("not better", 30))


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
SKEWED = np.array([0, 0.2, 0.7, 0, 0.1])  # many are lost by a draw, and as many points won at once
KINDS = ["splits", "coin", "draws", "skewed", "skewed the other way"]
ALPHA = BETA = 0.05


@cache
def said(counts: tuple[int, ...], elo0: float, elo1: float) -> str:
    claim = decide(counts, elo0, elo1, ALPHA, BETA).claim
    return claim.text if claim is not None else ""


def tilted(shares: np.ndarray, elo: float) -> np.ndarray:
    """Shares of the same kind whose normalized Elo is that."""

    def by(tilt: float) -> np.ndarray:
        weights = shares * np.exp(tilt * (X - 0.5))
        return weights / weights.sum()

    return by(brentq(lambda tilt: t_value(by(tilt)) - t_of(elo), -8, 8))


def ends_of(truth: np.ndarray, elo0: float, elo1: float, *, runs: int, every: int) -> Counter[str]:
    """How that many duels end; the test is asked after `every` pairs."""
    random = np.random.default_rng(1)
    ends: Counter[str] = Counter()
    for _ in range(runs):
        counts = np.zeros(5, dtype=int)
        claim = ""
        while not claim and counts.sum() < 4000:
            counts += random.multinomial(every, truth)
            claim = said(tuple(counts.tolist()), elo0, elo1)
        ends[claim] += 1
    return ends


def at_most(rate: float, runs: int) -> float:
    """That many of the runs, and two standard errors."""
    return runs * rate + 2 * math.sqrt(runs * rate * (1 - rate))


@pytest.mark.parametrize(
    ("kind", "elo0", "elo1"),
    [(SPLITS_OFTEN, 0, 100), (COIN, 0, 100), (SPLITS_OFTEN, -60, 60), (SKEWED, 0, 100), (DRAWS_TOO, 0, 150)],
    ids=["splits", "coin", "about zero", "skewed", "draws"],
)
def test_errors_stay_within_alpha_and_beta(kind, elo0, elo1, long):
    runs, every = (1000, 1) if long else (30, 10)
    h1 = Terms(elo0, elo1).h1.text, "better"
    wrong = ends_of(tilted(kind, elo0), elo0, elo1, runs=runs, every=every)
    right = ends_of(tilted(kind, elo1), elo0, elo1, runs=runs, every=every)
    assert sum(wrong[text] for text in set(h1)) <= at_most(ALPHA, runs)
    assert sum(right[text] for text in set(h1)) >= runs - at_most(BETA, runs)


@pytest.mark.parametrize("kind", [SPLITS_OFTEN, COIN, DRAWS_TOO, SKEWED, SKEWED[::-1]], ids=KINDS)
def test_a_duel_of_equals_ends_in_a_false_alarm_in_at_most_alpha_of_all(kind, long):
    """With the duel's own hypotheses, and 'worse' counted as an alarm too."""
    runs, every = (1000, 4) if long else (30, 25)
    ends = ends_of(kind, 0, 30, runs=runs, every=every)
    assert ends["better"] + ends["worse"] <= at_most(ALPHA, runs)
    assert ends["worse"] <= at_most(ALPHA / 10, runs)


def test_a_player_that_is_much_worse_is_called_so():
    assert ends_of(tilted(SPLITS_OFTEN, -200), 0, 30, runs=50, every=5)["worse"] > 45
