"""The normal distribution's 97.5 % point, and the branching factor of a tree."""

from __future__ import annotations

Z95 = 1.959963984540054  # the normal distribution's 97.5 % point
DEEPEST = 1000  # more than any board has cells: what a store of others says takes no longer


def branching_factor(generated: float, depth: float) -> float:
    """The b for which a uniform tree of that depth has so many nodes below its root.

    Where the depth is a mean and no whole number, the last level counts by its part.
    """
    depth = min(depth, DEEPEST)
    whole = int(depth)
    low, high = 0.0, max(1.0, generated ** (1 / max(whole, 1)))
    for _ in range(100):
        middle = (low + high) / 2
        nodes = sum(middle**level for level in range(1, whole + 1)) + (depth - whole) * middle ** (whole + 1)
        if nodes < generated:
            low = middle
        else:
            high = middle
    return float(high)
