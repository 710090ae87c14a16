"""What an evaluator may ask for by name, made from a position: in Python, and in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.games.connect4.position import View

PARAMETERS: dict[str, Callable[[View], Any]] = {  # what an evaluator may ask for
    "board": lambda view: _read_only_board(view),
    "mine": lambda view: view.mine,
    "theirs": lambda view: view.theirs,
    "my_turn": lambda view: view.my_turn,
    "rules": lambda view: view.rules,
    "position": lambda view: view,
}


def make_board(mine: int, theirs: int, rows: int, columns: int) -> NDArray[np.int64]:
    """The grid of a position: 1 mine, -1 theirs, 0 empty, row 0 at the bottom."""
    board = np.zeros((rows, columns), np.int64)
    for column in range(columns):
        for row in range(rows):
            if (mine & 1) != 0:
                board[row, column] = 1
            if (theirs & 1) != 0:
                board[row, column] = -1
            mine = mine >> 1
            theirs = theirs >> 1
        mine = mine >> 1
        theirs = theirs >> 1
    return board


def _read_only_board(view: View) -> NDArray[np.int64]:
    board = make_board(view.mine, view.theirs, view.rules.rows, view.rules.columns)
    board.flags.writeable = False
    return board


# How compiled code makes the same from the bits that the search has.
MADE_BY = {
    "board": "read_only(make_board(mine, theirs, rules.rows, rules.columns))",
    "mine": "mine",
    "theirs": "theirs",
    "my_turn": "my_turn",
    "rules": "rules",
    "position": "View(mine, theirs, my_turn, rules)",
}
