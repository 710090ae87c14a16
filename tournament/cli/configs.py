from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from tournament.cli.options import Json, print_json
from tournament.cli.shown import config_names


def command(
    name: Annotated[
        str | None,
        typer.Argument(help="The config to print, as it is.", show_default=False, autocompletion=config_names),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the configs that come with tourney, or print one: `tourney configs depths > depths.yaml`."""
    from tournament.errors import TourneyError
    from tournament.plan.bundled import bundled_config, bundled_configs

    if name is not None:
        if as_json:
            raise TourneyError("--json is for the list: a config is YAML.")
        sys.stdout.buffer.write(bundled_config(name))
        sys.stdout.buffer.flush()
    elif as_json:
        print_json([asdict(config) for config in bundled_configs()])
    else:
        _print_list()


def _print_list() -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tournament.plan.bundled import bundled_configs

    table = Table.grid(padding=(0, 2))
    for config in bundled_configs():
        table.add_row(Text(config.name, "bold"), Text(config.shows))
    console = Console()
    console.print(table)
    console.print("\n`tourney configs NAME > NAME.yaml` writes one, `tourney run NAME.yaml` plays it.")
