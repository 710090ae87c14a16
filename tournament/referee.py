"""The referee runs one game: asks each side for its move, keeps the record, says who won."""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from tournament.errors import EvaluatorFault
from tournament.position import Position, Result, Seat, column_digit, play_moves, undecided
from tournament.search import Counters, Found, Searcher

Reason = Literal["line", "full board", "most lines", "forfeit", "studied"]


class Game(NamedTuple):
    """A finished game: the opening, the moves both sides chose, and how it ended."""

    opening: str
    found: tuple[Found, ...]
    landed: tuple[int, ...]  # the columns in which the discs came to rest: where nothing drifts, those chosen
    result: Result | None  # None: a study
    reason: Reason
    fault: str | None = None  # what the side that forfeited did
    begun: int = 0  # the discs on the board before the first move that was chosen

    @property
    def moves(self) -> str:
        """Every move as digits, the opening included, in the columns in which the discs came to rest."""
        return self.opening + "".join(map(column_digit, self.landed))

    def counters(self, seat: Seat) -> Counters:
        """What one side's searches did, summed over the game."""
        own = [
            found.counters
            for ply, found in enumerate(self.found, start=self.begun)
            if (ply % 2 == 0) == (seat == "first")
        ]
        return Counters(*map(sum, zip(*own, strict=True))) if own else Counters(0, 0, 0, 0)


def play(first: Searcher, second: Searcher, opening: str = "", seed: int = 1) -> Game:
    """The game that two searches play from an opening. An evaluator that fails forfeits it.

    Where discs drift, the seed and the opening decide how: a pair has the same luck in both of its games.
    """
    position = undecided(play_moves(Position(first.scorer.rules), opening))
    luck = random.Random(f"{seed} {opening}")
    record: list[Found] = []
    landed: list[int] = []
    while position.result is None:
        mover = position.to_move
        try:
            found = (first if mover == "first" else second).search(position)
        except EvaluatorFault as fault:
            winner: Seat = "second" if mover == "first" else "first"
            return Game(opening, tuple(record), tuple(landed), winner, "forfeit", str(fault), begun=len(opening))
        record.append(found)
        landed.append(drifted(position, found.column, luck))
        position = position.play(landed[-1])
    by_lines = position.rules.objective == "most-lines"
    reason: Reason = "full board" if position.result == "draw" else "most lines" if by_lines else "line"
    return Game(opening, tuple(record), tuple(landed), position.result, reason, begun=len(opening))


def drifted(position: Position, column: int, luck: random.Random) -> int:
    """Where a disc for `column` comes to rest; every ply takes one draw, so that luck depends on the ply alone."""
    columns, likely = zip(*position.outcomes(column), strict=True)
    return int(luck.choices(columns, likely)[0])
