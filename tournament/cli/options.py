"""What several commands share: options, the note that something is being compiled, and how values are shown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

if TYPE_CHECKING:
    from tournament.engine.settings import Settings
    from tournament.games.connect4 import Rules
    from tournament.isolation.limits import Isolation

Rows = Annotated[int, typer.Option(help="Rows of the board.")]
Columns = Annotated[int, typer.Option(help="Columns of the board.")]
Connect = Annotated[int, typer.Option(help="How many make a line.")]
Objective = Annotated[str, typer.Option(help="What wins: first-line, or most-lines when the board is full.")]
Drift = Annotated[
    float, typer.Option(help="The probability that a disc lands in the chosen column, otherwise in an open neighbour.")
]
DriftPlayers = Annotated[str, typer.Option(help="Whose discs drift: both, first or second.")]
Nodes = Annotated[int | None, typer.Option(help="Instead of a depth: the most positions to generate.")]
Seconds = Annotated[float | None, typer.Option(help="Instead of a depth: the time to search.")]
Algorithm = Annotated[
    str | None,
    typer.Option(
        help="minimax, alphabeta or pvs; where discs drift expectiminimax, star1 or star2.",
        show_default="alphabeta or star1",
    ),
]
Order = Annotated[str, typer.Option(help="The order in which moves are tried: left, centre, killers or history.")]
Table = Annotated[int, typer.Option(help="A transposition table of 2^TABLE positions; 0 is none.")]
Iterative = Annotated[bool, typer.Option("--iterative", help="Search depth 1, then 2, and so on.")]
Aspiration = Annotated[
    float, typer.Option(help="Half the width of a window around the score of the depth before; 0 is none.")
]
Evaluators = Annotated[
    list[Path] | None, typer.Option("--evaluators", help="A further file or folder of evaluators; may be repeated.")
]
IsolationOption = Annotated[
    str | None,
    typer.Option("--isolation", help="Where players search: game (together), player (each apart) or sandbox."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def read_rules(rows: int, columns: int, connect: int, objective: str, drift: float, drift_players: str) -> Rules:
    """The rules that the options name, checked."""
    from tournament.games.connect4 import Rules

    return Rules(rows, columns, connect, objective, drift, drift_players)  # type: ignore[arg-type]  # it checks them


def read_settings(
    rules: Rules,
    *,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    algorithm: str | None,
    order: str,
    table: int,
    iterative: bool,
    aspiration: float,
) -> Settings:
    """The search that the options name, checked: by itself and against the rules."""
    from tournament.engine.algorithms import usual_algorithm
    from tournament.engine.settings import Settings

    settings = Settings(
        depth=depth,
        algorithm=algorithm or usual_algorithm(rules),  # type: ignore[arg-type]  # it checks them
        order=order,  # type: ignore[arg-type]
        table=table,
        iterative=iterative,
        aspiration=aspiration,
        nodes=nodes,
        seconds=seconds,
    )
    settings.suit(rules)
    return settings


def announce_compiling() -> None:
    """Say on standard error, once, when something has to be compiled first."""
    from tournament.engine.jit.cache import cache_folder
    from tournament.engine.jit.specialise import when_compiling

    def announce() -> None:
        kept = "once; kept for the next time" if cache_folder() else "there is no cache folder to keep it in"
        print(f"compiling ({kept}) …", file=sys.stderr, flush=True)
        when_compiling.clear()

    when_compiling[:] = [announce]


def known_isolation(value: str | None) -> Isolation | None:
    """The isolation of that name; an error where there is none."""
    from tournament.errors import TourneyError
    from tournament.isolation.limits import Isolation
    from tournament.text import nearest

    if value is None:
        return None
    if value not in get_args(Isolation):
        known = ", ".join(get_args(Isolation))
        raise TourneyError(f"isolation `{value}` is not known{nearest(value, get_args(Isolation))} Known are {known}.")
    return cast("Isolation", value)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
