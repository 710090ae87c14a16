from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from tournament.cli.options import Evaluators, Json, announce_compiling, print_json

MARKS = {"ok": "[green]✔[/]", "remark": "[yellow]•[/]", "fault": "[red]✘[/]"}


def command(
    evaluator: Annotated[str, typer.Argument(help="An evaluator's name or file.")],
    extra: Evaluators = None,
    as_json: Json = False,
) -> None:
    """Tell what an evaluator's author needs to know before the tournament.

    Exit code 0: ready to play. 1: something has to be mended.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from tournament.plugins.catalogue import Catalogue
    from tournament.runs.check import check

    announce_compiling()
    checkup = check(evaluator, Catalogue(extra or ()))
    if as_json:
        print_json(asdict(checkup) | {"passed": checkup.passed})
    else:
        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True)
        table.add_column(ratio=2)
        table.add_column(ratio=3, overflow="fold")  # positions are there to be copied
        for finding in checkup.findings:
            table.add_row(MARKS[finding.status], finding.check, escape(finding.detail))
        console = Console()
        console.print(f"[bold]{escape(checkup.name)}[/] ({escape(checkup.file)})")
        console.print(table)
        console.print("[green]ready to play[/]" if checkup.passed else "[red]not ready: mend what is marked ✘[/]")
    raise typer.Exit(0 if checkup.passed else 1)
