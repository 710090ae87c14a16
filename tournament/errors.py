"""What can go wrong, in few names. Every message is whole sentences and ends in what to do about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal


class TourneyError(Exception):
    """A mistake in what we were given. The command line prints it and exits with 2."""


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


CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but the tab and the end of a line


def storable(text: str) -> str:
    """A text of somebody else's, without what no file can hold and what would steer a terminal."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", whole)


FaultKind = Literal[
    "load", "raised", "score", "illegal move", "move time", "game time", "memory", "exit", "signal"
]  # fmt: skip


class PlayerFault(TourneyError):
    """What a player did that loses it the game: how, in a sentence, and the traceback where there is one."""

    def __init__(self, message: str, kind: FaultKind = "raised", traceback: str | None = None) -> None:
        super().__init__(storable(message))
        self.kind = kind
        self.traceback = None if traceback is None else storable(traceback)


class EvaluatorFault(PlayerFault):
    """An evaluator that failed while the search was calling it."""


class BadScore(Exception):
    """Raised by compiled code where a score is not a finite number below a win."""


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def valid_name(name: str, where: str = "") -> str:
    """The name itself, or an error where an evaluator can't be called so."""
    if not NAME.fullmatch(name):
        raise EvaluatorError(
            f"{where}`{name}` can't be a name: use up to 64 letters, digits, `_` and `-`, as in `alice`."
        )
    return name


def nearest(name: str, names: Iterable[str]) -> str:
    """How a sentence about an unknown name goes on: '; did you mean `x`?' where one is close, else a full stop."""
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else "."


def shown(path: Path) -> str:
    """A path as messages show it: relative to the current folder where it lies below."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
