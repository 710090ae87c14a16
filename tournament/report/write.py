"""The reports of a run, made from its store alone: report.md, report.html with its charts, results.json, and
games.csv or searches.csv.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tournament.errors import StoreError
from tournament.report import charts as tournament_charts
from tournament.report import study_charts
from tournament.report.charts import GameRecord, Longest
from tournament.report.drawing import MADE_BY, Chart
from tournament.report.files import whole
from tournament.report.formats.csv import CSV_COLUMNS, SEARCH_COLUMNS, game_row, search_rows
from tournament.report.formats.html import study_page, tournament_page
from tournament.report.formats.json import plain_tables
from tournament.report.formats.markdown import CHARTS, markdown
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_tables import every_search, study_tables
from tournament.report.table import Table
from tournament.report.tables import games_table, summary_tables
from tournament.store import Store, StoredGame, StoredRun
from tournament.text import shown

MOST_LISTED = 1000  # games in report.md; games.csv has all of them


def write_reports(store: Store, folder: Path) -> Results | StudyResults:
    """Write every report anew and return what they are made from."""
    run = store.last_run()
    return _write_study(store, run, folder) if run.is_study else _write_tournament(store, run, folder)


def _write_study(store: Store, run: StoredRun, folder: Path) -> StudyResults:
    planned = sum(planned for _, planned in store.progress().values())
    results = StudyResults(run, planned, store.superseded(), list(store.searches()))
    with whole(folder / "searches.csv") as file:
        writer = csv.writer(file)
        writer.writerow(SEARCH_COLUMNS)
        for one in results.found:
            writer.writerows(search_rows(one))
    results.tables = study_tables(results)
    tables = [*results.tables, *every_search(results)]
    charts = study_charts.study_charts(results)
    _write_tables(folder, run.title, tables, charts)
    with whole(folder / "report.html") as file:
        file.write(study_page(results, tables, charts, study_charts.looks_of(results)))
    return results


def _write_tournament(store: Store, run: StoredRun, folder: Path) -> Results:
    """In one pass over the games, since there may be many."""
    planned = sum(planned for _, planned in store.progress().values())
    results = Results(run, store.players(), planned, store.superseded())
    listed: list[StoredGame] = []
    longest = Longest()
    with whole(folder / "games.csv") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        for game in store.games():
            results.add(game)
            longest.add(game)
            writer.writerow(game_row(game))
            if len(listed) < MOST_LISTED:
                listed.append(game)
    results.tables = summary_tables(results)
    games = games_table(listed, results.played)
    told = longest.of_the_best(results)
    charts = tournament_charts.tournament_charts(results, GameRecord(told, store.moves(told.id)) if told else None)
    _write_tables(folder, run.title, [games, *results.tables], charts)
    with whole(folder / "report.html") as file:
        file.write(tournament_page(results, charts, listed, games, tournament_charts.looks_of(results)))
    return results


def _write_tables(folder: Path, title: str, tables: list[Table], charts: list[Chart]) -> None:
    _write_charts(folder / CHARTS, charts)
    with whole(folder / "report.md") as file:
        file.write(markdown(title, tables, charts))
    with whole(folder / "results.json") as file:
        json.dump(plain_tables(tables), file, indent=1, ensure_ascii=False)


def _write_charts(folder: Path, charts: list[Chart]) -> None:
    """The charts, a file each; those that an earlier report has left are deleted, and other files left alone."""
    if charts:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}).") from error
    for chart in charts:
        with whole(folder / f"{chart.name}.svg") as file:
            file.write(chart.svg)
    written = {chart.name for chart in charts}
    for path in folder.glob("*.svg"):
        if path.stem not in written and f'data-made-by="{MADE_BY}"' in path.read_text("utf-8", "replace")[:1000]:
            path.unlink()
