"""report.tex: the tables for a paper, with booktabs, captions and labels; it compiles as it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TextIO

from tournament.report.report import Report
from tournament.report.table import Table, shown_cell

MOST_ROWS = 45  # of one page; a longer table goes on in another
WIDEST_TEXT = 40  # letters of a cell that is one line; longer ones are paragraphs
HEAD = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=20mm]{geometry}
\usepackage{booktabs}
\usepackage{graphicx}
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
    """The table, in several of them where it is long."""
    for start in range(0, len(table.rows), MOST_ROWS):
        cells = [
            [shown_cell(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows[start : start + MOST_ROWS]
        ]
        aligned = "".join(
            "r" if column.is_number else "p{9cm}" if max(len(row[place]) for row in cells) > WIDEST_TEXT else "l"
            for place, column in enumerate(table.columns)
        )
        caption = escaped(table.title) + (" (continued)" if start else f". {escaped(table.note)}" if table.note else "")
        headings = " & ".join(escaped(column.name) for column in table.columns)
        yield (
            f"\n\\begin{{table}}[!htbp]\n\\centering\n\\caption{{{caption}}}\n"
            f"\\label{{tab:{label}{f'-{start // MOST_ROWS + 1}' if start else ''}}}\n"
            f"{FITTED}\n\\begin{{tabular}}{{{aligned}}}\n\\toprule\n{headings} \\\\\n\\midrule\n"
        )
        yield from (f"{' & '.join(map(escaped, row))} \\\\\n" for row in cells)
        yield "\\bottomrule\n\\end{tabular}}\n\\end{table}\n"


def escaped(text: str) -> str:
    """A text as LaTeX prints it; a letter that its fonts lack is the nearest that they have."""
    return "".join(SPECIAL.get(letter) or _printable(letter) for letter in text)


def _printable(letter: str) -> str:
    if letter <= "\u017f":
        return letter if letter.isprintable() else " "
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
