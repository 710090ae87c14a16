"""Results as a notebook shows them: three lines, a table with the sentences above it, and frames of pandas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from importlib import import_module
from typing import Any

from tournament.errors import TourneyError
from tournament.report.digest import digest, headline
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_tables import every_search, study_tables
from tournament.report.summary import sentences
from tournament.report.table import Table, shown_cell
from tournament.report.tables import tables
from tournament.text import nearest

LINE = 100  # letters of a line of the short form


class InNotebook:
    """How results are shown, and their tables handed on."""

    def tables(self) -> list[Table]:
        """Every table of the report but that of the games."""
        if isinstance(self, StudyResults):
            return [*study_tables(self), *every_search(self)]
        assert isinstance(self, Results)
        return tables(self)

    def to_frame(self, table: str) -> Any:
        """The table of that title as a frame of pandas, which has to be installed."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise TourneyError("to_frame makes a frame of pandas: pip install pandas.") from error
        by_title = {one.title: one for one in self.tables()}
        if table not in by_title:
            raise TourneyError(
                f"there is no table `{table}`{nearest(table, by_title)} Known are {', '.join(by_title)}."
            )
        found = by_title[table]
        return pandas.DataFrame(found.in_units, columns=[column.name for column in found.columns])

    def __repr__(self) -> str:
        assert isinstance(self, Results | StudyResults)
        best = sentences(self)[0]
        told = best if len(best) <= LINE else f"{best[:LINE]}…"
        titles = [table.title for table in self.tables()]
        return f"{headline(self)}\n{told}\nto_frame(title): {', '.join(titles[:4])} and {len(titles) - 4} more"

    def _repr_html_(self) -> str:
        assert isinstance(self, Results | StudyResults)
        told = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(self))
        table = digest(self) if isinstance(self, Results) else study_tables(self)[0]
        head = "".join(f"<th>{escape(f'{c.group} ' if c.group else '')}{escape(c.name)}</th>" for c in table.columns)
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{escape(shown_cell(cell, c.kind))}</td>" for cell, c in zip(row, table.columns, strict=True)
            )
            + "</tr>"
            for row in table.rows
        )
        return f"<h4>{escape(headline(self))}</h4>{told}<table><tr>{head}</tr>{rows}</table>"


@dataclass(frozen=True, repr=False)
class TournamentRun(InNotebook, Results):
    """What a tournament says."""


@dataclass(frozen=True, repr=False)
class StudyRun(InNotebook, StudyResults):
    """What a study says."""


def in_notebook(results: Results | StudyResults) -> TournamentRun | StudyRun:
    """The same results, which know how a notebook shows them."""
    values: dict[str, Any] = {field.name: getattr(results, field.name) for field in fields(results) if field.init}
    return TournamentRun(**values) if isinstance(results, Results) else StudyRun(**values)
