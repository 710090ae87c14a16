"""Tables as tests look at them: rows by their headings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tournament.report.study import StudyResults
from tournament.report.table import Table


def records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table, each by its headings."""
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def table_of(results: StudyResults, title: str) -> list[dict[str, Any]]:
    (table,) = [table for table in results.tables if table.title == title]
    return records(table)


def in_json(folder: Path, title: str) -> list[dict[str, Any]]:
    table = json.loads((folder / "results.json").read_text())[title]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
