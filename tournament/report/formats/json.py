"""results.json: the tables for programs."""

from __future__ import annotations

from typing import Any

from tournament.report.table import Table


def plain_tables(tables: list[Table]) -> dict[str, Any]:
    """The tables for programs: raw values, by title."""
    return {table.title: {"columns": [column.name for column in table.columns], "rows": table.rows} for table in tables}
