"""The reports of a run, made from its store alone: report.md, report.html with its charts, results.json, and
games.csv or searches.csv.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tournament.errors import StoreError
from tournament.report.charts import charts
from tournament.report.drawing import MADE_BY, Chart
from tournament.report.files import whole
from tournament.report.formats import FORMATS, GAME_BY_GAME, OF_STUDIES
from tournament.report.formats.markdown import CHARTS
from tournament.report.report import Report
from tournament.report.results import Results, results_of
from tournament.report.study import StudyResults, study_results_of
from tournament.report.study_charts import study_charts
from tournament.report.study_tables import every_search, study_tables
from tournament.report.summary import study_summary, summary
from tournament.report.tables import games_table, tables
from tournament.report.tally import Tally
from tournament.store import Store, StoredGame, StoredRun
from tournament.text import shown

MOST_LISTED = 1000  # games in report.md; games.csv has all of them


def write_reports(store: Store, folder: Path) -> Results | StudyResults:
    """Write every report anew and return what they are made from."""
    run = store.last_run()
    if run.is_study:
        report, formats = _study_report(store, run), {**OF_STUDIES, **FORMATS}
    else:
        report, formats = _tournament_report(store, run, folder), FORMATS
    _write_charts(folder / CHARTS, report.charts)
    for name, write in formats.items():
        with whole(folder / name) as file:
            write(report, file)
    return report.results


def _study_report(store: Store, run: StoredRun) -> Report:
    planned = sum(planned for _, planned in store.progress().values())
    results = study_results_of(run, list(store.searches()), planned=planned, superseded=store.superseded())
    made = [*study_tables(results), *every_search(results)]
    return Report(results, study_summary(results), made, drawn(results))


def _tournament_report(store: Store, run: StoredRun, folder: Path) -> Report:
    """The report, and what is written game by game: in one pass over the games, since there may be many."""
    tally, listed = Tally(run.seats), list[StoredGame]()
    with ExitStack() as files:
        written = [write(files.enter_context(whole(folder / name))) for name, write in GAME_BY_GAME.items()]
        for game in store.games():
            tally.add(game)
            for write in written:
                write(game)
            if len(listed) < MOST_LISTED:
                listed.append(game)
    planned = sum(planned for _, planned in store.progress().values())
    superseded = store.superseded()
    results = results_of(tally, run, store.players(), planned=planned, superseded=superseded, moves=store.moves)
    games = games_table(listed, results.played)
    return Report(results, summary(results), tables(results), drawn(results), games, listed)


def drawn(results: Results | StudyResults) -> list[Chart]:
    """Every chart of the results."""
    return charts(results) if isinstance(results, Results) else study_charts(results)


def _write_charts(folder: Path, made: list[Chart]) -> None:
    """The charts, a file each; those that an earlier report has left are deleted, and other files left alone."""
    if made:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}).") from error
    for chart in made:
        with whole(folder / f"{chart.name}.svg") as file:
            file.write(chart.svg)
    written = {chart.name for chart in made}
    for path in folder.glob("*.svg"):
        if path.stem not in written and f'data-made-by="{MADE_BY}"' in path.read_text("utf-8", "replace")[:1000]:
            path.unlink()
