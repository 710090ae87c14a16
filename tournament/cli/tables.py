"""Tables for the terminal, from the same values as the files, laid out for its width.

Words are never broken where there is room for them: text goes on in the next line, and columns for which there is no
room go on below, beside the first column again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells
from rich.text import Text

from tournament.report.table import Table, in_blocks, stacked

GAP = 2  # between columns
KEPT_WHOLE = 10  # as wide a text as this is not wrapped
LONGEST_WORD = 24  # that widens a column; longer ones, such as paths, are broken


@dataclass
class ShownColumn:
    """A column as it stands on the page: its heading and cells, each of them lines."""

    heading: list[str]
    cells: list[list[str]]
    is_number: bool
    group: str | None
    width: int = 0

    def __post_init__(self) -> None:
        self.width = max(_widest(self.heading), *map(_widest, self.cells), 0)

    @property
    def least(self) -> int:
        """The narrowest it may be."""
        lines = [line for cell in self.cells for line in cell]
        heading = _words(self.heading)
        if self.is_number:
            return self.width if self.group else min(self.width, max(heading, *map(_widest, self.cells)))
        return min(self.width, max(heading, _words(lines), KEPT_WHOLE))


def as_text(table: Table, width: int) -> Text:
    """A table with its title and note, all of its columns; ids of games are left out: report.md has them."""
    text = Text()
    text.append("".join(f"{line}\n" for line in wrapped(table.title, width)), "bold")
    blocks = in_blocks(_columns(table), lambda block: _needed(block) <= width) if table.rows else ()
    for block in blocks:
        _shrunk(block, width)
        text.append("\n")
        text.append_text(_drawn(block, len(table.rows)))
    if table.note:
        text.append("\n" + "\n".join(wrapped(table.note, width)))
    text.rstrip()
    return text


def as_digest(table: Table, width: int) -> Text:
    """A table alone, as many of its columns as there is room for: those of a group together, the first ones."""
    columns = _columns(table)
    while len(columns) > 1 and _shrunk(columns, width) > width:
        del columns[-len(_spans(columns)[-1]) :]
    text = _drawn(columns, len(table.rows))
    text.append("\n".join(wrapped(table.note, width)))
    text.rstrip()
    return text


def wrapped(text: str, width: int) -> list[str]:
    """Lines of whole words, none wider than that but for a word that is itself."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            if line and cell_len(line) + 1 + cell_len(word) > width:
                lines.append(line)
                line = ""
            *full, rest = chop_cells(word, width) if cell_len(word) > width else [word]
            if full:
                lines += full
            line = f"{line} {rest}" if line else rest
        lines.append(line)
    return lines


def _columns(table: Table) -> list[ShownColumn]:
    """The columns that are shown, with those that may stand under others put there."""
    columns = [ShownColumn(*each) for each in stacked(table)]
    for span in _spans(columns):
        span[0].width += max(0, cell_len(span[0].group or "") - _wide(span))
    return columns


def _needed(columns: Sequence[ShownColumn]) -> int:
    """How wide these columns are at least."""
    return sum(column.least for column in columns) + GAP * (len(columns) - 1)


def _wide(columns: Sequence[ShownColumn]) -> int:
    """How wide these columns are."""
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def _shrunk(columns: Sequence[ShownColumn], width: int) -> int:
    """Narrow the widest texts until the columns fit, as far as may be; returns how wide they are together."""
    least = {id(column): column.least for column in columns}
    total = _wide(columns)
    while total > width:
        wide = [column for column in columns if column.width > least[id(column)]]
        if not wide:
            break
        max(wide, key=lambda column: column.width).width -= 1
        total -= 1
    return total


def _drawn(columns: Sequence[ShownColumn], rows: int) -> Text:
    """The grid: headings, a rule, and a row or more lines for each row."""
    text = Text()
    grouped = (" " * GAP).join((span[0].group or "").rjust(_wide(span)) for span in _spans(columns)).rstrip()
    if grouped:
        text.append(f"{grouped}\n", "bold")
    told = [
        [
            part
            for line in column.heading
            for part in (wrapped(line, column.width) if _widest([line]) > column.width else [line])
        ]
        for column in columns
    ]
    height = max(map(len, told))
    headings = [[*[""] * (height - len(heading)), *heading] for heading in told]
    text.append("".join(f"{line}\n" for line in _lines(columns, headings)), "bold")
    text.append(f"{'─' * _wide(columns)}\n", "dim")
    for number in range(rows):
        cells = [
            [part for line in column.cells[number] for part in (wrapped(line, column.width) if line else [""])]
            for column in columns
        ]
        text.append("".join(f"{line}\n" for line in _lines(columns, cells)))
    return text


def _spans(columns: Sequence[ShownColumn]) -> list[list[ShownColumn]]:
    """The columns by what stands above them: those of one group together, others alone."""
    spans: list[list[ShownColumn]] = []
    for column in columns:
        if spans and column.group is not None and spans[-1][0].group == column.group:
            spans[-1].append(column)
        else:
            spans.append([column])
    return spans


def _lines(columns: Sequence[ShownColumn], cells: Sequence[Sequence[str]]) -> list[str]:
    """Cells beside each other, line by line."""
    lines = []
    for number in range(max(map(len, cells))):
        parts = [_padded(cell[number] if number < len(cell) else "", c) for c, cell in zip(columns, cells, strict=True)]
        lines.append((" " * GAP).join(parts).rstrip())
    return lines


def _padded(text: str, column: ShownColumn) -> str:
    space = " " * max(0, column.width - cell_len(text))
    return f"{space}{text}" if column.is_number else f"{text}{space}"


def _words(lines: Sequence[str]) -> int:
    """How wide the longest word is that is not broken."""
    return max((min(cell_len(word), LONGEST_WORD) for line in lines for word in line.split(" ")), default=0)


def _widest(lines: Sequence[str]) -> int:
    return max(map(cell_len, lines), default=0)
