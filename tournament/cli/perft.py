from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.options import BOARD, Json, Values, announce_compiling, print_json, takes


@takes(board=BOARD)
def command(
    plies: Annotated[int, typer.Argument(min=0, help="How many moves deep to count.")],
    board: Values,
    as_json: Json = False,
) -> None:
    """Count move sequences and distinct positions, to trust the rules by."""
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from tournament.engine.perft import perft
    from tournament.games.connect4 import Rules

    rules = Rules(**board)
    announce_compiling()
    counts = list(perft(rules, plies))
    if as_json:
        print_json([asdict(count) for count in counts])
        return
    table = Table(title=f"{rules}, connect {rules.connect}", title_justify="left")
    for heading in ("plies", "move sequences", "distinct positions"):
        table.add_column(heading, justify="right")
    for count in counts:
        table.add_row(str(count.plies), f"{count.sequences:,}", f"{count.positions:,}")
    Console().print(table)
