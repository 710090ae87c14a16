"""A position told to the page: the discs, whose turn it is, what is open, and what to mark."""

from __future__ import annotations

from typing import Any

from tournament.games.connect4.position import Position


def told_position(position: Position, moves: str | None = None, last: int | None = None) -> dict[str, Any]:
    """What the page draws of a position; `last` is the column of the disc that was played last.

    `line` has the cells that decide: of the winner's lines, or, where lines are counted, of everybody's.
    """
    result = position.result
    counts = position.rules.objective == "most-lines"
    return {
        "moves": moves,
        "board": board_text(position),
        "to_move": position.to_move,
        "result": result,
        "line": position.line_cells("first") + position.line_cells("second") if counts else position.winning_cells(),
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
