"""The rules counted: published numbers, and a slow count of our own on other boards."""

import naive
import pytest

from tournament.engine.perft import perft
from tournament.games.connect4 import Rules

# Distinct positions after 0, 1, 2, … plies on 6×7, games that ended not continued (R7).
PUBLISHED = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623]


@pytest.mark.needs_jit
def test_positions_of_the_standard_board_are_the_published_ones():
    assert [count.positions for count in perft(Rules(), 10)] == PUBLISHED


@pytest.mark.parametrize("rules", [Rules(4, 5, 3), Rules(3, 3, 2), Rules(8, 8, 3), Rules(1, 6, 2), Rules(2, 1, 2)])
def test_counts_equal_a_slow_count(rules):
    plies = 4
    assert [(count.sequences, count.positions) for count in perft(rules, plies)] == naive.perft(
        rules.rows, rules.columns, rules.connect, plies
    )
