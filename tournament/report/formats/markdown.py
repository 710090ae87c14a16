"""report.md: the tables as GitHub's Markdown shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TextIO

from tabulate import tabulate

from tournament.report.drawing import Chart
from tournament.report.report import Report
from tournament.report.table import Table, shown_cell
from tournament.text import storable

CHARTS = "charts"  # the folder
CELL = str.maketrans({"|": r"\|", "\n": " "})
LIVELY = re.compile(r"<(?=[a-z/!?])|(?<=\])[(\[:]|(?<=http):|(?<=https):|(?<=ftp):|(?<=www)\.", re.IGNORECASE)


def write(report: Report, file: TextIO) -> None:
    file.write(markdown(report.results.run.title, report.all_tables, report.charts, report.sentences))


def markdown(title: str, tables: list[Table], charts: Sequence[Chart] = (), sentences: Sequence[str] = ()) -> str:
    """The report as a page: what it says in sentences, then GitHub tables, one section each."""
    parts = [f"# {escaped(title)}\n", *(f"{escaped(sentence)}\n" for sentence in sentences)]
    if charts:
        titles = [re.sub(r"([][])", r"\\\1", storable(chart.title)) for chart in charts]
        links = [f"![{title}]({CHARTS}/{chart.name}.svg)\n" for title, chart in zip(titles, charts, strict=True)]
        parts += ["[As a page](report.html).\n", *links]
    for table in tables:
        parts.append(f"## {escaped(table.title)}\n")
        rows = [
            [
                escaped(shown_cell(cell, column.kind)).translate(CELL)
                for cell, column in zip(row, table.columns, strict=True)
            ]
            for row in table.rows
        ]
        align = ["right" if column.is_number else "left" for column in table.columns]
        headings = [column.name for column in table.columns]
        if rows:
            parts.append(tabulate(rows, headings, tablefmt="pipe", colalign=align, disable_numparse=True) + "\n")
        if table.note:
            parts.append(f"{escaped(table.note)}\n")
    return "\n".join(parts)


def escaped(text: str) -> str:
    """A text in which nothing becomes HTML, a link or a picture: strangers may have written some of it."""
    return LIVELY.sub(lambda found: f"&#{ord(found[0])};", storable(text))
