"""What can go wrong, in few names. Every message is whole sentences and ends in what to do about it."""

from __future__ import annotations

import re
from typing import Literal

from tournament.text import storable


class TourneyError(Exception):
    """A mistake in what we were given. The command line prints it and exits with 2."""

    def __init__(self, message: str = "") -> None:
        super().__init__(storable(message))  # which may name files, and quote what is in them


class RulesError(TourneyError):
    """Rules that no board can have."""


class ConfigError(TourneyError):
    """A config with mistakes, all of them: one line each."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(sorted(mistakes, key=_line_number)))


def _line_number(mistake: str) -> int:
    found = re.match(r"[^:]*:(\d+):", mistake)
    return int(found[1]) if found else 0


class StoreError(TourneyError):
    """A store that can't be opened, written or read."""


class OpeningError(TourneyError):
    """Openings that are not there, or that can't be played."""


class PositionError(TourneyError):
    """Text that is not a position, or a move that can't be played."""


class EvaluatorError(TourneyError):
    """An evaluator that can't be found, read or called as it is written."""


FaultKind = Literal[
    "load", "raised", "score", "illegal move", "move time", "game time", "memory", "exit", "signal"
]  # fmt: skip


class PlayerFault(TourneyError):
    """What a player did that loses it the game: how, in a sentence, and the traceback where there is one."""

    def __init__(self, message: str, kind: FaultKind = "raised", traceback: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.traceback = None if traceback is None else storable(traceback)


class EvaluatorFault(PlayerFault):
    """An evaluator that failed while the search was calling it."""


class BadScore(Exception):
    """Raised by compiled code where a score is not a finite number below a win."""
