"""What several commands share: options, the note that something is being compiled, and how values are shown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

if TYPE_CHECKING:
    from tournament.limits import Isolation

Rows = Annotated[int, typer.Option(help="Rows of the board.")]
Columns = Annotated[int, typer.Option(help="Columns of the board.")]
Connect = Annotated[int, typer.Option(help="How many make a line.")]
Objective = Annotated[str, typer.Option(help="What wins: first-line, or most-lines when the board is full.")]
Drift = Annotated[
    float, typer.Option(help="The probability that a disc lands in the chosen column, otherwise in an open neighbour.")
]
DriftPlayers = Annotated[str, typer.Option(help="Whose discs drift: both, first or second.")]
Evaluators = Annotated[
    list[Path] | None, typer.Option("--evaluators", help="A further file or folder of evaluators; may be repeated.")
]
IsolationOption = Annotated[
    str | None,
    typer.Option("--isolation", help="Where players search: game (together), player (each apart) or sandbox."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def announce_compiling() -> None:
    """Say on standard error, once, when something has to be compiled first."""
    from tournament import jit

    def announce() -> None:
        kept = "once; kept for the next time" if jit.cache_folder() else "there is no cache folder to keep it in"
        print(f"compiling ({kept}) …", file=sys.stderr, flush=True)
        jit.when_compiling.clear()

    jit.when_compiling[:] = [announce]


def known_isolation(value: str | None) -> Isolation | None:
    """The isolation of that name; an error where there is none."""
    from tournament.errors import TourneyError, nearest
    from tournament.limits import Isolation

    if value is None:
        return None
    if value not in get_args(Isolation):
        known = ", ".join(get_args(Isolation))
        raise TourneyError(f"isolation `{value}` is not known{nearest(value, get_args(Isolation))} Known are {known}.")
    return cast("Isolation", value)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
