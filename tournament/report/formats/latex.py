"""report.tex: the tables for a paper, with booktabs, captions and labels; it compiles as it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TextIO

from tournament.report.report import Report
from tournament.report.table import StackedColumn, Table, in_blocks, stacked

MOST_LINES = 45  # of one page; a longer table goes on in another
WIDEST_TABLE = 115  # letters, which can be read on one page; a wider one goes on in another
GAP = 2  # letters between columns
WIDEST_TEXT = 40  # letters of a cell that is one line; longer ones are paragraphs
HEAD = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=20mm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
\setlength{\tabcolsep}{4pt}
\begin{document}
"""
FITTED = r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%"  # as wide as the page at most
SPECIAL = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$",
    "|": "$|$", "–": "--", "—": "---", "−": "$-$", "…": r"\ldots{}", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$",
    "∞": r"$\infty$", "µ": r"$\mu$", "²": "$^2$", "·": r"$\cdot$", "α": r"$\alpha$", "β": r"$\beta$", "≥": r"$\ge$",
    "\u00a0": "~", '"': "''", "`": "`",
}  # fmt: skip


def write(report: Report, file: TextIO) -> None:
    file.write(HEAD)
    file.write(f"\\section*{{{escaped(report.results.run.title)}}}\n")
    file.writelines(f"\n{escaped(sentence)}\n" for sentence in report.sentences)
    taken: set[str] = set()
    for table in report.all_tables:
        label = re.sub(r"[^a-z0-9]+", "-", table.title.lower()).strip("-") or "table"
        while label in taken:
            label += "-"
        taken.add(label)
        file.writelines(_parts(table, label))
    file.write("\\end{document}\n")


def _parts(table: Table, label: str) -> Iterator[str]:
    """The table, in several of them where it is long or wide."""
    number = 0
    lines = max((len(cell) for column in stacked(table) for cell in column.cells), default=1)
    at_once = MOST_LINES // (lines + 1) if lines > 1 else MOST_LINES
    for start in range(0, len(table.rows), at_once):
        part = replace(table, rows=table.rows[start : start + at_once])
        for block in in_blocks(stacked(part), lambda columns: sum(map(_letters, columns)) <= WIDEST_TABLE):
            number += 1
            told = " (continued)" if number > 1 else f". {escaped(table.note)}" if table.note else ""
            yield (
                f"\n\\begin{{table}}[!htbp]\n\\centering\n\\caption{{{escaped(table.title)}{told}}}\n"
                f"\\label{{tab:{label}{f'-{number}' if number > 1 else ''}}}\n{FITTED}\n"
            )
            yield from _tabular(block)
            yield "}\n\\end{table}\n"


def _tabular(columns: Sequence[StackedColumn]) -> Iterator[str]:
    """Columns beside each other; where some stand under others, a little room between the rows."""
    aligned = "".join("r" if column.is_number else "p{9cm}" if _is_long(column) else "l" for column in columns)
    yield f"\\begin{{tabular}}{{{aligned}}}\n\\toprule\n"
    height = max(len(column.heading) for column in columns)
    yield from _lines([["", "", *column.heading][-height:] for column in columns])
    yield "\\midrule\n"
    rows = list(zip(*(column.cells for column in columns), strict=True))
    for number, row in enumerate(rows):
        yield from _lines(row)
        if number < len(rows) - 1 and any(len(cell) > 1 for cell in row):
            yield "\\addlinespace\n"
    yield "\\bottomrule\n\\end{tabular}"


def _lines(cells: Sequence[list[str]]) -> Iterator[str]:
    return (f"{' & '.join(map(escaped, line))} \\\\\n" for line in zip_longest(*cells, fillvalue=""))


def _letters(column: StackedColumn) -> int:
    """About how wide it is."""
    texts = [column.heading, *column.cells]
    return min(WIDEST_TEXT + 20, max(len(line) for text in texts for line in text)) + GAP


def _is_long(column: StackedColumn) -> bool:
    return any(len(line) > WIDEST_TEXT for cell in column.cells for line in cell)


def escaped(text: str) -> str:
    """A text as LaTeX prints it; a letter that its fonts lack is the nearest that they have."""
    return "".join(SPECIAL.get(letter) or _printable(letter) for letter in text)


def _printable(letter: str) -> str:
    if letter <= "\u017f":
        return letter if letter.isprintable() else " "
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
