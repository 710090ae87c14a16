"""A position: rules, discs and the side to move, and its two ways of being written.

As moves, one digit a move, columns from 1:   4435
As a diagram, the top row first:              ......./......./......./...O.../...X.../..XX... O
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tournament.bitboard import count_lines, has_line, line_cells, playable
from tournament.errors import PositionError
from tournament.rules import STANDARD, Rules

Seat = Literal["first", "second"]
Result = Literal["first", "second", "draw"]
Cell = tuple[int, int]  # row and column, from the bottom left, both from 0

# One character a column. Boards wider than 35 are one or two rows high; they need the rest.
COLUMN_DIGITS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγ"
DISC = {"first": "X", "second": "O"}
SEAT_OF_DISC: dict[str, Seat] = {"X": "first", "O": "second"}


class BoardRules(NamedTuple):
    """The rules as an evaluator sees them; `most_lines` is 1 where the board is played full, else 0."""

    rows: int
    columns: int
    connect: int
    most_lines: int

    @classmethod
    def of(cls, rules: Rules) -> BoardRules:
        return cls(rules.rows, rules.columns, rules.connect, int(rules.objective == "most-lines"))


class View(NamedTuple):
    """A position as an evaluator sees it: `mine` are the discs of the player that is searching."""

    mine: int
    theirs: int
    my_turn: bool
    rules: BoardRules


@dataclass(frozen=True, slots=True)
class Position:
    """Discs on a board, as bits, and whose turn it is. X moved first, or was named so."""

    rules: Rules = STANDARD
    first: int = 0
    second: int = 0
    to_move: Seat = "first"

    @property
    def occupied(self) -> int:
        return self.first | self.second

    @property
    def mover(self) -> int:
        """The discs of the side to move."""
        return self.first if self.to_move == "first" else self.second

    @property
    def result(self) -> Result | None:
        """Who has won, `draw` on a full board, or None while the game goes on."""
        if self.rules.objective == "most-lines":
            if self.occupied != self.rules.full:
                return None
            lead = self.lines("first") - self.lines("second")
            return "first" if lead > 0 else "second" if lead < 0 else "draw"
        if has_line(self.first, self.rules.stride, self.rules.columns, self.rules.connect):
            return "first"
        if has_line(self.second, self.rules.stride, self.rules.columns, self.rules.connect):
            return "second"
        return "draw" if self.occupied == self.rules.full else None

    def lines(self, seat: Seat) -> int:
        """How many lines a side has: its score where most lines win."""
        bits = self.first if seat == "first" else self.second
        return count_lines(bits, self.rules.stride, self.rules.columns, self.rules.connect)

    def line_cells(self, seat: Seat) -> list[Cell]:
        """The cells in which a side's lines stand, column by column from the left; six in a row are six cells."""
        rules, bits = self.rules, self.first if seat == "first" else self.second
        found = line_cells(bits, rules.stride, rules.columns, rules.connect)
        cells = ((row, column) for column in range(rules.columns) for row in range(rules.rows))
        return [cell for cell in cells if found & rules.cell(*cell)]

    def winning_cells(self) -> list[Cell]:
        """The cells of the winner's lines; none while the game goes on, and none in a draw."""
        result = self.result
        return [] if result is None or result == "draw" else self.line_cells(result)

    def open_columns(self) -> list[int]:
        """The columns that are not full, from 0."""
        cells = playable(self.occupied, self.rules.bottom, self.rules.full)
        return [column for column in range(self.rules.columns) if cells & self.rules.column(column)]

    def play(self, column: int) -> Position:
        """The position after a disc in `column`, which must be open."""
        disc = playable(self.occupied, self.rules.bottom, self.rules.full) & self.rules.column(column)
        if self.to_move == "first":
            return Position(self.rules, self.first | disc, self.second, "second")
        return Position(self.rules, self.first, self.second | disc, "first")

    def outcomes(self, column: int) -> list[tuple[int, float]]:
        """Where a disc may land when `column` is chosen, with the probabilities: the chosen column first."""
        rules = self.rules
        if rules.drift == 1 or rules.drift_players not in ("both", self.to_move):
            return [(column, 1.0)]
        beside = [other for other in (column - 1, column + 1) if other in self.open_columns()]
        if not beside:
            return [(column, 1.0)]
        return [(column, rules.drift), *((other, (1 - rules.drift) / len(beside)) for other in beside)]

    def seen_by(self, seat: Seat) -> View:
        """What an evaluator that searches for `seat` is shown."""
        mine, theirs = (self.first, self.second) if seat == "first" else (self.second, self.first)
        return View(mine, theirs, self.to_move == seat, BoardRules.of(self.rules))

    def mirrored(self) -> Position:
        """The same position with left and right exchanged."""
        return Position(self.rules, self._mirror(self.first), self._mirror(self.second), self.to_move)

    def _mirror(self, bits: int) -> int:
        mirrored = 0
        for column in range(self.rules.columns):
            discs = (bits & self.rules.column(column)) >> column * self.rules.stride
            mirrored |= discs << (self.rules.columns - 1 - column) * self.rules.stride
        return mirrored

    def rows_from_top(self) -> list[str]:
        """The board as text, one string a row, in `.`, `X` and `O`."""
        return [
            "".join(self.disc(row, column) for column in range(self.rules.columns))
            for row in reversed(range(self.rules.rows))
        ]

    def disc(self, row: int, column: int) -> str:
        cell = self.rules.cell(row, column)
        return "X" if self.first & cell else "O" if self.second & cell else "."

    def __str__(self) -> str:
        return "/".join(self.rows_from_top()) + " " + DISC[self.to_move]


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
            f"the diagram has {len(lines)} rows and the board {rules.rows}: "
            "write every row, from the top, with `/` between them."
        )
    discs = {"X": 0, "O": 0}
    for from_top, line in enumerate(lines, start=1):
        row = rules.rows - from_top
        if len(line) != rules.columns:
            raise PositionError(
                f"row {from_top} from the top, `{line}`, has {len(line)} cells and the board {rules.columns} columns."
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
            f"X has {discs['X'].bit_count()} discs and O {discs['O'].bit_count()}, so whose turn it is "
            "can't be told: name the side to move after the diagram, as in `… X`."
        )
    return "second" if ahead else "first"
