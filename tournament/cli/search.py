from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.cli.options import RULES, SEARCH, Evaluators, Json, Values, announce_compiling, print_json, takes
from tournament.cli.shown import evaluator_names, prints_aside
from tournament.engine.settings import Settings, settings_for
from tournament.engine.values import shown_score
from tournament.games.connect4 import Rules

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tournament.engine.result import RootMove, SearchResult
    from tournament.games.connect4 import Position
    from tournament.plugins.compiled import Scorer

USUAL_TREE_DEPTH = 3  # plies that fit a screen, or a few


@takes(search_values=SEARCH, rule_values=RULES)
def command(
    position: Annotated[
        str, typer.Argument(help="Moves as digits (4435), a diagram (rows from the top, / between them), or `empty`.")
    ],
    evaluator: Annotated[str, typer.Option(help="An evaluator's name or file.", autocompletion=evaluator_names)],
    search_values: Values,
    rule_values: Values,
    tree: Annotated[bool, typer.Option("--tree", help="Draw the tree that was searched.")] = False,
    tree_depth: Annotated[
        int | None, typer.Option(help="How many plies of it.", min=1, show_default="3; in a file, all")
    ] = None,
    tree_json: Annotated[Path | None, typer.Option(help="Write the tree to this file, for programs.")] = None,
    tree_picture: Annotated[
        Path | None, typer.Option(help="Draw the tree of a small search into this file: .svg, .pdf or .png.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="ALGORITHM", help="Beside it in the picture, that of another algorithm.")
    ] = None,
    extra: Evaluators = None,
    as_json: Json = False,
) -> None:
    """Search one position and show the move, its score, and what it cost to find."""
    from tournament.engine.values import MOST_DEPTH
    from tournament.errors import TourneyError
    from tournament.games.connect4 import read_position, undecided

    rules = Rules(**rule_values)
    settings = settings_for(rules, search_values)
    start = undecided(read_position(position, rules))
    if tree and as_json:
        raise TourneyError("--tree draws for people and --json prints for programs: write --tree-json FILE with it.")
    if tree_depth is not None and not tree and tree_json is None and tree_picture is None:
        raise TourneyError("--tree-depth says how much of the tree to show: add --tree, or --tree-json FILE.")

    if against is not None and tree_picture is None:
        raise TourneyError("--against says what to draw beside the tree: add --tree-picture FILE.")
    other = settings_for(rules, search_values | {"algorithm": against}) if against is not None else None

    from tournament.cli.tree import MOST_DRAWN, check_writable, drawn_node, drawn_tree, legend, write_tree
    from tournament.engine.searcher import search
    from tournament.engine.settings import check_memory
    from tournament.engine.tree import MOST_NODES, explain
    from tournament.plugins.catalogue import Catalogue
    from tournament.plugins.compiled import Scorer
    from tournament.report.pictures import write_trees

    announce_compiling()
    check_memory(settings.table, settings.threads, "threads")
    if tree_json is not None:
        check_writable(tree_json)
    drawings: list[RenderableType] = []
    with prints_aside(as_json):
        scorer = Scorer(Catalogue(extra or ()).load(evaluator), rules)
        if tree or tree_json is not None:
            plies = tree_depth or (USUAL_TREE_DEPTH if tree else MOST_DEPTH)
            explained = explain(start, scorer, settings, plies, most=MOST_DRAWN if tree else MOST_NODES)
            found = explained.found
            if tree_json is not None:
                write_tree(explained, tree_json)
            if tree:
                drawings = [drawn_tree(explained), legend(explained)]
        else:
            found = search(start, scorer, settings)
        if tree_picture is not None:
            check_writable(tree_picture)
            how = [settings, *([other] if other is not None else [])]
            plies = tree_depth or MOST_DEPTH
            trees = [
                (each.described, drawn_node(explain(start, scorer, each, plies, most=MOST_NODES).tree)) for each in how
            ]
            write_trees(trees, tree_picture)
    if as_json:
        print_json({"position": position, **_told(start, scorer, settings, found)})
    else:
        _print(start, scorer, settings, found, drawings)


def _told(position: Position, scorer: Scorer, settings: Settings, found: SearchResult) -> dict[str, Any]:
    """What was searched, how, and what was found, for programs."""
    from dataclasses import asdict

    from tournament.games.connect4 import DISC, SEATS

    counts_lines = position.rules.objective == "most-lines"
    return {
        "board": str(position),
        "to_move": DISC[position.to_move],
        "rules": asdict(position.rules),
        "lines": {DISC[seat]: position.lines(seat) for seat in SEATS} if counts_lines else None,
        "evaluator": scorer.evaluator.name,
        "compiled": scorer.compiled,
        "algorithm": settings.algorithm,
        "order": settings.order,
        "depth": settings.depth,
        "settings": asdict(settings),
        "move": found.chosen + 1,
        "score": found.score,
        "reached": found.depth,
        "deepest": found.deepest,
        **asdict(found.counters),
        "saved": found.saved,
        "seconds": found.seconds,
        "cpu_seconds": found.cpu_seconds,
        "root_moves": [
            {"move": move.column + 1, "value": move.value, "exact": move.exact} for move in found.root_moves
        ],
    }


def _print(
    position: Position, scorer: Scorer, settings: Settings, found: SearchResult, drawings: list[RenderableType]
) -> None:
    from dataclasses import asdict

    from rich.columns import Columns as SideBySide
    from rich.console import Console
    from rich.table import Table as Grid

    from tournament.cli.board import drawn
    from tournament.games.connect4 import DISC, column_digit

    rules, evaluator = position.rules, scorer.evaluator.name
    worth = Grid("column", "worth", title=f"{DISC[position.to_move]} to move", title_justify="left")
    for move in sorted(found.root_moves, key=lambda move: move.column):
        worth.add_row(
            column_digit(move.column), _worth(move), style="bold green" if move.column == found.chosen else ""
        )
    cost = Grid("counter", title=f"{settings.described}, {evaluator}", title_justify="left")
    cost.add_column("", justify="right")
    counters = found.counters
    for name, value in asdict(counters).items():
        cost.add_row(name, f"{value:,}")
    if scorer.reason is not None:
        cost.add_row("calls saved", f"{found.saved:,}")
    cost.add_row("depth reached", str(found.depth))
    cost.add_row("deepest level", str(found.deepest))
    cost.add_row("seconds", f"{found.seconds:.6f}")
    cost.add_row("nodes per second", f"{counters.generated / found.seconds:,.0f}")
    console = Console()
    console.print(SideBySide([drawn(position), worth, cost], padding=(0, 3)))
    if rules != Rules(rules.rows, rules.columns, rules.connect):
        console.print(rules.described, style="dim", highlight=False)
    console.print(f"column [bold green]{column_digit(found.chosen)}[/], score [bold]{shown_score(found.score)}[/]")
    for drawing in drawings:
        console.print()
        console.print(drawing)
    if settings.threads > 1 and not drawings:
        console.print(f"{settings.threads} threads: counters depend on timing", style="dim", highlight=False)
    if scorer.reason is not None:
        console.print(f"{evaluator} is interpreted ({scorer.reason})", style="yellow", markup=False)


def _worth(move: RootMove) -> str:
    return shown_score(move.value) if move.exact else f"at most {shown_score(move.value)}"
