"""A table: values in rows and columns, ready to be shown in any form, and how one value is shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tournament.engine.values import shown_score

Kind = Literal[
    "text", "game", "count", "points", "seconds", "precise", "millis", "micros", "ratio", "percent", "score",
    "interval", "elo", "p", "bytes",
]  # fmt: skip


@dataclass(frozen=True)
class Name:
    """A player or an algorithm in a cell: the text there, and whose style it is shown in."""

    text: str
    of: str


@dataclass(frozen=True)
class Figure:
    """A number in a column of figures that are not all of one kind."""

    value: float | None
    kind: Kind


Value = str | int | float | tuple[float, float] | None
Cell = Value | Name | Figure


class Column(NamedTuple):
    """A heading, and how its cells are to be shown: those of the kind `game` are ids of games that may be linked.

    On a narrow page a column may stand `under` the one with that heading, which then has its `stacked` heading.
    """

    name: str
    kind: Kind = "text"
    under: str | None = None
    stacked: str | None = None

    @property
    def is_number(self) -> bool:
        return self.kind not in ("text", "game")


@dataclass(frozen=True)
class Table:
    """Values in rows and columns, ready to be shown in any form."""

    title: str
    columns: tuple[Column, ...]
    rows: list[tuple[Cell, ...]]
    note: str = ""

    @property
    def values(self) -> list[tuple[Value, ...]]:
        """The rows as programs read them: a name is its text."""
        return [tuple(map(_value, row)) for row in self.rows]


def _value(cell: Cell) -> Value:
    match cell:
        case Name():
            return cell.text
        case Figure():
            return cell.value
    return cell


def shown_cell(cell: Cell, kind: Kind) -> str:
    """A value as people read it; the same on a terminal and in a file."""
    match cell:
        case None:
            return "–"
        case (low, high):
            return f"{_elo(low)} to {_elo(high)}" if kind == "elo" else f"{100 * low:.0f}–{100 * high:.0f} %"
        case str():
            return cell
        case Name():
            return cell.text
        case Figure():
            return shown_cell(cell.value, cell.kind)
    match kind:
        case "count":
            return f"{cell:,}"
        case "elo":
            return _elo(cell)
        case "p":
            return f"{cell:.2g}" if cell >= 0.0001 else "< 0.0001"
        case "bytes":
            if cell < 2**10:
                return f"{cell:,.0f} bytes"
            return f"{cell / 2**20:,.1f} MB" if cell >= 2**20 else f"{cell / 2**10:,.1f} kB"
        case "score":
            return shown_score(cell)
        case "points":
            return f"{cell:g}"
        case "seconds":
            return f"{cell:.3f}"
        case "precise":
            return f"{cell:.3f}" if cell >= 1 else f"{cell:.6f}"
        case "millis":
            return f"{1e3 * cell:.3f}"
        case "micros":
            return f"{1e6 * cell:.3f}"
        case "percent":
            return f"{100 * cell:.1f} %"
        case "ratio":
            return f"{cell:,.2f}" if cell < 100 else f"{cell:,.0f}"
    return str(cell)


def _elo(value: float) -> str:
    if math.isnan(value):
        return "—"
    return f"{round(value):+d}" if math.isfinite(value) else "+∞" if value > 0 else "−∞"
