"""Student's t distribution: what stands in for the normal one where few openings were drawn."""

from __future__ import annotations

import math
from functools import cache
from itertools import count

from tournament.evidence.intervals import Z95

ENOUGH = 1e-15  # relative, of a fraction's next part
TINY = 1e-300  # in place of a 0 that would be divided by


@cache
def t95(freedom: int) -> float:
    """The 97.5 % point: 12.7 with one degree of freedom, Z95 with very many.

    By Newton's steps from the normal distribution's, which is nearer to 0: the tail is convex from there on, so that no
    step goes too far.
    """
    scale = math.exp(-_log_beta(freedom)) / math.sqrt(freedom)  # the density at 0
    t, last = Z95, 0.0
    while t > last:
        density = scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)
        t, last = t + (two_sided(t, freedom) - 0.05) / (2 * density), t
    return last


def two_sided(t: float, freedom: int) -> float:
    """How often chance alone is as far from 0 as t, on either side.

    It is the incomplete beta function I_x(a, b) with x = freedom/(freedom + t²), a = freedom/2 and b = ½, by its
    continued fraction, which is quick on the near side of its mean; on the other one it is 1 − I_(1−x)(b, a).
    """
    if t == 0:
        return 1.0
    if math.isinf(t):
        return 0.0
    a, b, square = freedom / 2, 0.5, t * t
    x, rest = freedom / (freedom + square), square / (freedom + square)
    log_front = a * -math.log1p(square / freedom) + b * math.log(rest) - _log_beta(freedom)
    if x < (a + 1) / (a + b + 2):
        return math.exp(log_front) / (a * _fraction(a, b, x))
    return 1 - math.exp(log_front) / (b * _fraction(b, a, rest))


def _log_beta(freedom: int) -> float:
    """The logarithm of B(freedom/2, ½)."""
    return math.lgamma(freedom / 2) + math.lgamma(0.5) - math.lgamma((freedom + 1) / 2)


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d₁/(1 + d₂/(1 + …)), the continued fraction under I_x(a, b), from its front by Lentz's method."""
    value, above, below = 1.0, 1.0, 0.0
    for number in count():
        for part in (
            -(a + number) * (a + b + number) * x / ((a + 2 * number) * (a + 2 * number + 1)),
            (number + 1) * (b - number - 1) * x / ((a + 2 * number + 1) * (a + 2 * number + 2)),
        ):
            below = 1 / (1 + part * below or TINY)
            above = 1 + part / above or TINY
            value *= above * below
        if not abs(above * below - 1) >= ENOUGH:
            break
    return value
