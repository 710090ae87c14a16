"""How things are said: names that are close, paths as people see them, texts of others made harmless."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
STEERING = re.compile(  # control characters but the tab and the end of a line; what turns the direction of a text
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)

HOUR = 3600
DAY = 24 * HOUR
YEAR = 365 * DAY


def storable(text: str) -> str:
    """A text of somebody else's, without what no file can hold and what would steer a terminal or a page."""
    whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), whole)


def without_addresses(text: str) -> str:
    """A text in which Python names things, the same each time: `<object>`, wherever in memory it lies."""
    return ADDRESS.sub("", text)


def nearest(name: str, names: Iterable[str]) -> str:
    """How a sentence about an unknown name goes on: '; did you mean `x`?' where one is close, else a full stop."""
    close = closest(name, names)
    return f"; did you mean `{close}`?" if close else "."


def closest(name: str, names: Iterable[str]) -> str | None:
    """The one of these names that is most like a name, if any is."""
    import difflib  # late: only a mistake needs it

    return next(iter(difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)), None)


def either(names: Iterable[str]) -> str:
    """Names to choose from, in a sentence: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def shown(path: Path) -> str:
    """A path as messages show it: relative to the current folder where it lies below."""
    with suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return storable(str(path))


def listed(names: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def counted(number: int, what: str) -> str:
    """So many of them: `1 game`, `12 games`, `3 searches`, `2 entries`."""
    if number == 1:
        return f"1 {what}"
    many = f"{what[:-1]}ies" if what.endswith("ry") else what + ("es" if what.endswith("ch") else "s")
    return f"{number:,} {many}"


def long_time(seconds: float) -> str:
    """So long, in words, from minutes on."""
    if seconds < 2 * HOUR:
        return f"{seconds / 60:,.0f} minutes"
    if seconds < 2 * DAY:
        return f"{seconds / HOUR:,.1f} hours"
    if seconds < 2 * YEAR:
        return f"{seconds / DAY:,.0f} days"
    return f"{seconds / YEAR:,.0f} years" if seconds < 1e6 * YEAR else "a million years or more"


def in_plies(number: int | str) -> str:
    return f"{number} {'ply' if str(number) == '1' else 'plies'}"


def error_line(error: BaseException) -> str:
    """An exception in one line."""
    text = error_text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def error_text(error: BaseException) -> str:
    try:
        return f"{' '.join(without_addresses(str(error)).split()):.500}"
    except BaseException:  # making its text may be a fault of its own
        return ""
