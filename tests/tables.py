"""Tables as tests look at them: rows by their headings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_tables import study_tables
from tournament.report.table import Table
from tournament.report.tables import tables


def records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table, each by its headings."""
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.values]


def tables_of(results: Results | StudyResults) -> list[Table]:
    """The tables of the report."""
    return tables(results) if isinstance(results, Results) else study_tables(results)


def table_of(results: Results | StudyResults, title: str) -> list[dict[str, Any]]:
    (table,) = [table for table in tables_of(results) if table.title == title]
    return records(table)


def in_json(folder: Path, title: str) -> list[dict[str, Any]]:
    table = json.loads((folder / "results.json").read_text())[title]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
