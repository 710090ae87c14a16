"""How a position is written and read.

As moves, one digit a move, columns from 1:   4435
As a diagram, the top row first:              ......./......./......./...O.../...X.../..XX... O
"""

from __future__ import annotations

import re

from tournament.errors import PositionError
from tournament.games.connect4.position import DISC, Position, Seat
from tournament.games.connect4.rules import STANDARD, Rules
from tournament.text import counted

# One character a column. Boards wider than 35 are one or two rows high; they need the rest.
COLUMN_DIGITS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγ"


SEAT_OF_DISC: dict[str, Seat] = {"X": "first", "O": "second"}


def column_digit(column: int) -> str:
    """How a person writes a column: `1` for the leftmost."""
    return COLUMN_DIGITS[column]


def read_position(text: str, rules: Rules = STANDARD) -> Position:
    """The position that `text` names: moves, a diagram, or `empty`."""
    text = text.strip()
    if text == "empty":
        return Position(rules)
    if not text:
        raise PositionError("there is no position: write moves as digits, a diagram, or `empty`.")
    # On a board one row high a full diagram has neither dots nor slashes.
    is_only_row = rules.rows == 1 and re.fullmatch(rf"[XO]{{{rules.columns}}}( [XO])?", text)
    if "/" in text or "." in text or " " in text or is_only_row:
        return _read_diagram(text, rules)
    return play_moves(Position(rules), text)


def play_moves(position: Position, moves: str) -> Position:
    """The position after `moves` (one digit each), which must all be possible."""
    played = _played(position, moves)
    if played is not None:
        return played
    rules = position.rules
    for number, digit in enumerate(moves, start=1):
        where = f"move {number} of `{moves}`"
        column = COLUMN_DIGITS.find(digit)
        if column < 0:
            raise PositionError(
                f"{where} is {digit!r}, which is no column: write moves as digits from 1, "
                "a diagram with `/` between the rows, or `empty`."
            )
        if column >= rules.columns:
            raise PositionError(
                f"{where} is column `{digit}`, which does not exist: "
                f"the board has columns 1 to {column_digit(rules.columns - 1)}."
            )
        if position.result is not None:
            raise PositionError(
                f"{where} comes after the game has ended ({_how_it_ended(position)}): leave out what follows."
            )
        if not rules.column(column) & ~position.occupied:
            raise PositionError(
                f"{where} goes into column `{digit}`, which is full: "
                f"open columns are {' '.join(map(column_digit, position.open_columns()))}."
            )
        position = position.play(column)
    return position


def _played(position: Position, moves: str) -> Position | None:
    """The position after moves with which nothing is wrong: a game that has ended before one is seen at the last."""
    rules, before = position.rules, position
    for digit in moves:
        before = position
        column = COLUMN_DIGITS.find(digit)
        if not 0 <= column < rules.columns or not rules.column(column) & ~position.occupied:
            return None
        position = position.play(column)
    return position if not moves or before.result is None else None


def _how_it_ended(position: Position) -> str:
    result = position.result
    by_line = result not in (None, "draw") and position.rules.objective == "first-line"
    return f"{DISC[result]} has a line" if by_line and result else "the board is full"


def undecided(position: Position) -> Position:
    """The position itself, or an error where the game is over and there is nothing to search."""
    if position.result is not None:
        raise PositionError(f"the game is over here ({_how_it_ended(position)}): there is no move to choose.")
    return position


def _read_diagram(text: str, rules: Rules) -> Position:
    board, *rest = text.split()
    if "/" not in board and "." not in board and rules.rows > 1:
        raise PositionError(f"`{text}` is neither moves (digits without spaces) nor a diagram (`/` between the rows).")
    if len(rest) > 1 or (rest and rest[0] not in SEAT_OF_DISC):
        raise PositionError(f"the diagram is followed by {' '.join(rest)!r}: the side to move is `X` or `O`.")
    lines = board.split("/")
    if len(lines) != rules.rows:
        raise PositionError(
            f"the diagram has {counted(len(lines), 'row')} and the board {rules.rows}: "
            "write every row, from the top, with `/` between them."
        )
    discs = {"X": 0, "O": 0}
    for from_top, line in enumerate(lines, start=1):
        row = rules.rows - from_top
        if len(line) != rules.columns:
            raise PositionError(
                f"row {from_top} from the top, `{line}`, has {counted(len(line), 'cell')} "
                f"and the board {counted(rules.columns, 'column')}."
            )
        for column, character in enumerate(line):
            if character in discs:
                discs[character] |= rules.cell(row, column)
            elif character != ".":
                raise PositionError(
                    f"row {from_top} from the top, column {column + 1} holds {character!r}: "
                    "a cell is `.`, `X` or `O` (capital letters)."
                )
    _refuse_floating(discs["X"] | discs["O"], rules)
    return Position(rules, discs["X"], discs["O"], SEAT_OF_DISC[rest[0]] if rest else _whose_turn(discs))


def _refuse_floating(occupied: int, rules: Rules) -> None:
    for column in range(rules.columns):
        for row in range(1, rules.rows):
            if occupied & rules.cell(row, column) and not occupied & rules.cell(row - 1, column):
                raise PositionError(
                    f"the disc in row {rules.rows - row} from the top, column {column + 1} floats: "
                    "the cell below it is empty."
                )


def _whose_turn(discs: dict[str, int]) -> Seat:
    ahead = discs["X"].bit_count() - discs["O"].bit_count()
    if ahead not in (0, 1):
        raise PositionError(
            f"X has {counted(discs['X'].bit_count(), 'disc')} and O {discs['O'].bit_count()}, so whose turn it is "
            "can't be told: name the side to move after the diagram, as in `… X`."
        )
    return "second" if ahead else "first"
