"""Texts that are no position: what is refused, and how."""

from __future__ import annotations

import pytest
from strategies import STANDARD, TINY
from test_position import COMPLEX

from tournament.errors import PositionError, RulesError
from tournament.games.connect4 import Rules, play_moves, read_position, undecided

# ── what is refused, and how ─────────────────────────────────────────────────────────────────────

REST = "/......./......./......./......."  # the rows of an empty board below its top row and above its bottom row

IMPOSSIBLE = {
    "a column that does not exist": (
        "448",
        STANDARD,
        "move 3 of `448` is column `8`, which does not exist: the board has columns 1 to 7.",
    ),
    "a letter that is no column here": (
        "9ab",
        Rules(5, 10, 4),
        "move 3 of `9ab` is column `b`, which does not exist: the board has columns 1 to a.",
    ),
    "column 0": (
        "40",
        STANDARD,
        "move 2 of `40` is '0', which is no column: write moves as digits from 1, a diagram with `/` between the "
        "rows, or `empty`.",
    ),
    "neither moves nor a diagram": (
        "4-4",
        STANDARD,
        "move 2 of `4-4` is '-', which is no column: write moves as digits from 1, a diagram with `/` between the "
        "rows, or `empty`.",
    ),
    "a full column": (
        "4444444",
        STANDARD,
        "move 7 of `4444444` goes into column `4`, which is full: open columns are 1 2 3 5 6 7.",
    ),
    "moves after a line": (
        "12121213",
        STANDARD,
        "move 8 of `12121213` comes after the game has ended (X has a line): leave out what follows.",
    ),
    "moves after a line of O": (
        "121212321",
        STANDARD,
        "move 9 of `121212321` comes after the game has ended (O has a line): leave out what follows.",
    ),
    "moves on a full board": (
        "1231231",
        Rules(2, 3, 3),
        "move 7 of `1231231` comes after the game has ended (the board is full): leave out what follows.",
    ),
    "too few rows": (
        "......./...X...",
        STANDARD,
        "the diagram has 2 rows and the board 6: write every row, from the top, with `/` between them.",
    ),
    "too many rows": (
        ".../.../...",
        TINY,
        "the diagram has 3 rows and the board 2: write every row, from the top, with `/` between them.",
    ),
    "a short row": (
        f"......{REST}/.......",
        STANDARD,
        "row 1 from the top, `......`, has 6 cells and the board 7 columns.",
    ),
    "a long row": (
        f".......{REST}/...XO...",
        STANDARD,
        "row 6 from the top, `...XO...`, has 8 cells and the board 7 columns.",
    ),
    "a small letter": (
        f".......{REST}/..xO...",
        STANDARD,
        "row 6 from the top, column 3 holds 'x': a cell is `.`, `X` or `O` (capital letters).",
    ),
    "an alien character": (
        f".......{REST}/...XO.#",
        STANDARD,
        "row 6 from the top, column 7 holds '#': a cell is `.`, `X` or `O` (capital letters).",
    ),
    "a floating disc": (
        ".......{}/...X...".format(REST.replace("/.......", "/O......", 1)),
        STANDARD,
        "the disc in row 2 from the top, column 1 floats: the cell below it is empty.",
    ),
    "an unknown side": (
        f".......{REST}/...X... Z",
        STANDARD,
        "the diagram is followed by 'Z': the side to move is `X` or `O`.",
    ),
    "two sides": (
        f".......{REST}/...X... X O",
        STANDARD,
        "the diagram is followed by 'X O': the side to move is `X` or `O`.",
    ),
    "an unclear side, O ahead": (
        f".......{REST}/...O...",
        STANDARD,
        "X has 0 discs and O 1, so whose turn it is can't be told: name the side to move after the diagram, "
        "as in `… X`.",
    ),
    "an unclear side, X two ahead": (
        f".......{REST}/..XX...",
        STANDARD,
        "X has 2 discs and O 0, so whose turn it is can't be told: name the side to move after the diagram, "
        "as in `… X`.",
    ),
}


@pytest.mark.parametrize(("text", "rules", "sentence"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_position_gets_one_sentence_that_says_where(text: str, rules: Rules, sentence: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_position(text, rules)
    assert str(caught.value) == sentence


IMPOSSIBLE_RULES = {
    "too large": ((11, 11, 4), "a board of 11×11 needs 132 bits: (rows + 1) × columns must be at most 128."),
    "no rows": ((0, 7, 4), "a board of 0×7 has no cells: rows and columns must be at least 1."),
    "no columns": ((6, 0, 4), "a board of 6×0 has no cells: rows and columns must be at least 1."),
    "too short a line": ((6, 7, 1), "connect is 1: a line has at least 2 discs."),
    "too long a line": (
        (6, 7, 8),
        "connect is 8, but no line of a board of 6×7 is longer than 7: choose a smaller connect or a larger board.",
    ),
}


@pytest.mark.parametrize(("numbers", "sentence"), IMPOSSIBLE_RULES.values(), ids=IMPOSSIBLE_RULES)
def test_impossible_rules_get_one_sentence_that_says_why(numbers: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(*numbers)
    assert str(caught.value) == sentence


def test_the_largest_boards_are_allowed() -> None:
    assert Rules(7, 16, 16).bits == Rules(127, 1, 127).bits == Rules(1, 64, 64).bits == 128


def test_moves_can_go_on_from_a_diagram() -> None:
    position = play_moves(read_position(f"{COMPLEX} O"), "3")
    assert position == read_position(f"{COMPLEX} O").play(2)


@pytest.mark.parametrize(
    ("moves", "why"), [("1212121", r"\(X has a line\)"), ("12121232", r"\(O has a line\)")], ids=["X", "O"]
)
def test_there_is_no_move_to_choose_where_the_game_is_over(moves: str, why: str) -> None:
    with pytest.raises(PositionError, match=f"^the game is over here {why}: there is no move to choose"):
        undecided(read_position(moves))
    assert undecided(read_position(moves[:-1])) == read_position(moves[:-1])
