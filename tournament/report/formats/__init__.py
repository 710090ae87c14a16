"""The forms in which a report is written, one file each: one more is a file here and a row in a table below."""

from __future__ import annotations

from tournament.report.formats import csv, html, json, markdown
from tournament.report.report import Write, WriteGames

FORMATS: dict[str, Write] = {  # of every run, by the name of the file
    "report.md": markdown.write,
    "results.json": json.write,
    "report.html": html.write,
}
OF_STUDIES: dict[str, Write] = {"searches.csv": csv.write_searches}
GAME_BY_GAME: dict[str, WriteGames] = {"games.csv": csv.write_games}  # of tournaments, while their games are read
