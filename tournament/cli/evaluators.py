from __future__ import annotations

from typing import Any

from tournament.cli.options import Evaluators, Json, announce_compiling, print_json
from tournament.cli.shown import prints_aside

MOST_SECONDS = 60.0  # for one of them


def command(extra: Evaluators = None, as_json: Json = False) -> None:
    """List the evaluators that can be named, and what each costs.

    Found: those bundled with tourney, ./evaluators/, --evaluators, and installed packages.
    """
    from tournament.cli.waiting import Waiting
    from tournament.engine import nodes
    from tournament.engine.timing import nanoseconds_per_call
    from tournament.errors import EvaluatorError, EvaluatorFault
    from tournament.games.connect4 import STANDARD
    from tournament.isolation.call import call
    from tournament.plugins.catalogue import Catalogue, Listing
    from tournament.plugins.compiled import Scorer
    from tournament.plugins.plugin import MOST_DESCRIPTION, MOST_TRACEBACK
    from tournament.text import storable

    catalogue = Catalogue(extra or ())
    waiting = Waiting()
    announce_compiling(waiting)
    waiting("loading the engine")
    nodes.compiled(STANDARD, False)  # here, where it can be said that it takes a while

    def describe(entry: Listing) -> list[Any]:
        """What it says of itself, whether it is compiled, or why not, the time of a call in ns, or why it has none."""
        description = ""
        try:
            evaluator = catalogue.load(entry.name)
            description = evaluator.description
            scorer = Scorer(evaluator, STANDARD)
            return [description, scorer.compiled, scorer.reason, nanoseconds_per_call(scorer), None]
        except (EvaluatorError, EvaluatorFault) as error:
            return [description, False, None, None, str(error)]

    def described(entry: Listing) -> dict[str, Any]:
        """What running it shows, in a process of its own: one that loops or ends it is told like any other fault."""
        row: dict[str, Any] = {"name": storable(entry.name), "description": "", "compiled": False, "reason": None}
        row |= {"ns_per_call": None, "error": None}
        try:
            match call(lambda: describe(entry), MOST_SECONDS):
                case [str(told), bool(compiled), str() | None as reason, int() | float() as cost, None]:
                    row |= {"description": storable(f"{told:.{MOST_DESCRIPTION}}"), "compiled": compiled}
                    row |= {"reason": reason and storable(f"{reason:.{MOST_TRACEBACK}}"), "ns_per_call": round(cost, 1)}
                case [str(told), False, None, None, str(error)]:
                    row["description"] = storable(f"{told:.{MOST_DESCRIPTION}}")
                    row["error"] = storable(f"{error:.{MOST_TRACEBACK}}")
                case _:
                    row["error"] = "its process answered with what is no answer"
        except (TimeoutError, ChildProcessError) as ended:
            row["error"] = str(ended)
        return row | {"origin": storable(entry.origin), "file": str(entry)}

    rows = []
    entries = sorted(catalogue.entries.items())
    for number, (name, entry) in enumerate(entries, start=1):
        waiting(f"running {name}: evaluator {number} of {len(entries)}, for {MOST_SECONDS:g} seconds at most")
        with prints_aside():
            rows.append(described(entry))
    waiting.end()
    if as_json:
        print_json(rows)
    else:
        _print_table(rows)


def _print_table(rows: list[dict[str, Any]]) -> None:
    """A line or two for each: its name, cost and origin, then what it is, or why it can't run, in whole lines."""
    from rich.console import Console
    from rich.text import Text

    from tournament.cli.tables import wrapped

    console = Console()
    names = max(len(row["name"]) for row in rows)
    for row in rows:
        cost = "–" if row["ns_per_call"] is None else f"{row['ns_per_call']:,.0f} ns a call"
        runs = "can't run" if row["error"] is not None else "compiled" if row["compiled"] else "interpreted"
        line = Text(f"{row['name']:{names}}  ", "bold")
        line.append(runs, {"can't run": "red", "interpreted": "yellow"}.get(runs, ""))
        line.append(f", {cost}, {row['origin']}")
        console.print(line, soft_wrap=True)
        told = filter(
            None, (row["error"], row["description"], f"in Python: {row['reason']}" if row["reason"] else None)
        )
        for text in told:
            for part in wrapped(text, max(console.width, 40) - 2):
                console.print(Text(f"  {part}", "dim"), soft_wrap=True)
