"""A table: values in rows and columns, ready to be shown in any form, and how one value is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

from tournament.engine.values import shown_score
from tournament.text import storable

Kind = Literal[
    "text", "game", "count", "rounded", "points", "seconds", "precise", "millis", "micros", "ratio", "percent", "score",
    "interval", "elo", "p", "bytes",
]  # fmt: skip


MOST_KEYS = 3  # columns by which rows are known
UNIT: dict[Kind, float] = {"millis": 1e3, "micros": 1e6}  # of the heading, where the value is in seconds
UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


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

    On a narrow page a column may stand `under` the one with that heading, which then has its `stacked` heading. One
    that is `kept` stays in view where the others scroll.
    """

    name: str
    kind: Kind = "text"
    under: str | None = None
    stacked: str | None = None
    kept: bool = False
    group: str | None = None  # what stands above this heading and its neighbours of the same group

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
    fold: str = ""  # of several with one name here, more than a few are shown only when they are asked for

    @property
    def values(self) -> list[tuple[Value, ...]]:
        """The rows as results.json has them: a name is its text, and every time is in seconds."""
        return [tuple(map(_value, row)) for row in self.rows]

    @property
    def in_units(self) -> list[tuple[Value, ...]]:
        """The same with times in the unit that their heading names."""
        kinds = [column.kind for column in self.columns]
        return [tuple(map(_in_unit, row, kinds)) for row in self.rows]


class StackedColumn(NamedTuple):
    """A column where there is little room: its heading and each of its cells in as many lines as it needs."""

    heading: list[str]
    cells: list[list[str]]
    is_number: bool
    group: str | None


def stacked(table: Table) -> list[StackedColumn]:
    """The columns that are shown where there is little room: some under others, and without the ids of games."""
    below = {column.under: index for index, column in enumerate(table.columns) if column.under}
    columns = []
    for index, column in enumerate(table.columns):
        if column.under or column.kind == "game":
            continue
        own = [index, *([below[column.name]] if column.name in below else [])]
        cells = [[shown_cell(row[each], table.columns[each].kind) for each in own] for row in table.rows]
        # A heading of two words stands on two lines, so that columns are as narrow as their numbers.
        heading = column.stacked.split("\n") if column.stacked else column.name.rsplit(" ", 1)
        columns.append(StackedColumn(heading, cells, column.is_number, column.group))
    return columns


class Placed(Protocol):
    """A column, as far as blocks ask."""

    @property
    def is_number(self) -> bool: ...

    @property
    def cells(self) -> list[list[str]]: ...


C = TypeVar("C", bound=Placed)


def in_blocks(columns: Sequence[C], fits: Callable[[Sequence[C]], bool]) -> Iterator[list[C]]:
    """The columns in blocks that fit, each with the first columns, by which its rows are known."""
    keys = columns[: _keys(columns)]
    if not fits(keys):
        keys = columns[:1]
    block = [*keys]
    for column in columns[len(keys) :]:
        if len(block) > len(keys) and not fits([*block, column]):
            yield block
            block = [*keys]
        block.append(column)
    yield block


def _keys(columns: Sequence[Placed]) -> int:
    """How many of the first columns tell the rows apart: up to the last text of them, before what is counted."""
    leading = columns[:MOST_KEYS]
    most = max((place for place, column in enumerate(leading, 1) if not column.is_number), default=1)
    rows = len(columns[0].cells)
    for count in range(1, most):
        if len({str([column.cells[row] for column in columns[:count]]) for row in range(rows)}) == rows:
            return count
    return most


def _value(cell: Cell) -> Value:
    match cell:
        case Name():
            return cell.text
        case Figure():
            return cell.value
    return cell


def _in_unit(cell: Cell, kind: Kind) -> Value:
    value, unit = _value(cell), UNIT.get(cell.kind if isinstance(cell, Figure) else kind)
    return value * unit if unit is not None and isinstance(value, int | float) else value


def shown_cell(cell: Cell, kind: Kind) -> str:
    """A value as people read it; the same on a terminal and in a file."""
    match cell:
        case None:
            return "–"
        case (low, high):
            return f"{_elo(low)} to {_elo(high)}" if kind == "elo" else f"{100 * low:.0f}–{100 * high:.0f} %"
        case str():
            return storable(cell)
        case Name():
            return storable(cell.text)
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
            if cell < 2**20:
                return f"{cell / 2**10:.1f} kB" if cell < 100 * 2**10 else f"{cell / 2**10:,.0f} kB"
            return f"{cell / 2**20:,.1f} MB"
        case "score":
            return shown_score(cell)
        case "points":
            return f"{cell:,.12g}"
        case "rounded":
            return _rounded(cell)
        case "seconds" | "precise":
            return _significant(cell)
        case "millis":
            return _significant(UNIT[kind] * cell)
        case "micros":
            return f"{UNIT[kind] * cell:.3f}"
        case "percent":
            return f"{100 * cell:.1f} %"
        case "ratio":
            return f"{cell:,.2f}" if cell < 100 else f"{cell:,.0f}"
    return str(cell)


def _significant(value: float) -> str:
    """With three digits that say something, but no more than a millionth, or one of them; whole from a hundred on."""
    if not value:
        return "0"
    size = math.floor(math.log10(value))
    return f"{value:,.{min(max(6, -size), max(0, 2 - size))}f}"


def _rounded(count: float) -> str:
    """A count in a few letters: `1,278`, `26 k`, `5.2 M`."""
    if count < 10_000:
        return f"{count:,.0f}"
    size, unit = next((size, unit) for size, unit in UNITS if count >= 0.9995 * size)
    return f"{count / size:,.{0 if count >= 9.95 * size else 1}f} {unit}"


def _elo(value: float) -> str:
    if math.isnan(value):
        return "—"
    return f"{round(value):+d}" if math.isfinite(value) else "+∞" if value > 0 else "−∞"
