"""What a search asks of an evaluator that has been made ready for some rules. `plugins/compiled` makes one."""

from __future__ import annotations

from typing import Protocol

from tournament.errors import EvaluatorFault
from tournament.games.connect4 import Position, Rules, Seat


class Scorer(Protocol):
    """An evaluator, compiled or in Python behind a compiled function."""

    name: str
    rules: Rules
    address: int  # of the function that compiled code calls
    saved: int  # calls answered from memory since the last search began
    reason: str | None  # why it is not compiled
    is_new: bool  # it was compiled now, and not found on disk
    prints: bool  # it may write to standard output

    @property
    def compiled(self) -> bool: ...

    def score(self, position: Position, seat: Seat) -> float:
        """The score of a position for the player in `seat`, as the search gets it."""

    def forget(self) -> None:
        """Start a new search: nothing remembered, no calls saved."""

    def explain(self, error: Exception, mine: int, theirs: int, my_turn: bool) -> EvaluatorFault:
        """What went wrong on a position, with the evaluator's file and line."""
