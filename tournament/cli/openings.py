from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.options import BOARD, Json, Values, print_json, takes


@takes(board=BOARD)
def command(
    *,
    suite: Annotated[
        str,
        typer.Argument(help="empty, plies=2, plies=6,sample=50, plies=4,value=draw, file=PATH, or a list: 44,4435."),
    ],
    seed: Annotated[int, typer.Option(help="What a sample is drawn from.")] = 1,
    board: Values,
    as_json: Json = False,
) -> None:
    """Print a suite of openings, one a line, and how many there are."""
    import sys

    from tournament.games.connect4 import Rules
    from tournament.plan.openings import parse_suite
    from tournament.text import counted

    openings = parse_suite(suite, Rules(**board), seed)
    if openings.note:
        print(openings.note, file=sys.stderr)
    if as_json:
        print_json(openings)
        return
    for moves in openings:
        print(moves or "empty")
    print(counted(len(openings), "opening"), file=sys.stderr)
