"""The reports of a run, made from its store alone: report.md, report.html with its charts, results.json, and
games.csv or searches.csv; moves.csv where CSV files are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TextIO, TypeVar

from tournament.errors import StoreError
from tournament.evidence.duel import DuelTally
from tournament.report.charts import charts as tournament_charts
from tournament.report.course import course_tables
from tournament.report.drawing import MADE_BY, Chart, also_as
from tournament.report.duel import declared_duel
from tournament.report.files import Part, together
from tournament.report.formats import (
    ASKED_FOR,
    FORMATS,
    GAME_BY_GAME,
    MOVE_BY_MOVE,
    OF_STUDIES,
    OF_TOURNAMENTS,
    WITH_CHARTS,
    format_of,
)
from tournament.report.formats.csv import write_table
from tournament.report.formats.markdown import CHARTS
from tournament.report.report import Report
from tournament.report.results import Results, results_of
from tournament.report.study import StudyResults, study_results_of
from tournament.report.study_charts import study_charts
from tournament.report.study_tables import every_search, study_tables
from tournament.report.summary import study_summary, summary
from tournament.report.table import Table
from tournament.report.tables import games_table, tables
from tournament.report.tally import tally_of
from tournament.store import Store, StoredGame, StoredMove, StoredRun
from tournament.text import shown

T = TypeVar("T")
TABLES = "tables"  # the folder of their CSV files
MOST_LISTED = 2000  # games in report.md and report.html; games.csv has all of them


Draw = Callable[["Results | StudyResults"], Callable[[], list[Chart]]]  # begins; and what waits for the charts


def draw_here(results: Results | StudyResults) -> Callable[[], list[Chart]]:
    """Draw in this process, once the charts are asked for."""
    return lambda: drawn(results)


def write_reports(
    store: Store, folder: Path, only: Collection[str] = (), draw: Draw = draw_here, charts_as: Collection[str] = ()
) -> Results | StudyResults:
    """Write every report anew, or those of some formats: all of it or nothing. Returns what they are made from.

    Charts are written as SVG; and as files of other endings, such as `pdf` and `png`, where those are asked for.
    """
    store.check()
    run = store.last_run()
    with together() as part_of:
        if run.is_study:
            report, formats = _study_report(store, run, draw), {**OF_STUDIES, **FORMATS}
        else:
            with ExitStack() as files:

                def opened(formats: Mapping[str, Callable[[TextIO], T]]) -> list[T]:
                    wanted = [(name, write) for name, write in formats.items() if is_wanted(name, only)]
                    return [write(files.enter_context(part_of(folder / name))) for name, write in wanted]

                of_games = opened(GAME_BY_GAME)
                of_moves = opened(MOVE_BY_MOVE) if only else []  # large, and so only where it is asked for
                report = _tournament_report(store, run, draw, of_games, of_moves)
                formats = {**OF_TOURNAMENTS, **FORMATS}
        for name, write in {**formats, **(ASKED_FOR if only else {})}.items():
            if is_wanted(name, only):
                with part_of(folder / name) as file:
                    write(report, file)
        if "csv" in only:
            _write_tables(folder / TABLES, report.all_tables, part_of)
        charts = report.charts if not only or charts_as or set(WITH_CHARTS) & set(only) else None
        if charts is not None:
            _write_charts(folder / CHARTS, charts, part_of)
    if charts is not None:
        _remove_other_charts(folder / CHARTS, charts)
    if charts_as:
        _write_pictures(folder / CHARTS, report.results, charts_as)
    return report.results


def results_alone(store: Store) -> Results | StudyResults:
    """What reports are made from, where none can be written."""
    store.check()
    run = store.last_run()
    return (_study_report(store, run) if run.is_study else _tournament_report(store, run)).results


def is_wanted(name: str, only: Collection[str]) -> bool:
    """Whether a file of that name belongs to these formats: to every one of them, where none is named."""
    return not only or format_of(name) in only


def _study_report(store: Store, run: StoredRun, draw: Draw = draw_here) -> Report:
    planned = sum(planned for _, planned in store.progress().values())
    found = list(store.searches())
    damaged = tuple(store.damaged)
    results = study_results_of(run, found, planned=planned, superseded=store.superseded(), damaged=damaged)
    charts = draw(results)
    made = [*study_tables(results), *every_search(results)]
    return Report(results, study_summary(results), made, charts)


def _tournament_report(
    store: Store,
    run: StoredRun,
    draw: Draw = draw_here,
    of_games: Sequence[Callable[[StoredGame], None]] = (),
    of_moves: Sequence[Callable[[StoredGame, list[StoredMove]], None]] = (),
) -> Report:
    """The report, and what is written game by game: in one pass over the games, since there may be many."""
    tally, listed = tally_of(run), list[StoredGame]()
    declared = declared_duel(run.config)
    pairs = None if declared is None else DuelTally(declared.new, store.openings(), declared.terms)
    for game, moves in store.games_with_moves() if of_moves else ((game, []) for game in store.games()):
        tally.add(game)
        if pairs is not None and game.reason != "withdrawn":
            pairs.add(game.opening, game.first.key, game.result, game.moves)
        for write in of_games:
            write(game)
        for write_moves in of_moves:
            write_moves(game, moves)
        if len(listed) < MOST_LISTED:
            listed.append(game)
    players = store.players()
    results = results_of(
        tally,
        run,
        players,
        duel=None if declared is None or pairs is None else declared.result(pairs, players),
        planned=sum(planned for _, planned in store.progress().values()),
        superseded=store.superseded(),
        damaged=tuple(store.damaged),
        truths=store.truths(),
        moves=store.moves,
    )
    charts = draw(results)
    games = games_table(listed, results.played)
    made = [*course_tables(results, listed), *tables(results)]
    return Report(results, summary(results), made, charts, games, listed)


def drawn(results: Results | StudyResults) -> list[Chart]:
    """Every chart of the results."""
    return tournament_charts(results) if isinstance(results, Results) else study_charts(results)


def _write_pictures(folder: Path, results: Results | StudyResults, endings: Collection[str]) -> None:
    """The charts once more, as files of these endings."""
    with also_as(endings) as made:
        drawn(results)
    for (name, ending), picture in made.items():
        path = folder / f"{name}.{ending}"
        try:
            path.write_bytes(picture)
        except OSError as error:
            raise StoreError(f"{shown(path)}: can't be written ({error.strerror}).") from error


def _write_tables(folder: Path, tables: Sequence[Table], part_of: Part) -> None:
    """Every table, a CSV file each."""
    _make(folder)
    for table in tables:
        name = re.sub(r"[^a-z0-9]+", "-", table.title.lower()).strip("-")
        with part_of(folder / f"{name}.csv") as file:
            write_table(table, file)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}).") from error


def _write_charts(folder: Path, made: list[Chart], part_of: Part) -> None:
    """The charts, a file each."""
    if made:
        _make(folder)
    for chart in made:
        with part_of(folder / f"{chart.name}.svg") as file:
            file.write(chart.svg)


def _remove_other_charts(folder: Path, made: list[Chart]) -> None:
    """Delete the charts that an earlier report has left, and leave other files alone."""
    written = {chart.name for chart in made}
    for path in folder.glob("*.svg"):
        with suppress(FileNotFoundError):  # another report is being written
            if path.stem not in written and f'data-made-by="{MADE_BY}"' in path.read_text("utf-8", "replace")[:1000]:
                path.unlink(missing_ok=True)
