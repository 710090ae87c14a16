"""How a player, or an algorithm, looks: a colour, a mark and a line that stay with it through a whole report.

The colours stand out from a white and from a dark page alike, by more than 3 to 1; marks and lines tell them apart
where there are no colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

COLOURS = ("#3d7edb", "#cf6a1c", "#22935b", "#a45fd6", "#d64561", "#17929e", "#8a7f1d", "#c552a0")
MARKS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚", "X": "✖", "<": "◀", ">": "▶"}
LINES = ("-", "--", "-.", ":", (0, (7, 2, 1, 2, 1, 2)))


class Style(NamedTuple):
    """A colour, a mark as matplotlib calls it and as a character, and a line's dashes."""

    number: int
    colour: str
    mark: str
    character: str
    line: str | tuple[int, tuple[int, ...]]


class Styles:
    """The style of everybody by name, in the order in which they are named; the same order, the same styles."""

    def __init__(self, names: Iterable[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}

    def __iter__(self) -> Iterator[Style]:
        return map(_style, self._numbers.values())

    def of(self, name: str) -> Style:
        return _style(self._numbers[name])


def _style(number: int) -> Style:
    marks = list(MARKS.items())
    mark, character = marks[number % len(marks)]  # 8 colours and 9 marks: 72 differ
    return Style(number, COLOURS[number % len(COLOURS)], mark, character, LINES[number % len(LINES)])
