"""The forms in which a report is written, one file each: one more is a file here and a row in the table below."""

from __future__ import annotations

from tournament.report.formats import csv, html, json, markdown
from tournament.report.report import Write

FORMATS: dict[str, Write] = {  # of every run, by the name of the file
    "report.md": markdown.write,
    "results.json": json.write,
    "report.html": html.write,
}
OF_TOURNAMENTS: dict[str, Write] = {"games.csv": csv.write_games}
OF_STUDIES: dict[str, Write] = {"searches.csv": csv.write_searches}
