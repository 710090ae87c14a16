"""A position: rules, discs and the side to move, and what an evaluator is shown of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from tournament.games.connect4.bitboard import count_lines, has_line, line_cells, playable
from tournament.games.connect4.rules import STANDARD, Rules

Seat = Literal["first", "second"]
Result = Literal["first", "second", "draw"]
Cell = tuple[int, int]  # row and column, from the bottom left, both from 0
DISC = {"first": "X", "second": "O"}
SEATS: tuple[Seat, Seat] = ("first", "second")


def other_seat(seat: Seat) -> Seat:
    return "second" if seat == "first" else "first"


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
