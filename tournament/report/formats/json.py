"""results.json: the tables for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from tournament.report.report import Report
from tournament.report.table import Table


def write(report: Report, file: TextIO) -> None:
    json.dump(plain_tables(report.all_tables), file, indent=1, ensure_ascii=False)


def plain_tables(tables: Iterable[Table]) -> dict[str, Any]:
    """The tables for programs: raw values, by title."""
    return {
        table.title: {"columns": [column.name for column in table.columns], "rows": table.values} for table in tables
    }
