"""Tables for the terminal, from the same values as the files."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from tournament.report.table import Cell, Column, Table, shown_cell


def as_rich(table: Table) -> Group:
    """The table and its note, each column that may stand under another put there, so that it fits a page.

    Ids of games are left out: they are in report.md and games.csv.
    """
    below = {column.under: index for index, column in enumerate(table.columns) if column.under}
    grid = RichTable(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=table.title, title_style="bold", title_justify="left")
    shown = [
        (index, column) for index, column in enumerate(table.columns) if not column.under and column.kind != "game"
    ]
    for _, column in shown:
        number = column.is_number
        grid.add_column(Text(_heading(column)), justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in table.rows:
        grid.add_row(*(_cell(table, row, index, below.get(column.name)) for index, column in shown))
    return Group(grid, Text(table.note)) if table.note else Group(grid)


def _heading(column: Column) -> str:
    """A heading on two lines where it has two words, so that columns are as narrow as their numbers."""
    return column.stacked or "\n".join(column.name.rsplit(" ", 1))


def _cell(table: Table, row: tuple[Cell, ...], *indices: int | None) -> Text:
    shown = [shown_cell(row[index], table.columns[index].kind) for index in indices if index is not None]
    return Text("\n".join(shown))
