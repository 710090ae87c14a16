"""What moving first was worth: openings as the unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tournament.evidence.seats import change, odd_lever, share_interval, share_p, slope_lever


def test_one_opening_has_no_interval_and_no_evidence():
    assert share_interval([9], [10]) is None
    assert share_p([9], [10]) == 1


def test_openings_that_vary_like_single_games_have_wilsons_interval_with_students_tails():
    points, games = [1.0] * 13 + [0.0] * 7, [1] * 20
    low, high = share_interval(points, games)
    t = stats.t(19).ppf(0.975)
    for end in (low, high):
        off = abs(0.65 - end) / np.sqrt(end * (1 - end) / 19)  # 20 openings vary by 19 degrees of freedom
        assert off == pytest.approx(t, rel=0.01)


def test_games_of_one_opening_are_not_independent():
    alone = share_interval([6, 4, 5, 7, 3, 5], [10] * 6)
    together = share_interval([10, 0, 10, 10, 0, 0], [10] * 6)
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_openings_that_all_say_the_same_do_not_make_it_certain():
    low, high = share_interval([10] * 6, [10] * 6)
    assert 0.4 < low < 0.7
    assert high == 1
    assert 0.001 < share_p([10] * 6, [10] * 6) < 0.1


SHARES = st.lists(st.tuples(st.integers(0, 12), st.integers(6, 12)), min_size=2, max_size=30)


@given(SHARES)
def test_p_is_at_most_5_percent_where_the_interval_leaves_a_half_out(sums):
    points, games = [min(halves / 2, played) for halves, played in sums], [played for _, played in sums]
    low, high = share_interval(points, games)
    p = share_p(points, games)
    if abs(low - 0.5) > 1e-9 and abs(high - 0.5) > 1e-9:
        assert (p <= 0.05) == (not low <= 0.5 <= high)


def test_p_is_nearly_that_of_a_t_test_on_opening_means():
    points = np.array([6, 4.5, 7, 8, 5, 6.5, 3, 7])
    assert share_p(points, [10] * 8) == pytest.approx(stats.ttest_1samp(points / 10, 0.5).pvalue, rel=0.1)
    assert share_p([5] * 4, [10] * 4) == 1


def test_a_change_is_a_t_test_on_what_each_opening_says():
    shares = np.random.default_rng(1).random((12, 4))
    lever = slope_lever([1, 2, 4, 6])
    slopes = [np.polyfit([1, 2, 4, 6], row, 1)[0] for row in shares]
    found = change(shares, lever)
    assert found.size == pytest.approx(np.mean(slopes))
    assert found.p == pytest.approx(stats.ttest_1samp(slopes, 0).pvalue)
    assert change(shares[:1], lever).p == 1


def test_odd_levels_are_told_from_a_slope():
    depths = [1, 2, 3, 4, 5, 6]
    shares = [[0.5 + 0.1 * (depth % 2) - 0.02 * depth for depth in depths]] * 3
    assert change(shares, odd_lever(depths)).size == pytest.approx(0.1)
    assert odd_lever([2, 4, 6, 8]) is None
    assert odd_lever([2, 4, 8]) is None
    assert odd_lever([2, 3, 4]) is None
