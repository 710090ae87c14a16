"""Squares: every cell has a weight, roughly the number of lines through it; mine minus theirs."""

import numpy as np

from tournament.toolkit import bit_planes, swap, weigh_lines_through, weigh_planes

WEIGHTS = np.array(  # for the standard board, the bottom row first
    [
        [3, 4, 5, 7, 5, 4, 3],
        [4, 6, 8, 10, 8, 6, 4],
        [5, 7, 11, 13, 11, 7, 5],
        [5, 7, 11, 13, 11, 7, 5],
        [4, 6, 8, 10, 8, 6, 4],
        [3, 4, 5, 7, 5, 4, 3],
    ]
)
PLANES = bit_planes(WEIGHTS)


def evaluate(position, rules):
    if rules.rows == 6 and rules.columns == 7 and rules.connect == 4:
        return weigh_planes(position, PLANES) - weigh_planes(swap(position), PLANES)
    return weigh_lines_through(position) - weigh_lines_through(swap(position))
