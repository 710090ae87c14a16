"""The referee runs one game: asks each side for its move, keeps the record, says who won."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tournament.errors import EvaluatorFault
from tournament.position import Position, Result, Seat, column_digit, play_moves, undecided
from tournament.search import Counters, Found, Searcher

Reason = Literal["line", "full board", "forfeit"]


class Game(NamedTuple):
    """A finished game: the opening, the moves both sides chose, and how it ended."""

    opening: str
    found: tuple[Found, ...]
    result: Result
    reason: Reason
    fault: str | None = None  # what the side that forfeited did

    @property
    def moves(self) -> str:
        """Every move as digits, the opening included."""
        return self.opening + "".join(column_digit(found.column) for found in self.found)

    def counters(self, seat: Seat) -> Counters:
        """What one side's searches did, summed over the game."""
        own = [
            found.counters
            for ply, found in enumerate(self.found, start=len(self.opening))
            if (ply % 2 == 0) == (seat == "first")
        ]
        return Counters(*map(sum, zip(*own, strict=True))) if own else Counters(0, 0, 0, 0)


def play(first: Searcher, second: Searcher, opening: str = "") -> Game:
    """The game that two searches play from an opening. An evaluator that fails forfeits it."""
    position = undecided(play_moves(Position(first.scorer.rules), opening))
    record: list[Found] = []
    while position.result is None:
        mover = position.to_move
        try:
            found = (first if mover == "first" else second).search(position)
        except EvaluatorFault as fault:
            winner: Seat = "second" if mover == "first" else "first"
            return Game(opening, tuple(record), winner, "forfeit", str(fault))
        record.append(found)
        position = position.play(found.column)
    reason: Reason = "full board" if position.result == "draw" else "line"
    return Game(opening, tuple(record), position.result, reason)
