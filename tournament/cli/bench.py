from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.options import Json, announce_compiling, print_json


def command(
    page: Annotated[
        bool,
        typer.Option("--page", help="Measure a machine's moves on the page and the load of a report page instead."),
    ] = False,
    isolation: Annotated[
        bool, typer.Option("--isolation-cost", help="Measure what workers and each isolation cost instead.")
    ] = False,
    games: Annotated[
        bool, typer.Option("--games", help="Measure games a second instead, beside their searches alone.")
    ] = False,
    truth: Annotated[
        bool,
        typer.Option("--truth", help="Measure the solver instead; with --against, beside tests/reference/solver.cpp."),
    ] = False,
    program: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="PROGRAM",
            help="Measure beside a program that searches the same tree, like tests/reference/limit.cpp, instead.",
        ),
    ] = None,
    as_before: Annotated[bool, typer.Option("--isolation", hidden=True)] = False,  # what it was called in 0.1
    as_json: Json = False,
) -> None:
    """Measure nodes per second by evaluator, algorithm and depth, beside plain Python on the same tree."""
    if page:
        _page(as_json)
        return
    if isolation or as_before:
        _isolation(as_json)
        return
    if games:
        _games(as_json)
        return
    if truth:
        _truth(program, as_json)
        return
    if program is not None:
        _against(program, as_json)
        return
    from rich.console import Console
    from rich.table import Table

    from tournament.bench.speed import bench
    from tournament.plugins.catalogue import Catalogue
    from tournament.system import machine, versions

    announce_compiling()
    console = Console(stderr=as_json)
    with console.status("searching the empty board …"):
        speeds = list(bench(Catalogue()))
    plain = speeds[0].nodes_per_second
    if as_json:
        rows = [
            asdict(speed)
            | {"nodes_per_second": speed.nodes_per_second, "times_plain_python": speed.nodes_per_second / plain}
            for speed in speeds
        ]
        print_json({"machine": machine(), "versions": versions(), "searches": rows})
        return
    table = Table("search of the empty board", title=machine(), title_justify="left")
    for heading in ("generated", "seconds", "million\nnodes/s", "× plain\nPython", "ns per\nevaluation"):
        table.add_column(heading, justify="right")
    for speed in speeds:
        table.add_row(
            speed.name,
            f"{speed.generated:,}",
            f"{speed.seconds:.4f}",
            f"{speed.nodes_per_second / 1e6:,.2f}",
            f"{speed.nodes_per_second / plain:,.0f}",
            "–" if speed.ns_per_evaluation is None else f"{speed.ns_per_evaluation:,.0f}",
        )
    table.caption = (
        "× plain Python: nodes per second against those of the first row, a search of the same tree as the second"
    )
    table.caption_justify = "left"
    console.print(table)


def _page(as_json: bool) -> None:
    from statistics import median

    from tournament.bench.page_latency import DEPTH, move_seconds
    from tournament.bench.page_load import browser, load_seconds
    from tournament.system import machine, versions

    program = browser()
    seconds = move_seconds()
    loads = load_seconds(program)
    told = {"median": median(seconds), "slowest": max(seconds)}
    if as_json:
        print_json({"machine": machine(), "versions": versions(), "moves": len(seconds), **told, "loads": loads})
        return
    print(machine())
    print(
        f"{len(seconds)} moves of windows at depth {DEPTH}, asked for over HTTP: "
        f"median {1e3 * told['median']:.1f} ms, slowest {1e3 * told['slowest']:.1f} ms"
    )
    print(
        f"a league's report page, opened {len(loads)} times: median {median(loads):.2f} s, slowest {max(loads):.2f} s"
    )


def _isolation(as_json: bool) -> None:
    """What it costs to play in workers, and to keep players apart."""
    from rich.console import Console
    from rich.table import Table

    from tournament.bench.isolation_cost import overhead
    from tournament.plugins.catalogue import Catalogue
    from tournament.system import machine, versions

    announce_compiling()
    console = Console(stderr=as_json)
    with console.status("playing the same games each way …"):
        measured = list(overhead(Catalogue()))
    if as_json:
        rows = [one._asdict() | {"times": one.times, "more_per_move": one.more_per_move} for one in measured]
        print_json({"machine": machine(), "versions": versions(), "games": rows})
        return
    table = Table("the same games", "depth", title=machine(), title_justify="left")
    for heading in ("moves", "seconds", "× without\nworkers", "ms more\na move"):
        table.add_column(heading, justify="right")
    for one in measured:
        cells = (f"{one.moves:,}", f"{one.seconds:.4f}", f"{one.times:.2f}", f"{1e3 * one.more_per_move:.3f}")
        table.add_row(one.way, str(one.depth), *cells)
    console.print(table)


