from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.errors import TourneyError

if TYPE_CHECKING:
    from rich.console import Console

    from tournament.report.results import Results
    from tournament.report.study import StudyResults
    from tournament.report.write import Draw

NARROWEST = 80
MOST_SHOWN = 40  # games on the terminal; report.md and games.csv have more


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    format: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Write files of this format alone: csv (moves.csv too), html, json, md."),
    ] = None,
) -> None:
    """Make every report of a tournament again, from its store alone."""
    from tournament.runs.charting import Charting

    with Charting() as draw:  # before all else, so that it imports what it needs while we do
        _report(folder, format or [], draw)


def _report(folder: Path, formats: list[str], draw: Draw) -> None:
    from rich.console import Console

    from tournament.report.formats import format_names
    from tournament.report.write import results_alone, write_reports
    from tournament.store import Store

    for name in formats:
        if name not in format_names():
            raise TourneyError(f"--format {name}: there is no such format: choose from {', '.join(format_names())}.")
    with Store(folder) as store:
        is_open = os.access(folder, os.W_OK)
        results = write_reports(store, folder, formats, draw) if is_open else results_alone(store)
    if not is_open:
        print_tables(folder, results, Console())
        raise TourneyError(f"{folder}: can't be written to: these are its tables, and no file was written.")
    if formats:
        Console().print(f"{folder} has its reports as {', '.join(formats)} anew")
    else:
        print_report(folder, results, Console())


def print_report(folder: Path, results: Results | StudyResults, console: Console) -> None:
    """The tables of the report on the terminal, and where the files are."""
    more, rows = print_tables(folder, results, console)
    console.print(
        f"{folder / 'report.md'} has these tables, report.html {more} too, {rows}, results.json both for programs"
    )


def print_tables(folder: Path, results: Results | StudyResults, console: Console) -> tuple[str, str]:
    """The tables of the report on the terminal; returns what report.html has more, and what has every row."""
    from rich.console import Console

    from tournament.cli.tables import as_rich
    from tournament.report.results import Results
    from tournament.report.study_tables import study_tables
    from tournament.report.tables import games_table, tables
    from tournament.store import Store

    if isinstance(results, Results):
        with Store(folder) as store:
            games = list(islice(store.games(), MOST_SHOWN))
        shown = [games_table(games, results.played), *tables(results)]
        more, rows = "charts and games", "games.csv every game"
    else:
        shown = study_tables(results)
        more, rows = "charts", "searches.csv every search"
    page = Console(width=max(console.width, NARROWEST))  # a terminal may wrap lines, but must not lose digits
    for table in shown:
        page.print(as_rich(table))
        page.print()
    return more, rows
