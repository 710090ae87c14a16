"""A board drawn for the terminal."""

from __future__ import annotations

from rich.text import Text

from tournament.position import Position, column_digit

COLOURS = {"X": "bold red", "O": "bold yellow", ".": "dim"}


def drawn(position: Position) -> Text:
    """The board with its discs, the column numbers below."""
    text = Text()
    for row in position.rows_from_top():
        for disc in row:
            text.append("· " if disc == "." else f"{disc} ", COLOURS[disc])
        text.append("\n")
    text.append(" ".join(column_digit(column) for column in range(position.rules.columns)), "dim")
    return text
