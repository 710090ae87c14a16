from __future__ import annotations

from typing import Annotated

import typer


def command(name: Annotated[str, typer.Argument(help="The name it will have in every table.")]) -> None:
    """Write a working evaluators/NAME.py to start from."""
    from tournament.plugins.new import write_new

    path = write_new(name)
    print(f"wrote {path}: edit it, then try `tourney check {name}`")
