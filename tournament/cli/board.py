"""A board drawn for the terminal."""

from __future__ import annotations

from rich.text import Text

from tournament.games.connect4 import DISC, SEATS, Cell, Position, column_digit

COLOURS = {"X": "bold red", "O": "bold yellow", ".": "dim"}
LETTERS = {"X": "X", "O": "O", ".": "·"}
ROUND = {"X": "●", "O": "○", ".": "·"}  # told apart without colours too
IN_LINE = {"X": "◆", "O": "◇"}
IN_LINE_COLOURS = {"X": "bold white on red", "O": "bold black on yellow"}
LAST = "bold cyan"
FRAME = "blue"


def drawn(position: Position) -> Text:
    """The board with its discs, the column numbers below, and how many lines each side has where most lines win."""
    text = Text()
    for row in position.rows_from_top():
        for disc in row:
            text.append(f"{LETTERS[disc]} ", COLOURS[disc])
        text.append("\n")
    text.append(" ".join(column_digit(column) for column in range(position.rules.columns)), "dim")
    text.append(_lines(position, LETTERS))
    return text


def drawn_discs(position: Position, last: Cell | None = None) -> Text:
    """The board as one plays on it: round discs in a frame, those in a line marked, the last one in brackets."""
    rules = position.rules
    in_line = {cell for seat in SEATS for cell in position.line_cells(seat)}
    text = Text(no_wrap=True)
    for row in reversed(range(rules.rows)):
        text.append("│", FRAME)
        for column in range(rules.columns):
            cell, disc = (row, column), position.disc(row, column)
            text.append("(" if cell == last else ")" if (row, column - 1) == last else " ", LAST)
            if cell in in_line:
                text.append(IN_LINE[disc], IN_LINE_COLOURS[disc])
            else:
                text.append(ROUND[disc], COLOURS[disc])
        text.append(")" if (row, rules.columns - 1) == last else " ", LAST)
        text.append("│\n", FRAME)
    text.append(f"└{'─' * (2 * rules.columns + 1)}┘\n", FRAME)
    text.append("  " + " ".join(column_digit(column) for column in range(rules.columns)), "dim")
    text.append(_lines(position, ROUND))
    return text


def _lines(position: Position, discs: dict[str, str]) -> Text:
    """How many lines each side has, on a line of its own where most lines win; otherwise nothing."""
    text = Text()
    if position.rules.objective == "most-lines":
        text.append("\nlines", "dim")
        for seat in SEATS:
            text.append(f"  {discs[DISC[seat]]} {position.lines(seat)}", COLOURS[DISC[seat]])
    return text
