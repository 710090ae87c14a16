"""Searches of a study that were made: what each found and took, and the fault that ended them."""

from __future__ import annotations

from typing import NamedTuple

from tournament.engine.result import SearchResult
from tournament.errors import FaultKind, PlayerFault
from tournament.games.connect4 import column_digit


class Measured(NamedTuple):
    """The searches of one position, or of every position of a game."""

    found: tuple[SearchResult, ...] = ()
    landed: tuple[int, ...] = ()  # the columns of the game's discs; of a single position, the one chosen
    begun: int = 0  # the discs on the board before the first search
    fault: str | None = None  # what the evaluator did that ended them
    fault_kind: FaultKind | None = None
    traceback: str | None = None

    @property
    def moves(self) -> str:
        """The columns in which the discs came to rest, as digits."""
        return "".join(map(column_digit, self.landed))

    def blamed(self, fault: PlayerFault) -> Measured:
        """The same searches with what ended them."""
        return self._replace(fault=str(fault), fault_kind=fault.kind, traceback=fault.traceback)
