"""A board drawn for the terminal."""

from __future__ import annotations

from rich.text import Text

from tournament.position import DISC, Position, Seat, column_digit

SEATS: tuple[Seat, Seat] = ("first", "second")
COLOURS = {"X": "bold red", "O": "bold yellow", ".": "dim"}


def drawn(position: Position) -> Text:
    """The board with its discs, the column numbers below, and how many lines each side has where most lines win."""
    text = Text()
    for row in position.rows_from_top():
        for disc in row:
            text.append("· " if disc == "." else f"{disc} ", COLOURS[disc])
        text.append("\n")
    text.append(" ".join(column_digit(column) for column in range(position.rules.columns)), "dim")
    if position.rules.objective == "most-lines":
        text.append("\nlines", "dim")
        for seat in SEATS:
            text.append(f"  {DISC[seat]} {position.lines(seat)}", COLOURS[DISC[seat]])
    return text
