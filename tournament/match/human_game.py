"""A friendly: a game of a person against a machine, which no table counts, and in which moves can be taken back."""

from __future__ import annotations

import random
from typing import NamedTuple

from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.tree import Explained, explain
from tournament.errors import PositionError
from tournament.games.connect4 import Position, Seat, column_digit, play_moves, undecided
from tournament.match.luck import drifted
from tournament.match.oracle import OracleSide


class Move(NamedTuple):
    """A disc: the position that it was played in, the column chosen, and the one in which it landed."""

    before: Position
    chosen: int
    landed: int
    found: SearchResult | None = None  # what the machine's search found; none where a person chose
    repeating: Settings | None = None  # the settings that repeat that search

    @property
    def row(self) -> int:
        """The row in which it came to rest, from 0 at the bottom."""
        return (self.before.occupied & self.before.rules.column(self.landed)).bit_count()


class HumanGame:
    """A game in which a person has one seat and a search, or the oracle, the other; `seed` decides how discs drift.

    A disc that is taken back and played again drifts as it did before.
    """

    def __init__(self, machine: Searcher | OracleSide, seat: Seat, opening: str = "", *, seed: int = 1) -> None:
        self.machine = machine
        self.seat = seat
        self.opening = opening
        rules = machine.scorer.rules if isinstance(machine, Searcher) else machine.rules
        self.start = undecided(play_moves(Position(rules), opening))
        self.seed = seed
        self.number = 1  # of the games that were begun
        self.made: list[Move] = []

    @property
    def position(self) -> Position:
        """As it stands now."""
        return self.made[-1].before.play(self.made[-1].landed) if self.made else self.start

    @property
    def moves(self) -> str:
        """Every move as digits, the opening included, in the columns in which the discs came to rest."""
        return self.opening + "".join(column_digit(move.landed) for move in self.made)

    @property
    def is_over(self) -> bool:
        return self.position.result is not None

    @property
    def is_machines_turn(self) -> bool:
        return not self.is_over and self.position.to_move != self.seat

    def play(self, column: int) -> Move:
        """The person's move: a disc for this column, which must be one of the board's."""
        position = self._persons_turn()
        if column not in position.open_columns():
            raise PositionError(
                f"column {column_digit(column)} is full: open columns are "
                f"{' '.join(map(column_digit, position.open_columns()))}."
            )
        return self._make(column)

    def answer(self) -> Move:
        """The machine's move. Where its evaluator fails, the game stays as it is."""
        found = self._found(self.position)
        repeating = self.machine.repeating() if isinstance(self.machine, Searcher) else None
        return self._make(found.chosen, found, repeating)

    def hint(self) -> SearchResult:
        """What the machine would play in the person's place; the score is the person's."""
        return self._found(self._persons_turn())

    def _found(self, position: Position) -> SearchResult:
        machine = self.machine
        return machine.search(position) if isinstance(machine, Searcher) else machine.move(position)

    def undo(self) -> list[Move]:
        """The moves taken back, the last first: the person's last one and what came after it."""
        own = [place for place, move in enumerate(self.made) if move.before.to_move == self.seat]
        if not own:
            raise PositionError("there is no move of yours to take back.")
        taken = self.made[own[-1] :]
        del self.made[own[-1] :]
        return taken[::-1]

    def new(self) -> None:
        """Begin again, from the same opening and with other luck."""
        self.made.clear()
        self.number += 1

    def explain(self, plies: int, *, most: int) -> Explained:
        """The machine's last search once more, with its tree down to so many plies, of at most so many nodes."""
        if not isinstance(self.machine, Searcher):
            raise PositionError("perfect play has no tree to show: `hint` says what it would play in your place.")
        for move in reversed(self.made):
            if move.repeating is not None:
                return explain(move.before, self.machine.scorer, move.repeating, plies, most=most)
        raise PositionError("the machine has not moved yet: there is no search to show.")

    def _persons_turn(self) -> Position:
        """The position, where the person is to move."""
        if self.is_over:
            raise PositionError("the game is over: begin a new one, or take back your last move.")
        if self.is_machines_turn:
            raise PositionError("it is the machine's turn: take back your last move, or begin a new game.")
        return self.position

    def _make(self, chosen: int, found: SearchResult | None = None, repeating: Settings | None = None) -> Move:
        position = self.position
        luck = random.Random(f"{self.seed} {self.number} {len(self.made)}")  # of this ply, however often it is played
        move = Move(position, chosen, drifted(position, chosen, luck), found, repeating)
        self.made.append(move)
        return move
