"""The toolkit's features: right on every board, and the same compiled as in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import MANY, STANDARD, WIDE, WORD, positions

from tournament.games.connect4 import Position, Rules, View, features, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

SEATS = {"X": "first", "O": "second"}
LONG = Rules(1, 20, 17)  # a window of more cells than four bits can count
TALL = Rules(31, 2, 4)  # two columns away is a whole word away

NUMBERS = range(-1, 21)  # of discs, the impossible included
WEIGHTS = ((0, 1, 5, 10, 100), (0, 3), (9, 0, -7, 2, 0, 11), (0, *(k * k for k in range(1, 21))))
SQUARES = tuple(tuple((3 * row * row + 5 * column + row * column) % 11 for column in range(11)) for row in range(31))


def cells(bits: int, rules: Any) -> set[tuple[int, int]]:
    """The cells of a set of bits; a bit in the spare row shows as a row that the board does not have."""
    stride = rules.rows + 1
    return {(index % stride, index // stride) for index in range(bits.bit_length()) if bits >> index & 1}


def squares_of(view: View) -> Any:
    return np.array(SQUARES)[: view.rules.rows, : view.rules.columns]


# Each feature as the toolkit has it and as the naive loops have it, in a form that can be compared.
FEATURES: dict[str, tuple[Callable[[View], Any], Callable[[naive.Board, str, int], Any]]] = {
    "bit_planes": (
        lambda view: features.weigh_planes(view, features.bit_planes(-squares_of(view))),
        lambda board, me, connect: -naive.weigh_squares(board, me, SQUARES),
    ),
    "blocked_windows": (features.blocked_windows, naive.blocked_windows),
    "centre_discs": (features.centre_discs, lambda board, me, connect: naive.centre_discs(board, me)),
    "count": (
        lambda view: features.count(view.mine | view.theirs),
        lambda board, me, connect: len(naive.cells_of(board, "X")) + len(naive.cells_of(board, "O")),
    ),
    "discs": (features.discs, lambda board, me, connect: len(naive.cells_of(board, me))),
    "discs_in_column": (
        lambda view: [features.discs_in_column(view, column) for column in range(view.rules.columns)],
        lambda board, me, connect: [naive.discs_in_column(board, me, column) for column in range(len(board[0]))],
    ),
    "open_ends": (
        lambda view: [features.open_ends(view, length) for length in range(1, 5)],
        lambda board, me, connect: [naive.open_ends(board, me, length) for length in range(1, 5)],
    ),
    "open_windows": (
        lambda view: [features.open_windows(view, number) for number in NUMBERS],
        lambda board, me, connect: [naive.open_windows(board, me, connect, number) for number in NUMBERS],
    ),
    "playable_cells": (
        lambda view: cells(features.playable_cells(view), view.rules),
        lambda board, me, connect: naive.playable_cells(board),
    ),
    "playable_threats": (
        features.playable_threats,
        lambda board, me, connect: len(naive.threat_cells(board, me, connect) & naive.playable_cells(board)),
    ),
    "swap": (
        lambda view: [cells(bits, view.rules) for bits in features.swap(view)[:2]],
        lambda board, me, connect: [naive.cells_of(board, naive.OTHER[me]), naive.cells_of(board, me)],
    ),
    "threat_cells": (lambda view: cells(features.threat_cells(view), view.rules), naive.threat_cells),
    "threats": (features.threats, lambda board, me, connect: len(naive.threat_cells(board, me, connect))),
    "weigh_lines_through": (features.weigh_lines_through, naive.weigh_lines_through),
    "weigh_planes": (
        lambda view: features.weigh_planes(view, features.bit_planes(squares_of(view) - 5)),
        lambda board, me, connect: naive.weigh_squares(board, me, SQUARES) - 5 * len(naive.cells_of(board, me)),
    ),
    "weigh_squares": (
        lambda view: features.weigh_squares(view, squares_of(view)),
        lambda board, me, connect: naive.weigh_squares(board, me, SQUARES),
    ),
    "weigh_windows": (
        lambda view: [features.weigh_windows(view, weights) for weights in WEIGHTS],
        lambda board, me, connect: [naive.weigh_windows(board, me, connect, weights) for weights in WEIGHTS],
    ),
    "wins": (features.wins, naive.has_line),
}


def test_every_feature_of_the_toolkit_has_a_naive_counterpart_here() -> None:
    assert sorted(FEATURES) == sorted(features.__all__)


@pytest.mark.parametrize("feature", features.__all__)
@given(position=positions((*MANY, TALL)), me=st.sampled_from("XO"))
@example(position=read_position("......./......./......./......./OOO..../XXXX..."), me="X")  # a won position
def test_a_feature_is_what_loops_over_the_cells_find(feature: str, position: Position, me: str) -> None:
    fast, slow = FEATURES[feature]
    assert fast(position.seen_by(SEATS[me])) == slow(naive.read(str(position)), me, position.rules.connect)


@pytest.mark.parametrize("feature", ["blocked_windows", "open_windows", "weigh_windows", "weigh_lines_through"])
@given(position=positions((LONG,)), me=st.sampled_from("XO"))
@example(position=read_position("XXXXXXXXXXXXXXXX.... O", LONG), me="X")  # sixteen
def test_windows_of_more_than_fifteen_cells_are_told_apart_too(feature: str, position: Position, me: str) -> None:
    fast, slow = FEATURES[feature]
    assert fast(position.seen_by(SEATS[me])) == slow(naive.read(str(position)), me, position.rules.connect)


def test_fractions_have_no_bit_planes() -> None:
    with pytest.raises(TypeError, match=r"0\.5 is none: use weigh_squares"):
        features.bit_planes(np.array([[0.5, 1]]))


@given(position=positions())
def test_swapping_sides_twice_changes_nothing_and_once_the_turn(position: Position) -> None:
    view = position.seen_by("first")
    assert features.swap(view) == position.seen_by("second")
    assert features.swap(features.swap(view)) == view


def test_a_threat_counts_as_playable_only_where_a_disc_would_come_to_rest() -> None:
    position = read_position(
        "......./"
        "......./"
        "......./"
        "......./"
        ".XXX.../"  # X lacks both ends: on the left nothing lies below yet, on the right an O does
        ".OXOO.. X"
    )
    view = position.seen_by("first")
    assert cells(features.threat_cells(view), view.rules) == {(1, 0), (1, 4)}
    assert features.threats(view) == 2
    assert features.playable_threats(view) == 1


def test_the_centre_of_an_even_board_is_two_columns_wide() -> None:
    assert features.centre_discs(read_position("33442", Rules(4, 6, 4)).seen_by("first")) == 2
    assert features.centre_discs(read_position("33442", Rules(4, 7, 4)).seen_by("first")) == 1


# One evaluator that uses them all, each with another weight.
ALL_FEATURES = """
    '''All features of the toolkit at once.'''

    import numpy as np

    from tournament.toolkit import *

    SQUARES = np.array(SQUARES_TEXT)
    SMALL, WIDE = bit_planes(SQUARES[:6, :7] - 5), bit_planes(SQUARES[:8, :8] << 3)


    def evaluate(position):
        score = 2 * discs(position) + 3 * centre_discs(position) + 5 * discs_in_column(position, 1)
        score += 7 * blocked_windows(position) + 11 * open_windows(position, 2) + 13 * open_ends(swap(position), 2)
        score += 17 * threats(position) + 19 * playable_threats(position)
        score += 23 * count(playable_cells(position) & threat_cells(swap(position)))
        score += 29 * weigh_lines_through(position) + 31 * weigh_squares(position, SQUARES)
        score += weigh_planes(position, SMALL) if position.rules.rows == 6 else weigh_planes(position, WIDE)
        score += 37 * weigh_windows(position, (0, 1, 4, 9)) + 1000 * wins(position)
        return score
