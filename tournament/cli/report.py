from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.errors import TourneyError

if TYPE_CHECKING:
    from rich.console import Console

    from tournament.report.results import Results
    from tournament.report.study import StudyResults
    from tournament.report.table import Table
    from tournament.report.write import Draw

NARROWEST = 40
MOST_SHOWN = 40  # games on the terminal; report.md and games.csv have more
MOST_LINES = 20  # of a study's first table
Full = Annotated[bool, typer.Option("--full", help="Print every table, not the answer alone.")]


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    format: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Write files of this format alone: csv (moves.csv too), html, json, md."),
    ] = None,
    full: Full = False,
) -> None:
    """Make every report of a tournament again, from its store alone."""
    from tournament.runs.charting import Charting

    with Charting() as draw:  # before all else, so that it imports what it needs while we do
        _report(folder, format or [], draw, full=full)


def _report(folder: Path, formats: list[str], draw: Draw, *, full: bool) -> None:
    from rich.console import Console

    from tournament.report.formats import format_names
    from tournament.report.write import write_reports
    from tournament.store import Store

    for name in formats:
        if name not in format_names():
            raise TourneyError(f"--format {name}: there is no such format: choose from {', '.join(format_names())}.")
    with Store(folder) as store:
        results = write_reports(store, folder, formats, draw)
    if formats:
        Console().print(f"{folder} has its reports as {', '.join(formats)} anew")
    else:
        print_report(folder, results, Console(), full=full)


def print_report(folder: Path, results: Results | StudyResults, console: Console, *, full: bool = False) -> None:
    """The answer on the terminal, or every table above it, and where the files are."""
    from rich.text import Text

    from tournament.cli.tables import as_digest, as_text, wrapped
    from tournament.report.digest import digest, headline
    from tournament.report.results import Results
    from tournament.report.study_tables import study_tables
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
    if not full:
        if isinstance(results, Results):
            if results.scores.overall:
                say(as_digest(digest(results), width))
                say()
        else:
            first = study_tables(results)[0]
            say(as_digest(replace(first, rows=first.rows[:MOST_LINES]), width))
            say()
    games, every = ("charts, games", "games.csv") if isinstance(results, Results) else ("charts", "searches.csv")
    say(f"Report: {folder / 'report.html'} ({games}) · report.md · {every} · results.json")
    if not full:
        say(f"Every table here: tourney report {shlex.quote(str(folder))} --full")


def _tables(folder: Path, results: Results | StudyResults) -> list[Table]:
    from tournament.report.results import Results
    from tournament.report.study_tables import study_tables
    from tournament.report.tables import games_table, tables
    from tournament.store import Store

    if not isinstance(results, Results):
        return study_tables(results)
    with Store(folder) as store:
        games = list(islice(store.games(), MOST_SHOWN))
    return [games_table(games, results.played), *tables(results)]
