"""How likely pairs of games are, if what they score on average is to have some property.

A pair (one opening, both seats) scores x = 0, ¼, ½, ¾ or 1. Of all shares p of these five that obey Σ pᵢφᵢ = 0 for
some φ, the likeliest are pᵢ = p̂ᵢ/(1 + θφᵢ): p̂ are the shares observed, θ is such that the sum is 0. They make the
pairs less likely than p̂ does, by Σ nᵢ ln(1 + θφᵢ) in the logarithm. With φ = x − μ they are those whose mean is μ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Numbers = Sequence[float]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
STEPS = 200  # of Newton's, far more than any sum takes
ENOUGH = 1e-12  # of θ: what falls short is off by the square of that

# An empty class counts as a thousandth of a pair (fishtest's number): no share may be 0, and it changes no evidence by
# more than some hundredths.
FILLER = 1e-3


def filled(counts: Sequence[int]) -> list[float]:
    """The counts with something in every class."""
    return [count or FILLER for count in counts]


def shortfall(counts: Numbers, phi: Numbers) -> tuple[float, float]:
    """θ, and by how much the likeliest shares with Σ pφ = 0 fall short of the shares observed.

    Every count is positive, and φ is positive somewhere and negative somewhere else.
    """
    theta = _theta(counts, phi)
    return theta, math.fsum(count * math.log1p(theta * f) for count, f in zip(counts, phi, strict=True))


def mean_shortfall(counts: Numbers, mean: float) -> float:
    """By how much shares with that mean fall short."""
    return shortfall(counts, [score - mean for score in SCORES])[1]


def _theta(counts: Numbers, phi: Numbers) -> float:
    """The θ at which Σ nᵢφᵢ/(1 + θφᵢ) = 0: the sum falls from ∞ to −∞ between those at which a share is infinite.

    By Newton's steps; one that does not stay between the bounds, which every step draws closer, goes to their middle.
    """
    low, high = -1 / max(phi), -1 / min(phi)
    theta = 0.0
    for _ in range(STEPS):
        left = curve = 0.0
        for count, f in zip(counts, phi, strict=True):
            by = f / (1 + theta * f)
            left += count * by
            curve += count * by * by
        step = left / curve
        if abs(step) <= ENOUGH * max(1.0, abs(theta)):
            break
        low, high = (theta, high) if left > 0 else (low, theta)
        theta += step
        if not low < theta < high:
            theta = (low + high) / 2
    return theta
