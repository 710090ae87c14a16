from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.cli.options import IsolationOption, announce_compiling, known_isolation
from tournament.cli.report import Full

if TYPE_CHECKING:
    from rich.console import Console

    from tournament.cli.waiting import Waiting
    from tournament.isolation.limits import Isolation
    from tournament.plan.studies import StudyPlan
    from tournament.report.write import Draw

MOST_LISTED = 60  # entries of a plan, shown


def command(
    config: Annotated[Path, typer.Argument(help="The YAML file that declares the tournament or study.")],
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes; default: the number of cores.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where store and reports go; default: reports/CONFIG/.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games that are there and play all anew.")] = False,
    isolation: IsolationOption = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Play on a Dask cluster: tcp://HOST:PORT of its scheduler.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    full: Full = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and play nothing.")] = False,
) -> None:
    """Play a tournament, or make a study, and write its tables. The same command again does only what is missing."""
    from tournament.cli.waiting import Waiting

    with Waiting(shown=not quiet) as waiting:
        waiting("loading the engine")
        if dry_run:
            _print_plan(config, jobs, known_isolation(isolation), waiting)
            return
        from tournament.runs.charting import Charting

        how = {"jobs": jobs, "out": out, "fresh": fresh, "scheduler": scheduler, "isolation": isolation}
        with Charting() as draw:  # before all else, so that it imports what it needs while we do
            _run(config, how, draw, waiting, quiet=quiet, full=full)


def _run(config: Path, how: dict[str, Any], draw: Draw, waiting: Waiting, *, quiet: bool, full: bool) -> None:
    from rich.console import Console

    from tournament.cli.progress import PlainProgress, RichProgress
    from tournament.cli.report import print_report
    from tournament.isolation.process import reaping_orphans
    from tournament.report.study import Disagreement
    from tournament.runs.runner import Stopped, default_folder, run

    signal.signal(signal.SIGINT, signal.default_int_handler)  # to end cleanly and say how to go on
    console = Console()
    if not quiet:
        announce_compiling(waiting)
    display = RichProgress(console, waiting) if console.is_terminal else PlainProgress(waiting)
    how["isolation"] = known_isolation(how["isolation"])
    try:
        with reaping_orphans():
            results = run(config, **how, observer=None if quiet else display, draw=draw)
    except Stopped as stopped:
        waiting.end()
        print(f"tourney: {stopped}", file=sys.stderr)
        raise typer.Exit(130) from None
    except Disagreement as wrong:
        print(f"tourney: {wrong}", file=sys.stderr)
        raise typer.Exit(1) from None
    finally:
        display.close()
    if not quiet:
        print_report(how["out"] or default_folder(config), results, console, full=full)


def _print_plan(config: Path, jobs: int | None, isolation: Isolation | None, waiting: Waiting) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tournament.plan.studies import StudyPlan
    from tournament.runs.estimate import estimate
    from tournament.runs.runner import default_jobs, prepare

    announce_compiling(waiting)
    console = Console()
    jobs = jobs or default_jobs()
    ready = prepare(config, isolation=isolation, jobs=jobs, tell=waiting)
    waiting.end()
    if isinstance(ready.plan, StudyPlan):
        _print_study(ready.title, ready.plan, console)
        return
    table = Table("depth", "pairing", title=Text(ready.title), title_justify="left")
    pairings = 0
    for one, other in ready.plan.pairings():
        limits = dict.fromkeys((one.settings.limit, other.settings.limit))
        if pairings < MOST_LISTED:
            table.add_row(" v ".join(limits), Text(f"{one.name} – {other.name}"))
        pairings += 1
    games = len({game.id for game in ready.plan.games()})
    console.print(table)
    if pairings > MOST_LISTED:
        console.print(f"… and {pairings - MOST_LISTED:,} more pairings")
    strangers = ready.playing.isolation != "game"  # whose files are not run here
    seconds = None if strangers else estimate(ready.plan, jobs)
    told = f", about {_shown_time(seconds)} with {jobs} jobs" if seconds is not None else ""
    console.print(f"{pairings:,} pairings, {games:,} games{told}")
    if ready.plan.note:
        console.print(ready.plan.note)


def _print_study(title: str, plan: StudyPlan, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("board", "position", "evaluator", "depth", "algorithm", title=Text(title), title_justify="left")
    for search in list(plan.searches.values())[:MOST_LISTED]:
        player, settings = search.player, search.player.settings
        table.add_row(str(search.rules), Text(search.place), Text(player.name), settings.limit, settings.described)
    console.print(table)
    if len(plan.searches) > MOST_LISTED:
        console.print(f"… and {len(plan.searches) - MOST_LISTED:,} more")
    console.print(f"{len(plan.searches):,} searches, or games of searches")


def _shown_time(seconds: float) -> str:
    if seconds < 1:
        return "a second"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 7200 else f"{seconds / 3600:,.1f} hours"
