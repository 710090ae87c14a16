"""Roots against scipy's of the same method, and where they are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize.elementwise import find_root

from tournament.evidence.roots import roots

CUBES = np.array([-500.0, -1e-9, 0.0, 1e-3, 1.0, 27.0, 5e4])


def cubic(x: np.ndarray) -> np.ndarray:
    return x**3 - CUBES


def test_every_element_has_its_own_root():
    far = np.full(len(CUBES), 60.0)
    assert roots(cubic, -far, far, 1e-9) == pytest.approx(np.cbrt(CUBES), abs=1e-9)


def test_a_root_at_an_end_is_found():
    assert roots(lambda x: x - np.array([0.0, 2.0]), np.zeros(2), np.full(2, 2.0), 1e-6).tolist() == [0.0, 2.0]


def test_steps_are_those_of_scipy():
    """To the last digits, far beyond the tolerance: so results are what they were when scipy found them."""
    random = np.random.default_rng(1)
    centre, weight = random.normal(0, 2, 300), random.exponential(1, 300)

    def slope(x, centre, weight):
        return weight * (x - centre) + 4 * np.tanh(x + 1) - 3

    low, high = centre - 60, centre + 60
    theirs = find_root(slope, (low, high), args=(centre, weight), tolerances={"xatol": 1e-6}).x
    assert roots(lambda x: slope(x, centre, weight), low, high, 1e-6) == pytest.approx(theirs, abs=1e-12)
