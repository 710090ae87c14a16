from __future__ import annotations

import os
import shlex
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.signals import ending_gently
from tournament.errors import TourneyError
from tournament.text import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tournament.report.results import Results
    from tournament.report.study import StudyResults
    from tournament.report.table import Table
    from tournament.report.write import Draw
    from tournament.store import StoredGame

NARROWEST = 40
MOST_SHOWN = 40  # games on the terminal; report.md and games.csv have more
PICTURES = ("pdf", "png")  # beside svg
MOST_FAULTS = 5
MOST_ROWS = 15  # of a table that is the answer
Full = Annotated[bool, typer.Option("--full", help="Print every table, not the answer alone.")]


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    format: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Write files of this format alone: csv (every table and move too), html, json, latex, md.",
        ),
    ] = None,
    charts: Annotated[str, typer.Option(metavar="pdf,png", help="Write the charts as such files too.")] = "",
    full: Full = False,
) -> None:
    """Make every report of a tournament again, from its store alone."""
    from tournament.runs.charting import Charting

    last_word = "stopped while the reports were made: the earlier ones are as they were, and all games are kept."
    with ending_gently(last_word), Charting() as draw:  # first, so that it imports what it needs while we do
        _report(folder, format or [], draw, [name for name in charts.split(",") if name], full=full)


def _report(folder: Path, formats: list[str], draw: Draw, charts: list[str], *, full: bool) -> None:
    from rich.console import Console

    from tournament.report.formats import format_names
    from tournament.report.write import results_alone, write_reports
    from tournament.store import Store

    for name in formats:
        if name not in format_names():
            raise TourneyError(f"--format {name}: there is no such format: choose from {', '.join(format_names())}.")
    for name in charts:
        if name not in PICTURES:
            raise TourneyError(f"--charts {name}: there is no such picture: choose from {', '.join(PICTURES)}.")
    with Store(folder) as store:
        is_open = os.access(folder, os.W_OK)
        results = write_reports(store, folder, formats, draw, charts) if is_open else results_alone(store)
    if not is_open:
        print_report(folder, results, Console(), full=full, is_written=False)
        raise TourneyError(f"{folder}: can't be written to: these are its tables, and no file was written.")
    if formats:
        Console().print(f"{folder} has its reports as {', '.join(formats)} anew")
    else:
        print_report(folder, results, Console(), full=full)


def print_report(
    folder: Path, results: Results | StudyResults, console: Console, *, full: bool = False, is_written: bool = True
) -> None:
    """The answer on the terminal, or every table above it, and where the files are."""
    from rich.text import Text

    from tournament.cli.tables import as_text, wrapped
    from tournament.report.digest import headline
    from tournament.report.results import Results
    from tournament.report.summary import sentences

    width = max(console.width, NARROWEST)

    def say(text: str | Text = "") -> None:
        console.print(Text("\n".join(wrapped(text, width))) if isinstance(text, str) else text, soft_wrap=True)

    if full:
        for table in _tables(folder, results):
            say(as_text(table, width))
            say()
    else:
        say(Text("\n".join(wrapped(headline(results), width)), "bold"))
        say()
    for sentence in sentences(results):
        say(sentence)
    say()
    for shown in [] if full else _answer(folder, results, width):
        say(shown)
        say()
    games, every = ("charts, games", "games.csv") if isinstance(results, Results) else ("charts", "searches.csv")
    if is_written:
        say(f"Report: {folder / 'report.html'} ({games}) · report.md · {every} · results.json")
    if not full:
        say(f"Every table here: tourney report {shlex.quote(str(folder))} --full")


def _answer(folder: Path, results: Results | StudyResults, width: int) -> list[Text]:
    """The tables that are the answer: of a course's runs its own, else the standings; what a study spent; faults."""
    from tournament.cli.tables import as_digest, as_text
    from tournament.report.course import course_tables
    from tournament.report.digest import digest
    from tournament.report.results import Results
    from tournament.report.study_tables import fault_tables as of_searches
    from tournament.report.study_tables import study_tables
    from tournament.report.tables import fault_tables

    if not isinstance(results, Results):
        first, faults = study_tables(results)[0], of_searches(results)
        more = len(first.rows) - MOST_ROWS
        note = f"… and {counted(more, 'more row')}. {first.note}" if more > 0 else first.note
        answer = [as_digest(replace(first, rows=first.rows[:MOST_ROWS], note=note), width)]
    else:
        faults = fault_tables(results)
        few = results.played <= MOST_ROWS
        of_course = course_tables(results, _games(folder)) if few else []
        answer = [as_text(table, width) for table in of_course]
        if not of_course and results.scores.overall:
            answer = [as_digest(digest(results), width)]
    return [*answer, *(as_text(replace(table, rows=table.rows[:MOST_FAULTS]), width) for table in faults)]


def _tables(folder: Path, results: Results | StudyResults) -> list[Table]:
    """Every table of the report."""
    from tournament.report.course import course_tables
    from tournament.report.results import Results
    from tournament.report.study_tables import study_tables
    from tournament.report.tables import games_table, tables

    if not isinstance(results, Results):
        return study_tables(results)
    games = _games(folder)
    return [games_table(games, results.played), *course_tables(results, games), *tables(results)]


def _games(folder: Path) -> list[StoredGame]:
    from tournament.store import Store

    with Store(folder) as store:
        return list(islice(store.games(), MOST_SHOWN))
