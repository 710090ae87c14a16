"""The size of a tree without pruning, held against the naive searches that try every move."""

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DRIFTING, SMALL, SMALL_FULL, STANDARD, WIDE, depths, naively, positions

from tournament.engine import whole_tree as module
from tournament.engine.whole_tree import whole_tree
from tournament.games.connect4 import Position, Rules, read_position


def nothing(board, me, connect, my_turn):
    return 0.0


@settings(max_examples=40)
@given(position=positions((STANDARD, SMALL, WIDE, SMALL_FULL, *DRIFTING[:9])), data=st.data())
def test_the_whole_tree_is_as_large_as_what_the_naive_minimax_makes(position, data):
    depth = data.draw(depths(position.rules, 300))
    assert whole_tree(position, depth) == naively(position, "minimax", depth, nothing, "left").generated


def test_the_whole_tree_of_known_positions_is_that_of_published_tables():
    assert (whole_tree(Position(STANDARD), 2), whole_tree(Position(STANDARD), 3)) == (56, 399)
    drifting = Rules(objective="most-lines", drift=0.6, drift_players="first")
    start = read_position("......./......./......./......./...X.../..OOX.. X", drifting)
    assert [whole_tree(start, depth) for depth in (1, 2, 3)] == [19, 152, 2679]


def test_a_tree_that_is_too_large_to_be_walked_is_not_walked(monkeypatch):
    monkeypatch.setattr(module, "MOST_WALKED", 48)
    assert whole_tree(Position(STANDARD), 2) == 56
    assert whole_tree(Position(STANDARD), 3) is None
