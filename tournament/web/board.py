"""A position told to the page: the discs, whose turn it is, what is open, and what to mark."""

from __future__ import annotations

from typing import Any

from tournament.bitboard import directions, lines
from tournament.position import Position

Cell = tuple[int, int]  # row from the bottom and column, from 0


def told_position(position: Position, moves: str | None = None, last: int | None = None) -> dict[str, Any]:
    """What the page draws of a position; `last` is the column of the disc that was played last."""
    result = position.result
    counts = position.rules.objective == "most-lines"
    return {
        "moves": moves,
        "board": board_text(position),
        "to_move": position.to_move,
        "result": result,
        "line": winning_cells(position),
        "lines": {"first": position.lines("first"), "second": position.lines("second")} if counts else None,
        "last": None if last is None else [height(position, last) - 1, last],
        "open": [] if result is not None else position.open_columns(),
    }


def board_text(position: Position) -> str:
    """The rows from the top, with `/` between them."""
    return "/".join(position.rows_from_top())


def height(position: Position, column: int) -> int:
    """How many discs a column holds."""
    return (position.occupied & position.rules.column(column)).bit_count()


def winning_cells(position: Position) -> list[Cell]:
    """The cells of every line that has won; none where the board is played full, since lines are counted there."""
    rules = position.rules
    if rules.objective == "most-lines" or position.result in (None, "draw"):
        return []
    bits = position.first if position.result == "first" else position.second
    won = 0
    for shift in directions(rules.stride):
        if shift == 1 or rules.connect <= rules.columns:
            begins = lines(bits, shift, rules.connect)
            for step in range(rules.connect):
                won |= begins << step * shift
    return [
        (row, column) for column in range(rules.columns) for row in range(rules.rows) if won & rules.cell(row, column)
    ]
