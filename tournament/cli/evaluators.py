from __future__ import annotations

from typing import Any

from tournament.cli.options import Evaluators, Json, announce_compiling, print_json

MOST_SECONDS = 60.0  # for one of them


def command(extra: Evaluators = None, as_json: Json = False) -> None:
    """List the evaluators that can be named, and what each costs.

    Found: those bundled with tourney, ./evaluators/, --evaluators, and installed packages.
    """
    from tournament.engine import nodes
    from tournament.engine.timing import nanoseconds_per_call
    from tournament.errors import EvaluatorError, EvaluatorFault
    from tournament.games.connect4 import STANDARD
    from tournament.isolation.call import call
    from tournament.plugins.catalogue import Catalogue, Listing
    from tournament.plugins.compiled import Scorer

    catalogue = Catalogue(extra or ())
    announce_compiling()
    nodes.compiled(STANDARD, False)  # here, where it can be said that it takes a while

    def describe(entry: Listing) -> dict[str, Any]:
        row: dict[str, Any] = {"name": entry.name, "description": "", "compiled": False, "reason": None}
        row |= {"ns_per_call": None, "error": None}
        try:
            evaluator = catalogue.load(entry.name)
            scorer = Scorer(evaluator, STANDARD)
            row |= {"description": evaluator.description, "compiled": scorer.compiled, "reason": scorer.reason}
            row["ns_per_call"] = round(nanoseconds_per_call(scorer), 1)
        except (EvaluatorError, EvaluatorFault) as error:
            row |= {"compiled": False, "error": str(error)}
        return row | {"origin": entry.origin, "file": str(entry)}

    def described(entry: Listing) -> dict[str, Any]:
        """The same, in a process of its own: a file that loops or ends its process is told like any other fault."""
        try:
            row: dict[str, Any] = call(lambda: describe(entry), MOST_SECONDS)
        except (TimeoutError, ChildProcessError) as error:
            row = {"name": entry.name, "description": "", "compiled": False, "reason": None, "ns_per_call": None}
            row |= {"error": str(error), "origin": entry.origin, "file": str(entry)}
        return row

    rows = [described(entry) for _, entry in sorted(catalogue.entries.items())]
    if as_json:
        print_json(rows)
    else:
        _print_table(rows)


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("evaluator", "what it is", "runs", "from", title="Evaluators", title_justify="left")
    table.add_column("ns per call", justify="right")
    for row in rows:
        if row["error"] is not None:
            runs = f"[red]can't run:[/] {escape(row['error'])}"
        else:
            runs = "compiled" if row["compiled"] else f"[yellow]interpreted[/] ({escape(row['reason'])})"
        cost = "–" if row["ns_per_call"] is None else f"{row['ns_per_call']:,.0f}"
        table.add_row(row["name"], escape(row["description"]), runs, escape(row["origin"]), cost)
    Console().print(table)