def _against(program: Path, as_json: bool) -> None:
    """Our search and a program's of the same tree, in turns."""
    from rich.console import Console
    from rich.table import Table

    from tournament.bench.against import against
    from tournament.system import machine, versions

    announce_compiling()
    console = Console(stderr=as_json)
    with console.status("searching the empty board in turns …"):
        measured = list(against(program))
    if as_json:
        rows = [asdict(one) | {"ratio": one.ratio} for one in measured]
        print_json({"machine": machine(), "versions": versions(), "program": str(program), "searches": rows})
        return
    table = Table("search of the empty board", title=machine(), title_justify="left")
    for heading in ("generated", "ours, million\nnodes/s", f"{program.name}, million\nnodes/s", "ours ÷\ntheirs"):
        table.add_column(heading, justify="right")
    for one in measured:
        speeds = (f"{one.ours / 1e6:,.2f}", f"{one.theirs / 1e6:,.2f}", f"{one.ratio:.2f}")
        table.add_row(f"{one.evaluator}, depth {one.depth}", f"{one.generated:,}", *speeds)
    console.print(table)


def _games(as_json: bool) -> None:
    """How many games a second are played, and how many times as long as their searches that takes."""
    from rich.console import Console
    from rich.table import Table

    from tournament.bench.game_rate import game_rates
    from tournament.plugins.catalogue import Catalogue
    from tournament.system import machine, versions

    announce_compiling()
    console = Console(stderr=as_json)
    with console.status("playing …"):
        measured = list(game_rates(Catalogue()))
    if as_json:
        rows = [
            one._asdict() | {"per_second": one.per_second, "share": one.share, "times_alone": one.times_alone}
            for one in measured
        ]
        print_json({"machine": machine(), "versions": versions(), "rates": rows})
        return
    table = Table(title=machine(), title_justify="left")
    for heading in ("depth", "jobs", "games", "games/s", "× one\njob", "search,\nof the time", "× searches\nalone"):
        table.add_column(heading, justify="right")
    single = {one.depth: one.per_second for one in measured if one.jobs == 1}
    for one in measured:
        table.add_row(
            str(one.depth),
            str(one.jobs),
            f"{one.games:,}",
            f"{one.per_second:,.0f}",
            f"{one.per_second / single[one.depth]:.2f}",
            f"{100 * one.share:.0f} %",
            f"{one.times_alone:.2f}",
        )
    table.caption = "× searches alone: the time of all jobs against that of the same searches in a compiled loop"
    table.caption_justify = "left"
    console.print(table)


def _truth(program: Path | None, as_json: bool) -> None:
    """How long the solver takes, beside a program where one is named."""
    from rich.console import Console
    from rich.table import Table

    from tournament.bench.truth_speed import solver_speeds
    from tournament.system import machine, versions

    announce_compiling()
    console = Console(stderr=as_json)
    with console.status("solving …"):
        measured = list(solver_speeds(program))
    if as_json:
        rows = [
            asdict(one)
            | {
                "nodes_per_second": one.nodes_per_second,
                "times_their_nodes": one.times_their_nodes,
                "times_their_speed": one.times_their_speed,
            }
            for one in measured
        ]
        print_json({"machine": machine(), "versions": versions(), "solved": rows})
        return
    table = Table("solved", title=machine(), title_justify="left")
    headings = ["nodes", "seconds", "million\nnodes/s"]
    if program is not None:
        headings += [f"nodes ÷\n{program.name}’s", f"nodes/s ÷\n{program.name}’s"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for one in measured:
        ratios = [one.times_their_nodes, one.times_their_speed] if program is not None else []
        table.add_row(
            one.what,
            f"{one.nodes:,}",
            f"{one.seconds:.3f}",
            f"{one.nodes_per_second / 1e6:.2f}",
            *("–" if ratio is None else f"{ratio:.2f}" for ratio in ratios),
        )
    console.print(table)
