"""Intervals of shares: their ends hold what defines them."""

from statistics import NormalDist

import pytest

from tournament.evidence.intervals import wilson


@pytest.mark.parametrize(("share", "games"), [(0.1, 10), (0.5, 7), (0.0, 3), (1.0, 40), (0.625, 1000)])
def test_at_the_ends_of_wilsons_interval_the_share_is_exactly_as_far_off_as_one_in_forty_is(share, games):
    away = NormalDist().inv_cdf(0.975)
    for end in wilson(share, games):
        assert (share - end) ** 2 == pytest.approx(away**2 * end * (1 - end) / games, rel=1e-9, abs=1e-15)
