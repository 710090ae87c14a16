from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from tournament.cli.options import Evaluators, Json, announce_compiling, print_json
from tournament.cli.shown import evaluator_names, prints_aside

MARKS = {"ok": "[green]✔[/]", "remark": "[yellow]•[/]", "fault": "[red]✘[/]"}


def command(
    evaluator: Annotated[str, typer.Argument(help="An evaluator's name or file.", autocompletion=evaluator_names)],
    extra: Evaluators = None,
    as_json: Json = False,
) -> None:
    """Tell what an evaluator's author needs to know before the tournament.

    Exit code 0: ready to play. 1: something has to be mended.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from tournament.cli.waiting import Waiting
    from tournament.plugins.catalogue import Catalogue
    from tournament.runs.check import MOST_SECONDS, Finding, check

    catalogue, console = Catalogue(extra or ()), Console()

    def tell(finding: Finding) -> None:
        table = Table.grid(padding=(0, 1), expand=True)
        table.add_column(no_wrap=True)
        table.add_column(ratio=2)
        table.add_column(ratio=3, overflow="fold")  # positions are there to be copied
        table.add_row(MARKS[finding.status], finding.check, escape(finding.detail))
        waiting.clear()
        console.print(table)
        waiting(f"looking on after `{finding.check}`, for {MOST_SECONDS:g} seconds at most")

    with Waiting(shown=not as_json) as waiting:
        announce_compiling(waiting)
        if not as_json:
            entry = catalogue.find(evaluator)
            console.print(f"[bold]{escape(entry.name)}[/] ({escape(str(entry))})")
        waiting(f"running {evaluator}")
        with prints_aside(as_json):
            checkup = check(evaluator, catalogue, (lambda finding: None) if as_json else tell)
    if as_json:
        print_json(asdict(checkup) | {"passed": checkup.passed})
    else:
        console.print("[green]ready to play[/]" if checkup.passed else "[red]not ready: mend what is marked ✘[/]")
    raise typer.Exit(0 if checkup.passed else 1)
