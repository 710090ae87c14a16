"""Played until the board is full, most lines win: lines counted, results, searches, and R1 to the digit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    FULL_BOARD,
    MOST_LINES,
    NOISE,
    SMALL_FULL,
    Ready,
    agrees,
    depths,
    naively,
    once_per_rules,
    positions,
)

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.engine.values import WIN
from tournament.errors import PositionError
from tournament.games.connect4 import BoardRules, Position, Rules, play_moves, read_position, undecided
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

TINY_FULL = Rules(2, 3, 2, "most-lines")

Bundled = Callable[[str, Rules], Scorer]


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


def board(drawing: str, rules: Rules = FULL_BOARD) -> Position:
    return read_position("/".join(row.strip() for row in drawing.strip().splitlines()), rules)


# ── lines and results ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("drawing", "first", "second"),
    [
        (
            """
            .......
            .......
            .......
            .......
            .......
            XXXXXX. X""",
            3,
            0,
        ),
        (
            """
            O......
            O......
            O......
            O......
            O......
            OXXX... X""",
            0,
            3,
        ),
        (
            """
            .......
            .......
            ...X...
            ..XO...
            .XOO...
            XOOO... X""",
            1,
            0,
        ),
        (
            """
            .......
            .......
            OXXX...
            XOXX...
            XXOX...
            XXXO... X""",
            1,
            1,
        ),
        (
            """
            .......
            .......
            XXXX...
            XXXX...
            XXXX...
            XXXX... X""",
            10,
            0,
        ),
        (
            """
            ......X
            X.....X
            X.....X
            XX...XX
            OO...OO
            OO...OO X""",
            1,
            0,
        ),
    ],
    ids=["six in a row", "six upwards", "rising", "both diagonals", "a square of sixteen", "not over the edge"],
)
def test_a_line_is_a_set_of_four_consecutive_cells(drawing: str, first: int, second: int) -> None:
    position = board(drawing)
    assert (position.lines("first"), position.lines("second")) == (first, second)


@given(positions((*MOST_LINES, TINY_FULL, Rules(7, 8, 4, "most-lines"))))
def test_lines_are_as_many_as_a_scan_of_all_windows_counts(position: Position) -> None:
    slow, connect = naive.read(str(position)), position.rules.connect
    assert position.lines("first") == naive.count_lines(slow, "X", connect)
    assert position.lines("second") == naive.count_lines(slow, "O", connect)
    assert position.lines("first") == position.mirrored().lines("first")


@given(st.text("XO", min_size=12, max_size=12))
def test_on_a_full_board_whoever_has_more_lines_has_won(discs: str) -> None:
    position = read_position(f"{discs[:4]}/{discs[4:8]}/{discs[8:]} X", SMALL_FULL)
    slow = naive.read(str(position))
    lead = naive.count_lines(slow, "X", 3) - naive.count_lines(slow, "O", 3)
    assert position.result == ("first" if lead > 0 else "second" if lead < 0 else "draw")


@given(positions(MOST_LINES))
def test_before_the_board_is_full_nobody_has_won(position: Position) -> None:
    assert position.result is None
    assert undecided(position) == position


def test_a_full_board_with_as_many_lines_for_either_is_a_draw() -> None:
    position = read_position("XXX/OOO X", Rules(2, 3, 3, "most-lines"))
    assert (position.lines("first"), position.lines("second"), position.result) == (1, 1, "draw")


def test_moves_go_on_after_a_line() -> None:
    position = read_position("12121212", FULL_BOARD)  # by `first-line` the game would have ended with the seventh
    assert (position.lines("first"), position.lines("second"), position.result) == (1, 1, None)
    assert play_moves(position, "1").lines("first") == 2


def test_moves_on_a_full_board_are_refused_whoever_has_won() -> None:
    assert read_position("112233", TINY_FULL).result == "draw"
    with pytest.raises(PositionError) as caught:
        read_position("1122331", TINY_FULL)
    assert str(caught.value) == (
        "move 7 of `1122331` comes after the game has ended (the board is full): leave out what follows."
    )
    won = read_position("XXX/OXO X", TINY_FULL)
    assert won.result == "first"
    with pytest.raises(PositionError) as caught:
        undecided(won)
    assert str(caught.value) == "the game is over here (the board is full): there is no move to choose."


def test_an_evaluator_is_told_that_the_board_is_played_full() -> None:
    assert Position(FULL_BOARD).seen_by("first").rules == BoardRules(6, 7, 4, 1)
    assert Position().seen_by("first").rules == BoardRules(6, 7, 4, 0)


# ── against the naive search ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@given(position=positions(MOST_LINES), order=st.sampled_from(["left", "centre"]), data=st.data())
@settings(max_examples=8 if JIT_DISABLED else 40)
def test_value_move_and_counters_are_those_of_the_naive_search(
    noise: Ready, algorithm: Any, position: Position, order: Any, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 100 if JIT_DISABLED else 700))
    found = search(position, noise(position.rules), Settings(depth, algorithm, order))
    agrees(found, naively(position, algorithm, depth, naive.noise, order))


@pytest.mark.parametrize(
    ("drawing", "score"),
    [
        (
            """
            O.OX
            OXOX
            OXXO X""",
            0,
        ),
        (
            """
            X.OX
            XXOO
            OXXO X""",
            WIN - 1,
        ),
        (
            """
            X.O.
            OOOX
            OXXO X""",
            2 - WIN,
        ),
    ],
    ids=["as many", "mine are more", "theirs are more"],
)
def test_the_last_disc_decides_and_each_ply_before_it_costs_one(noise: Ready, drawing: str, score: float) -> None:
    position = board(drawing, SMALL_FULL)
    found = search(position, noise(SMALL_FULL), Settings(5))
    assert found.score == score
    assert found.counters.evaluated == 0


# ── R1 ───────────────────────────────────────────────────────────────────────────────────────────

R1_BOARD = """
    .......
    .......
    ..XO...
    .XOXO..
    XOXOXO.
    OXOXOX. X"""
R1_TABLE = [  # depth, nodes of minimax, of alpha-beta left to right and from the centre, best column, score
    (1, 8, 8, 8, 4, 99_909),
    (2, 57, 42, 27, 4, -85),
    (3, 398, 200, 101, 3, 99_922),
    (4, 2_747, 873, 323, 3, -90),
    (5, 18_708, 3_374, 1_629, 3, 301),
]


@pytest.mark.parametrize(
    ("depth", "minimax", "left", "centre", "column", "score"), R1_TABLE[: 3 if JIT_DISABLED else None]
)
def test_r1_comes_out_to_the_digit(
    bundled: Bundled, depth: int, minimax: int, left: int, centre: int, column: int, score: float
) -> None:
    expected = {
        Settings(depth, "minimax", "left"): minimax,
        Settings(depth, "minimax", "centre"): minimax,
        Settings(depth, "alphabeta", "left"): left,
        Settings(depth, "alphabeta", "centre"): centre,
    }
    for told, nodes in expected.items():
        found = search(board(R1_BOARD), bundled("lines", FULL_BOARD), told)
        # R1 counts the root as a node.
        assert (found.counters.generated + 1, found.chosen, found.score) == (nodes, column, score), told
