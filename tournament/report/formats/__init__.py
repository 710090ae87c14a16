"""The forms in which a report is written, one file each: one more is a file here and a row in a table below."""

from __future__ import annotations

from tournament.report.formats import csv, html, json, latex, markdown
from tournament.report.report import Write, WriteGames, WriteMoves

FORMATS: dict[str, Write] = {  # of every run, by the name of the file
    "results.json": json.write,
    "report.html": html.write,  # which shows charts after all else is made ready,
    "report.md": markdown.write,  # so that what is drawn elsewhere meanwhile need not be waited for
}
OF_STUDIES: dict[str, Write] = {"searches.csv": csv.write_searches, "grids.csv": csv.write_grids}
OF_TOURNAMENTS: dict[str, Write] = {"openings.csv": csv.write_openings}
GAME_BY_GAME: dict[str, WriteGames] = {"games.csv": csv.write_games}  # of tournaments, while their games are read
MOVE_BY_MOVE: dict[str, WriteMoves] = {"moves.csv": csv.write_moves}  # the same, where this format is asked for by name
ASKED_FOR: dict[str, Write] = {"report.tex": latex.write}  # of every run, where this format is asked for by name
NAMES = {"tex": "latex"}  # of formats that are not called as their files end
WITH_CHARTS = ("html", "md")  # which show them, or link to them


def format_of(file: str) -> str:
    """The name of a format, by which it can be asked for: how its files end, mostly."""
    ending = file.rpartition(".")[2]
    return NAMES.get(ending, ending)


def format_names() -> list[str]:
    """Every format that can be asked for."""
    tables = (FORMATS, ASKED_FOR, OF_STUDIES, OF_TOURNAMENTS, GAME_BY_GAME, MOVE_BY_MOVE)
    return sorted({format_of(file) for table in tables for file in table})
