"""Elo from a score, its interval and the likelihood of superiority: against fastchess's formulas, and simulated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from tournament.evidence.elo import elo, margin

X = np.array([0, 0.25, 0.5, 0.75, 1])


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0.5, 0), (0.65, 107.5), (0.35, -107.5), (10 / 11, 400), (0.75, 190.8), (1, math.inf), (0, -math.inf)],
)
def test_elo_is_the_difference_at_which_a_score_is_expected(score, expected):
    assert elo(score) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    "counts",
    [[34, 54, 31, 32, 64], [300, 200, 900, 210, 330], [365, 1661, 3622, 1697, 390], [40, 0, 200, 0, 60]],
)
def test_many_pairs_have_the_interval_and_the_superiority_of_fastchess(counts):
    """fastchess takes the mean to be normal: score ± 1.96 standard errors, and how likely it is above ½."""
    pairs = np.array(counts)
    score = pairs @ X / pairs.sum()
    error = math.sqrt(pairs @ (X - score) ** 2 / pairs.sum()) / math.sqrt(pairs.sum())
    found = margin(counts)
    assert found.elo == pytest.approx(elo(score))
    assert found.interval == pytest.approx((elo(score - 1.96 * error), elo(score + 1.96 * error)), abs=1.0)
    assert found.superiority == pytest.approx(norm.cdf((score - 0.5) / error), abs=0.002)


def test_pairs_all_won_leave_the_difference_open_above_alone():
    """Ten pairs won: of a coin that falls so with a chance of p¹⁰, the least p with −10 ln p ≤ t²/2."""
    found = margin([0, 0, 0, 0, 10])
    assert found.elo == math.inf
    assert found.interval[1] == math.inf
    assert found.interval[0] == pytest.approx(elo(math.exp(-(2.262**2) / 20)), abs=2)
    assert 0.999 < found.superiority < 1


def test_pairs_that_all_split_are_even_within_an_interval():
    found = margin([0, 0, 20, 0, 0])
    assert (found.elo, found.superiority) == (0, 0.5)
    assert -50 < found.interval[0] < -20
    assert found.interval[1] == pytest.approx(-found.interval[0])


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0]])
def test_from_fewer_than_two_pairs_the_interval_is_everything(counts):
    assert margin(counts).interval == (-math.inf, math.inf)


@given(st.lists(st.integers(0, 60), min_size=5, max_size=5))
def test_swapping_the_players_turns_it_round(counts):
    one, other = margin(counts), margin(counts[::-1])
    assert one.elo == pytest.approx(-other.elo)
    assert one.superiority == pytest.approx(1 - other.superiority, abs=1e-6)
    low, high = other.interval
    assert one.interval == pytest.approx((-high, -low), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("shares", [[0.1, 0.15, 0.5, 0.15, 0.1], [0, 0.2, 0.7, 0, 0.1], [0.1, 0.1, 0.4, 0.1, 0.3]])
@pytest.mark.parametrize("pairs", [12, 100])
def test_intervals_cover(shares, pairs, long):
    runs = 2000 if long else 60
    truth = elo(float(np.array(shares) @ X))
    random = np.random.default_rng(1)
    intervals = [margin(counts).interval for counts in random.multinomial(pairs, shares, runs).tolist()]
    covered = sum(low <= truth <= high for low, high in intervals)
    assert covered >= 0.93 * runs - 2 * math.sqrt(runs * 0.07 * 0.93)
