"""A game that was played: what every search found, where the discs came to rest, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal, NamedTuple

from tournament.engine.result import Counters, SearchResult
from tournament.errors import FaultKind, PlayerFault
from tournament.games.connect4 import Result, Seat, column_digit

Reason = Literal["line", "full board", "most lines", "forfeit"]


class Game(NamedTuple):
    """A finished game: the opening, the moves both sides chose, and how it ended."""

    opening: str
    found: Sequence[SearchResult]
    landed: tuple[int, ...]  # the columns in which the discs came to rest: where nothing drifts, those chosen
    result: Result
    reason: Reason
    fault: str | None = None  # what the side that forfeited did
    begun: int = 0  # the discs on the board before the first move that was chosen
    fault_kind: FaultKind | None = None
    traceback: str | None = None
    output: tuple[str, str] = ("", "")  # what first and second have printed
    forfeit_seconds: float | None = None  # that the move took which was never made, where that is known

    @property
    def moves(self) -> str:
        """Every move as digits, the opening included, in the columns in which the discs came to rest."""
        return self.opening + "".join(map(column_digit, self.landed))

    def blamed(self, fault: PlayerFault) -> Game:
        """The same game with what its loser did."""
        return self._replace(fault=str(fault), fault_kind=fault.kind, traceback=fault.traceback)

    def counters(self, seat: Seat) -> Counters:
        """What one side's searches did, summed over the game."""
        own = (
            found.counters
            for ply, found in enumerate(self.found, start=self.begun)
            if (ply % 2 == 0) == (seat == "first")
        )
        return reduce(Counters.plus, own, Counters())
