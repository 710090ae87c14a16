"""The search of the solver, compiled for one board."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

from tournament.engine.jit.clocks import wall_clock
from tournament.engine.jit.specialise import JIT_DISABLED, copy_into, of_words, rebind, specialise
from tournament.games.connect4 import Rules
from tournament.truth import nodes

PARTS = ("winning", "completing", "has_room", "key_of", "settle", "bucket_of", "look_up", "keep", "work_of")


def constants(rows: int, columns: int, connect: int) -> dict[str, Any]:
    """What `nodes` needs to know of a board."""
    board = Rules(rows, columns, connect)

    def every_other_row(first: int, last: int) -> int:
        return sum(board.bottom << row for row in range(first, last, 2))

    middle_first = sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column))
    return {
        "ROWS": rows,
        "COLUMNS": columns,
        "CONNECT": connect,
        "STRIDE": board.stride,
        "CELLS": rows * columns,
        "BITS": board.bits,
        "FULL": board.full,
        "BOTTOM": board.bottom,
        "HALF": board.bits // 2,
        "HIGH_MASK": (1 << board.bits - board.bits // 2) - 1,
        "KEY_MASK": (1 << board.bits) - 1 if board.bits < 64 else -1,
        "LOWER": every_other_row(rows % 2, rows),
        "UPPER": every_other_row(1 - rows % 2, rows),
        "PARITY": (every_other_row(0, rows), every_other_row(1, rows)),
        "COLUMN_CELLS": tuple(board.column(column) for column in middle_first),
        "MIRROR_PLIES": min(22, rows * columns // 2 + 1),
        "TABLE_PLIES": rows * columns - 6,
        "now": time.monotonic if JIT_DISABLED else wall_clock,
    }


@cache
def plain(rows: int, columns: int, connect: int) -> dict[str, Any]:
    """The parts of the search for one board, as Python runs them: on integers, and most on arrays of them."""
    made = {**vars(nodes), **constants(rows, columns, connect)}
    made.update({name: copy_into(made, vars(nodes)[name]) for name in PARTS})
    return made


@cache
def compiled(rows: int, columns: int, connect: int) -> Callable[[int, int, int], int]:
    """`nodes.visit` for one board."""
    made = {**vars(nodes), **constants(rows, columns, connect)}
    made = rebind({name: vars(nodes)[name] for name in PARTS}, made, forceinline=True)
    return specialise(nodes.visit, of_words(3), f"{rows}x{columns}x{connect}", made)
