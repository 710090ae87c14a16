"""Student's t against scipy's, and against what is known in closed form."""

from __future__ import annotations

import math

import pytest
from scipy.stats import t as scipy_t

from tournament.evidence.intervals import Z95
from tournament.evidence.student import t95, two_sided

FREEDOMS = [1, 2, 3, 4, 7, 8, 29, 120, 1135, 4999]
FAR = [0.01, 0.3, 1.0, 1.96, 3.0, 10.0, 30.0, 500.0]


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_points_and_tails_are_those_of_scipy(freedom):
    assert t95(freedom) == pytest.approx(scipy_t.ppf(0.975, freedom), rel=1e-11)
    tails = [2 * scipy_t.sf(t, freedom) for t in FAR]
    assert [two_sided(t, freedom) for t in FAR] == pytest.approx(tails, rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("t", [1e-8, *FAR])
def test_one_and_two_degrees_of_freedom_have_closed_forms(t):
    assert two_sided(t, 1) == pytest.approx(2 / math.pi * math.atan2(1, t), rel=1e-12)
    root = math.sqrt(2 + t * t)
    assert two_sided(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-12)


def test_the_middle_and_the_ends():
    assert two_sided(0.0, 5) == 1
    assert two_sided(math.inf, 5) == 0
    assert math.isnan(two_sided(math.nan, 5))
    assert t95(10**7) == pytest.approx(Z95, rel=1e-6)
