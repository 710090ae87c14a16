"""Which openings have the same games: by the boards on which they end."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tournament.evidence.clusters import board_after, clusters
from tournament.games.connect4 import Position


def test_moves_in_another_order_lead_to_the_same_board():
    assert board_after("1234") == board_after("3214") == board_after("1432")
    assert board_after("1234") != board_after("2143"), "the discs are the other player's"
    assert board_after("112") != board_after("121"), "one stands on the other"


def played(wanted: str) -> tuple[str, Position]:
    """As many of these moves as can be played, and where they lead."""
    position, moves = Position(), ""
    for digit in wanted:
        if position.result is None and int(digit) - 1 in position.open_columns():
            position, moves = position.play(int(digit) - 1), moves + digit
    return moves, position


@given(st.permutations("11223344"), st.permutations("11223344"))
def test_boards_are_equal_where_positions_are(one, other):
    (moves, position), (others, reached) = played("".join(one)), played("".join(other))
    assert (board_after(moves) == board_after(others)) == (position == reached)


def test_openings_are_joined_by_either_of_their_games_and_through_others():
    assert clusters([("a", "p"), ("b", "q"), ("a", "r"), ("c", "q"), ("d", "s")]) == [0, 1, 0, 1, 2]
    assert clusters([("a", "p"), ("b", "q"), ("a", "q")]) == [0, 0, 0]
    assert clusters([("a", "p"), ("p", "a")]) == [0, 1], "the same board with the other player to move is no meeting"
    assert clusters([("a",), ("b",), ("a",)]) == [0, 1, 0]
    assert clusters([]) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_clusters_are_what_a_graph_of_meetings_connects(ends):
    found = clusters(ends)
    meetings = [
        (one, other)
        for one, other in combinations(range(len(ends)), 2)
        if any(a == b for a, b in zip(ends[one], ends[other], strict=True))
    ]
    if ends:
        rows, columns = zip(*meetings, strict=True) if meetings else ((), ())
        graph = coo_array(([1] * len(meetings), (rows, columns)), shape=(len(ends), len(ends)))
        assert found == connected_components(graph, directed=False)[1].tolist()
    assert list(dict.fromkeys(found)) == list(range(len(set(found)))), "counted in the order of their first openings"
