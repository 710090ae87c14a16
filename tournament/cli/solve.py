from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import BOARD, Json, Values, announce_compiling, print_json, takes
from tournament.cli.signals import ending_gently
from tournament.errors import PositionError, TourneyError
from tournament.games.connect4 import Position, Rules, column_digit, read_position, undecided
from tournament.text import counted, error_line, in_plies, shown

if TYPE_CHECKING:
    from tournament.truth.verdict import MoveTruth, Truth


@takes(board=BOARD)
def command(
    board: Values,
    position: Annotated[
        str | None,
        typer.Argument(
            help="Moves as digits (4435), a diagram (rows from the top, / between them), or `empty`.",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Say too in how many plies the game ends.")] = False,
    nodes: Annotated[int | None, typer.Option(help="Search so many positions at most, for each.", min=1)] = None,
    seconds: Annotated[float | None, typer.Option(help="Search so long at most, for each.", min=0.001)] = None,
    no_book: Annotated[
        bool, typer.Option("--no-book", help="Without the book, and without what was solved before.")
    ] = False,
    memory: Annotated[int, typer.Option(help="Megabytes of the solver's table, in each process.")] = 256,
    file: Annotated[
        Path | None, typer.Option(help="Solve the positions of this file, one a line; with --json.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many processes solve a file.", min=1, show_default="one a core")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what perfect play makes of a position: won, drawn or lost, by each move."""
    if (position is None) == (file is None):
        raise TourneyError(
            "solve takes a position (moves like 4435, a diagram, or `empty`), or --file FILE: one of them."
        )
    if nodes is not None and seconds is not None:
        raise TourneyError("--nodes and --seconds both limit the search: give one of them.")
    if file is not None and not as_json:
        raise TourneyError("--file prints one JSON object a line, for programs: add --json.")
    rules = Rules(**board)
    texts = [("", position)] if position is not None else list(_lines(file or Path()))
    positions = [_read(where, text, rules) for where, text in texts]

    from tournament.truth.oracle import Question, solve_all

    announce_compiling()
    question = Question(rules, exact, nodes, seconds, not no_book, memory)
    jobs = min(jobs or os.cpu_count() or 1, max(1, len(positions)))
    # One process ends at once, also within compiled code; several are ended by us.
    last_word = "stopped." if no_book else "stopped; what was solved is kept for the next time."
    gently = ending_gently(last_word) if jobs > 1 else nullcontext()
    with gently, closing(solve_all(positions, question, jobs)) as found:
        for (_, text), start, truth in zip(texts, positions, found, strict=True):
            if file is not None:
                print(json.dumps({"position": text, **asdict(truth)}, ensure_ascii=False), flush=True)
            elif as_json:
                print_json({"position": text, **asdict(truth)})
            else:
                _print(start, truth)


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file, and where each stands."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TourneyError(f"{shown(file)} can't be read: {error_line(error)}.") from error
    for number, line in enumerate(lines, start=1):
        yield f"{shown(file)}:{number}: ", line.strip()


def _read(where: str, text: str, rules: Rules) -> Position:
    try:
        return undecided(read_position(text, rules))
    except TourneyError as error:
        raise PositionError(f"{where}{error}") from error


def _print(position: Position, truth: Truth) -> None:
    from rich.columns import Columns as SideBySide
    from rich.console import Console
    from rich.table import Table

    from tournament.cli.board import drawn

    moves = Table("column", "perfect play", title=f"{truth.to_move} to move", title_justify="left")
    for one in truth.moves:
        moves.add_row(column_digit(one.move - 1), _worth(one), style="bold green" if one.move in truth.best else "")
    console = Console()
    console.print(SideBySide([drawn(position), moves], padding=(0, 3)))
    best = " ".join(column_digit(move - 1) for move in truth.best)
    console.print(f"[bold]{_worth(truth)}[/]" + (f", best: [bold green]{best}[/]" if best else ""), highlight=False)
    console.print(f"{counted(truth.nodes, 'node')}, {truth.seconds:.3f} seconds", style="dim", highlight=False)


def _worth(found: Truth | MoveTruth) -> str:
    """`win in 7 plies`, `draw`, or `not proven`."""
    if found.value == "unknown":
        return "not proven"
    return found.value if found.plies is None or found.value == "draw" else f"{found.value} in {in_plies(found.plies)}"
