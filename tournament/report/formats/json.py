"""results.json: the summary's sentences and the tables, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from tournament.report.report import Report
from tournament.report.table import Table


def write(report: Report, file: TextIO) -> None:
    json.dump(plain(report.sentences, report.all_tables), file, indent=1, ensure_ascii=False)


def plain(sentences: Sequence[str], tables: Iterable[Table]) -> dict[str, Any]:
    """The report for programs: the sentences under `summary`, and the tables."""
    return {"summary": list(sentences), **plain_tables(tables)}


def plain_tables(tables: Iterable[Table]) -> dict[str, Any]:
    """The tables for programs: raw values, by title."""
    return {
        table.title: {"columns": [column.name for column in table.columns], "rows": table.values} for table in tables
    }
