from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.common import (
    Columns,
    Connect,
    Evaluators,
    Json,
    Rows,
    announce_compiling,
    print_json,
    shown_score,
)

if TYPE_CHECKING:
    from tournament.position import Position
    from tournament.search import Found, RootMove


def command(
    position: Annotated[
        str, typer.Argument(help="Moves as digits (4435), a diagram (rows from the top, / between them), or `empty`.")
    ],
    evaluator: Annotated[str, typer.Option(help="An evaluator's name or file.")],
    depth: Annotated[int, typer.Option(help="How many plies to look ahead.")],
    algorithm: Annotated[str, typer.Option(help="alphabeta or minimax.")] = "alphabeta",
    order: Annotated[str, typer.Option(help="The order in which moves are tried: left or centre.")] = "left",
    rows: Rows = 6,
    columns: Columns = 7,
    connect: Connect = 4,
    extra: Evaluators = None,
    as_json: Json = False,
) -> None:
    """Search one position and show the move, its score, and what it cost to find."""
    from tournament.catalogue import Catalogue
    from tournament.position import DISC, read_position
    from tournament.rules import Rules
    from tournament.scorer import Scorer
    from tournament.search import Settings, search

    announce_compiling()
    settings = Settings(depth, algorithm, order)  # type: ignore[arg-type]  # it checks them
    start = read_position(position, Rules(rows, columns, connect))
    scorer = Scorer(Catalogue(extra or ()).load(evaluator), start.rules)
    found = search(start, scorer, settings)
    if not as_json:
        _print(start, found, scorer.evaluator.name, scorer.reason, settings.algorithm)
        return
    counters = found.counters
    print_json(
        {
            "position": position,
            "board": str(start),
            "to_move": DISC[start.to_move],
            "evaluator": scorer.evaluator.name,
            "compiled": scorer.compiled,
            "algorithm": settings.algorithm,
            "order": settings.order,
            "depth": depth,
            "move": found.column + 1,
            "score": found.score,
            "generated": counters.generated,
            "expanded": counters.expanded,
            "evaluated": counters.evaluated,
            "cutoffs": counters.cutoffs,
            "saved": found.saved,
            "seconds": found.seconds,
            "cpu_seconds": found.cpu_seconds,
            "root_moves": [
                {"move": move.column + 1, "value": move.value, "exact": move.exact} for move in found.root_moves
            ],
        }
    )


def _print(position: Position, found: Found, evaluator: str, reason: str | None, algorithm: str) -> None:
    from rich.columns import Columns as SideBySide
    from rich.console import Console
    from rich.table import Table

    from tournament.cli.board import drawn
    from tournament.position import DISC, column_digit

    worth = Table("column", "worth", title=f"{DISC[position.to_move]} to move", title_justify="left")
    for move in sorted(found.root_moves, key=lambda move: move.column):
        worth.add_row(
            column_digit(move.column), _worth(move), style="bold green" if move.column == found.column else ""
        )
    cost = Table("counter", title=f"{algorithm}, {evaluator}", title_justify="left")
    cost.add_column("", justify="right")
    counters = found.counters
    for name in ("generated", "expanded", "evaluated", "cutoffs"):
        cost.add_row(name, f"{getattr(counters, name):,}")
    if reason is not None:
        cost.add_row("calls saved", f"{found.saved:,}")
    cost.add_row("seconds", f"{found.seconds:.6f}")
    cost.add_row("nodes per second", f"{counters.generated / found.seconds:,.0f}")
    console = Console()
    console.print(SideBySide([drawn(position), worth, cost], padding=(0, 3)))
    console.print(f"column [bold green]{column_digit(found.column)}[/], score [bold]{shown_score(found.score)}[/]")
    if reason is not None:
        console.print(f"{evaluator} is interpreted ({reason})", style="yellow", markup=False)


def _worth(move: RootMove) -> str:
    return shown_score(move.value) if move.exact else f"at most {shown_score(move.value)}"
