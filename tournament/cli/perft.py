from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.options import Columns, Connect, Json, Rows, announce_compiling, print_json


def command(
    plies: Annotated[int, typer.Argument(min=0, help="How many moves deep to count.")],
    rows: Rows = 6,
    columns: Columns = 7,
    connect: Connect = 4,
    as_json: Json = False,
) -> None:
    """Count move sequences and distinct positions, to trust the rules by."""
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from tournament.engine.perft import perft
    from tournament.games.connect4 import Rules

    rules = Rules(rows, columns, connect)
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