"""


@pytest.fixture(scope="module")
def all_features(write_evaluator: Callable[[str], Evaluator]) -> Callable[[Rules], Scorer]:
    evaluator = write_evaluator(ALL_FEATURES.replace("SQUARES_TEXT", repr(SQUARES)))
    scorers = {rules: Scorer(evaluator, rules) for rules in (STANDARD, WIDE)}
    return scorers.__getitem__


def test_the_evaluator_of_all_features_uses_each_of_them() -> None:
    assert [feature for feature in features.__all__ if f"{feature}(" not in ALL_FEATURES] == []


@pytest.mark.needs_jit
@given(position=positions((STANDARD, WIDE)), seat=st.sampled_from(["first", "second"]))
@example(position=read_position("......./......./......./......./OOO..../XXXX..."), seat="first")
def test_features_are_the_same_compiled_as_in_plain_python(
    all_features: Callable[[Rules], Scorer], position: Position, seat: Any
) -> None:
    scorer = all_features(position.rules)
    assert scorer.compiled, scorer.reason
    assert scorer.score(position, seat) == scorer.evaluator.score(position.seen_by(seat))


@pytest.mark.needs_jit
@given(position=positions((TALL,)), seat=st.sampled_from(["first", "second"]))
def test_features_are_the_same_compiled_on_a_board_whose_lines_are_longer_than_a_word(
    bundled: Callable[[str, Rules], Scorer], position: Position, seat: Any
) -> None:
    scorer = bundled("windows", position.rules)
    assert scorer.score(position, seat) == scorer.evaluator.score(position.seen_by(seat))


# What is found in four directions at once on boards of one word, and one after the other where weights are fractions.
IN_DIRECTIONS = """
    '''Features that look in every direction.'''

    from tournament.toolkit import *


    def evaluate(position):
        score = 3 * blocked_windows(position) + 5 * open_windows(position, 1) + 7 * open_ends(position, 2)
        score += 11 * count(threat_cells(position)) + 13 * weigh_lines_through(position) + 1000 * wins(position)
        return score + weigh_windows(position, (0, 1, 10, 100)) + weigh_windows(position, (0.0, 0.1, 0.7))
"""
# All bits of a word, more cells in a line than columns, windows too long for lanes, a diagonal longer than a word.
ONE_WORD = (WORD, Rules(6, 3, 4), LONG, Rules(30, 2, 4))


@pytest.fixture(scope="module")
def in_directions(write_evaluator: Callable[[str], Evaluator]) -> Callable[[Rules], Scorer]:
    evaluator = write_evaluator(IN_DIRECTIONS)
    return {rules: Scorer(evaluator, rules) for rules in ONE_WORD}.__getitem__


@pytest.mark.needs_jit
@given(position=positions(ONE_WORD), seat=st.sampled_from(["first", "second"]))
@example(position=read_position("XXXXXXXXXXXXXXXX.... O", LONG), seat="first")
def test_four_directions_at_once_find_what_they_find_one_after_the_other(
    in_directions: Callable[[Rules], Scorer], position: Position, seat: Any
) -> None:
    scorer = in_directions(position.rules)
    assert scorer.compiled, scorer.reason
    assert scorer.score(position, seat) == scorer.evaluator.score(position.seen_by(seat))
