from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.cli.options import Evaluators, IsolationOption, announce_compiling, known_isolation
from tournament.cli.report import Full
from tournament.cli.shown import config_files, prints_aside
from tournament.cli.signals import ending_gently
from tournament.text import counted, long_time

if TYPE_CHECKING:
    from rich.console import Console

    from tournament.cli.waiting import Waiting
    from tournament.isolation.limits import Isolation
    from tournament.plan.studies import StudyPlan
    from tournament.plan.tasks import Plan
    from tournament.report.write import Draw

MOST_LISTED = 60  # entries of a plan, shown


def command(
    config: Annotated[
        Path, typer.Argument(help="The YAML file that declares the tournament or study.", autocompletion=config_files)
    ],
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes; default: the number of cores.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where store and reports go; default: reports/CONFIG/.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games that are there and play all anew.")] = False,
    isolation: IsolationOption = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Play on a Dask cluster: tcp://HOST:PORT of its scheduler.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    full: Full = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what results.json has, and nothing else, on standard output.")
    ] = False,
    extra: Evaluators = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and play nothing.")] = False,
) -> None:
    """Play a tournament, or make a study, and write its tables. The same command again does only what is missing."""
    from tournament.cli.waiting import Waiting

    with Waiting(shown=not (quiet or as_json)) as waiting:
        waiting("loading the engine")
        if dry_run:
            _print_plan(config, out, jobs, known_isolation(isolation), waiting, fresh=fresh, evaluators=extra or ())
            return
        from tournament.runs.charting import Charting

        how: dict[str, Any] = {"jobs": jobs, "out": out, "fresh": fresh, "scheduler": scheduler}
        how |= {"isolation": isolation, "evaluators": extra or ()}
        with Charting() as draw:  # before all else, so that it imports what it needs while we do
            _run(config, how, draw, waiting, quiet=quiet or as_json, full=full, as_json=as_json)


def _run(
    config: Path, how: dict[str, Any], draw: Draw, waiting: Waiting, *, quiet: bool, full: bool, as_json: bool
) -> None:
    from rich.console import Console

    from tournament.cli.progress import PlainProgress, RichProgress
    from tournament.cli.report import print_report
    from tournament.isolation.process import reaping_orphans
    from tournament.report.study import Disagreement
    from tournament.runs.runner import default_folder, run

    folder = how["out"] or default_folder(config)
    console = Console()
    if not quiet:
        announce_compiling(waiting)
    display = RichProgress(console, waiting) if console.is_terminal else PlainProgress(waiting)
    how["isolation"] = known_isolation(how["isolation"])
    with ending_gently(f"stopped; what was played is kept in {folder}: the same command goes on from there."):
        try:
            with reaping_orphans(), prints_aside(as_json):
                results = run(config, **how, observer=None if quiet else display, draw=draw)
        except Disagreement as wrong:
            print(f"tourney: {wrong}", file=sys.stderr)
            raise typer.Exit(1) from None
        finally:
            waiting.end()
            display.close()
        if as_json:
            print((folder / "results.json").read_text("utf-8"))
        elif not quiet:
            print_report(folder, results, console, full=full)


def _print_plan(
    config: Path,
    out: Path | None,
    jobs: int | None,
    isolation: Isolation | None,
    waiting: Waiting,
    *,
    fresh: bool,
    evaluators: Iterable[Path],
) -> None:
    from rich.console import Console

    from tournament.plan.studies import StudyPlan
    from tournament.runs.estimate import estimate
    from tournament.runs.runner import default_folder, default_jobs, prepare, usual_jobs

    announce_compiling(waiting)
    console = Console()
    ready = prepare(config, isolation=isolation, jobs=jobs or default_jobs(), tell=waiting, evaluators=evaluators)
    jobs = jobs or usual_jobs(ready.plan)
    plan, done = ready.plan, set() if fresh else _done(out or default_folder(config))
    strangers = ready.playing.isolation != "game"  # whose files are not run here
    waiting("timing a search of each player")
    estimated = None if strangers else estimate(plan, jobs, done)
    waiting.end()
    if isinstance(plan, StudyPlan):
        _print_study(ready.title, plan, console)
        planned, counts = set(plan.searches), counted(len(plan.searches), "search")
    else:
        pairings = _print_pairings(ready.title, plan, console)
        planned = {game.id for game in plan.games()}
        counts = f"{counted(pairings, 'pairing')}, {counted(len(planned), 'game')}"
    left = len(planned - done)
    kept = f", {len(planned) - left:,} of them done and {left:,} left" if left < len(planned) else ""
    time = f", about {_shown_time(estimated.seconds)} with {counted(jobs, 'job')}" if estimated and left else ""
    console.print(f"{counts}{kept}{time}", soft_wrap=True)
    if not isinstance(plan, StudyPlan):
        if plan.note:
            console.print(plan.note)
        most = ready.playing.limits.move_seconds
        for key, seconds in (estimated.per_move if estimated else {}).items():
            if seconds > most:
                player = plan.players()[key]
                told = f"{player.name} at {player.settings.level} would take about {_shown_time(seconds)} a move"
                console.print(f"{told}, longer than `limits.move_seconds`, {most:g}: it would forfeit.", soft_wrap=True)


def _done(folder: Path) -> set[str]:
    """The ids of what an earlier run has left in a folder."""
    from tournament.store import FILE, Store

    if not (folder / FILE).is_file():
        return set()
    with Store(folder) as store:
        return store.done()


def _print_pairings(title: str, plan: Plan, console: Console) -> int:
    """Prints who plays whom, as far as anybody reads; returns how many pairings there are."""
    from rich.table import Table
    from rich.text import Text

    table = Table("depth", "pairing", title=Text(title), title_justify="left")
    pairings = 0
    for one, other in plan.pairings():
        limits = dict.fromkeys((one.settings.limit, other.settings.limit))
        if pairings < MOST_LISTED:
            table.add_row(" v ".join(limits), Text(f"{one.name} – {other.name}"))
        pairings += 1
    console.print(table)
    if pairings > MOST_LISTED:
        console.print(f"… and {counted(pairings - MOST_LISTED, 'more pairing')}")
    return pairings


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


def _shown_time(seconds: float) -> str:
    if seconds < 1.5:
        return "a second"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return long_time(seconds)
