"""Tables for the terminal, from the same values as the files."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable
from rich.text import Text

from tournament.report import shown_cell
from tournament.results import Cell, Table


def as_rich(table: Table) -> RichTable:
    """The table, each column that may stand under another put there, so that it fits a page."""
    below = {column.under: index for index, column in enumerate(table.columns) if column.under}
    grid = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=table.title, title_style="bold", title_justify="left")
    grid.caption, grid.caption_justify = Text(table.note) if table.note else None, "left"
    shown = [(index, column) for index, column in enumerate(table.columns) if not column.under]
    for _, column in shown:
        number = column.kind != "text"
        heading = Text(_heading(column.name, stacked=column.name in below))
        grid.add_column(heading, justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in table.rows:
        grid.add_row(*(_cell(table, row, index, below.get(column.name)) for index, column in shown))
    return grid


def _heading(name: str, *, stacked: bool) -> str:
    """A heading on two lines where it has two words, so that columns are as narrow as their numbers."""
    if stacked:
        return "first\nsecond" if name == "first" else name.removeprefix("first ")
    return "\n".join(name.rsplit(" ", 1))


def _cell(table: Table, row: tuple[Cell, ...], *indices: int | None) -> Text:
    shown = [shown_cell(row[index], table.columns[index].kind) for index in indices if index is not None]
    return Text("\n".join(shown))
