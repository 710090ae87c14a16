"""The reports of a run, made from its store alone: report.md, report.html with its charts, results.json, and
games.csv or searches.csv.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from tabulate import tabulate

from tournament import charts as tournament_charts
from tournament import study_charts
from tournament.chart import MADE_BY, Chart
from tournament.charts import GameRecord, Longest
from tournament.errors import StoreError
from tournament.games.connect4 import column_digit
from tournament.html_report import study_page, tournament_page
from tournament.results import Results, games_table, summary_tables
from tournament.store import Cost, Store, StoredGame, StoredPlayer, StoredRun, StoredSearches
from tournament.study_results import StudyResults, every_search, study_tables
from tournament.table import Kind, Table, shown_cell
from tournament.text import shown

CHARTS = "charts"  # the folder
MOST_LISTED = 1000  # games in report.md; games.csv has all of them
LEFT: set[Kind] = {"text"}

COUNTED = ("generated", "expanded", "evaluated", "cutoffs", "seconds")
CSV_COLUMNS = (
    *("game", "first", "first_depth", "second", "second_depth", "opening", "seed"),
    *("result", "reason", "plies", "moves", "distinct"),
    *(f"{seat}_{name}" for seat in ("first", "second") for name in COUNTED),
    *("first_cpu_seconds", "second_cpu_seconds"),
    *("fault", "fault_message"),
)


SEARCH_COLUMNS = (
    *("part", "rows", "columns", "connect", "objective", "drift", "drift_players", "evaluator", "position", "discs"),
    *("algorithm", "order", "table", "iterative", "aspiration", "depth", "move", "score"),
    *("generated", "expanded", "evaluated", "cutoffs", "seconds", "cpu_seconds", "deepest", "memory"),
)


def write_reports(store: Store, folder: Path) -> Results | StudyResults:
    """Write every report anew and return what they are made from."""
    run = store.last_run()
    return _write_study(store, run, folder) if run.seats is None else _write_tournament(store, run, folder)


def _write_study(store: Store, run: StoredRun, folder: Path) -> StudyResults:
    planned = sum(planned for _, planned in store.progress().values())
    results = StudyResults(run, planned, store.superseded(), list(store.searches()))
    with _whole(folder / "searches.csv") as file:
        writer = csv.writer(file)
        writer.writerow(SEARCH_COLUMNS)
        for one in results.found:
            writer.writerows(_search_rows(one))
    results.tables = study_tables(results)
    tables = [*results.tables, *every_search(results)]
    charts = study_charts.study_charts(results)
    _write_tables(folder, run.title, tables, charts)
    with _whole(folder / "report.html") as file:
        file.write(study_page(results, tables, charts, study_charts.looks_of(results)))
    return results


def _write_tournament(store: Store, run: StoredRun, folder: Path) -> Results:
    """In one pass over the games, since there may be many."""
    planned = sum(planned for _, planned in store.progress().values())
    results = Results(run, store.players(), planned, store.superseded())
    listed: list[StoredGame] = []
    longest = Longest()
    with _whole(folder / "games.csv") as file:
        writer = csv.writer(file)
        writer.writerow(CSV_COLUMNS)
        for game in store.games():
            results.add(game)
            longest.add(game)
            writer.writerow(_csv_row(game))
            if len(listed) < MOST_LISTED:
                listed.append(game)
    results.tables = summary_tables(results)
    games = games_table(listed, results.played)
    told = longest.of_the_best(results)
    charts = tournament_charts.tournament_charts(results, GameRecord(told, store.moves(told.id)) if told else None)
    _write_tables(folder, run.title, [games, *results.tables], charts)
    with _whole(folder / "report.html") as file:
        file.write(tournament_page(results, charts, listed, games, tournament_charts.looks_of(results)))
    return results


def _write_tables(folder: Path, title: str, tables: list[Table], charts: list[Chart]) -> None:
    _write_charts(folder / CHARTS, charts)
    with _whole(folder / "report.md") as file:
        file.write(markdown(title, tables, charts))
    with _whole(folder / "results.json") as file:
        json.dump(_plain(tables), file, indent=1, ensure_ascii=False)


def _write_charts(folder: Path, charts: list[Chart]) -> None:
    """The charts, a file each; those that an earlier report has left are deleted, and other files left alone."""
    if charts:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}).") from error
    for chart in charts:
        with _whole(folder / f"{chart.name}.svg") as file:
            file.write(chart.svg)
    written = {chart.name for chart in charts}
    for path in folder.glob("*.svg"):
        if path.stem not in written and f'data-made-by="{MADE_BY}"' in path.read_text("utf-8", "replace")[:1000]:
            path.unlink()


def markdown(title: str, tables: list[Table], charts: Sequence[Chart] = ()) -> str:
    """The report as a page: GitHub tables, one section each."""
    parts = [f"# {title}\n"]
    if charts:
        titles = [re.sub(r"([][])", r"\\\1", chart.title) for chart in charts]
        links = [f"[{title}]({CHARTS}/{chart.name}.svg)" for title, chart in zip(titles, charts, strict=True)]
        parts.append(f"[As a page](report.html). Charts: {' · '.join(links)}\n")
    for table in tables:
        parts.append(f"## {table.title}\n")
        rows = [
            [shown_cell(cell, column.kind).replace("|", r"\|") for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ]
        align = ["left" if column.kind in LEFT else "right" for column in table.columns]
        headings = [column.name for column in table.columns]
        parts.append(tabulate(rows, headings, tablefmt="pipe", colalign=align, disable_numparse=True) + "\n")
        if table.note:
            parts.append(f"{table.note}\n")
    return "\n".join(parts)


def _plain(tables: list[Table]) -> dict[str, Any]:
    """The tables for programs: raw values, by title."""
    return {table.title: {"columns": [column.name for column in table.columns], "rows": table.rows} for table in tables}


def _csv_row(game: StoredGame) -> list[Any]:
    return [
        game.id,
        *(game.first.name, _csv_limit(game.first), game.second.name, _csv_limit(game.second)),
        *(game.opening, game.seed, game.result, game.reason, game.plies, game.moves, int(game.distinct)),
        *_csv_cost(game.first, game.first_cost),
        *_csv_cost(game.second, game.second_cost),
        *(f"{cost.cpu_seconds:.6f}" for cost in (game.first_cost, game.second_cost)),
        *(game.fault_kind, game.fault),
    ]


def _search_rows(one: StoredSearches) -> Iterator[list[Any]]:
    """A row for each search: where, by whom, how, and what it found and took."""
    settings = one.player.settings
    where = [one.part, *asdict(one.rules).values(), one.player.name, one.place]
    how = [settings.algorithm, settings.order, settings.table, int(settings.iterative), settings.aspiration]
    for move in one.moves:
        counters = [move.generated, move.expanded, move.evaluated, move.cutoffs]
        times = [f"{seconds:.6f}" for seconds in (move.seconds, move.cpu_seconds)]
        found = [settings.depth, column_digit(move.chosen), move.score]
        yield [*where, move.ply, *how, *found, *counters, *times, move.deepest, move.memory]


def _csv_limit(player: StoredPlayer) -> str:
    """A depth as a number, a budget with its unit."""
    return player.settings.limit.replace(",", "")


def _csv_cost(player: StoredPlayer, cost: Cost) -> list[Any]:
    counters = [None] * 4 if player.is_agent else [cost.generated, cost.expanded, cost.evaluated, cost.cutoffs]
    return [*counters, f"{cost.seconds:.6f}"]


@contextmanager
def _whole(path: Path) -> Iterator[TextIO]:
    """A file that is written whole or not at all."""
    part = path.with_suffix(".part")
    try:
        with part.open("w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{shown(path)}: can't be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
