from __future__ import annotations

import random
from typing import Annotated

import typer

from tournament.cli.options import (
    Algorithm,
    Aspiration,
    Columns,
    Connect,
    Drift,
    DriftPlayers,
    Evaluators,
    Iterative,
    Nodes,
    Objective,
    Order,
    Rows,
    Seconds,
    Table,
    announce_compiling,
    read_rules,
    read_settings,
)
from tournament.errors import TourneyError
from tournament.text import nearest

USUAL_DEPTH = 8  # an answer at once on the standard board, and no easy win
USUAL_DEPTH_WITH_DRIFT = 4  # every move has up to three outcomes there


def command(
    evaluator: Annotated[str, typer.Option(help="The machine's evaluator: a name or a file.")] = "balanced",
    depth: Annotated[
        int | None,
        typer.Option(help="How many plies the machine looks ahead.", show_default="8; where discs drift, 4"),
    ] = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    algorithm: Algorithm = None,
    order: Order = "left",
    table: Table = 0,
    iterative: Iterative = False,
    aspiration: Aspiration = 0.0,
    seat: Annotated[str, typer.Option(help="Your seat: first or second. The first moves first.")] = "first",
    opening: Annotated[str, typer.Option(help="Moves made before the game begins, as digits.")] = "",
    rows: Rows = 6,
    columns: Columns = 7,
    connect: Connect = 4,
    objective: Objective = "first-line",
    drift: Drift = 1.0,
    drift_players: DriftPlayers = "both",
    seed: Annotated[
        int | None, typer.Option(help="What the drift is drawn from.", show_default="another every time")
    ] = None,
    extra: Evaluators = None,
) -> None:
    """Play against an evaluator: type a column, or undo, hint, tree, new, help, quit."""
    from tournament.games.connect4 import SEAT_OF_DISC, Position, play_moves, undecided

    rules = read_rules(rows, columns, connect, objective, drift, drift_players)
    if depth is None and nodes is None and seconds is None:
        depth = USUAL_DEPTH_WITH_DRIFT if rules.drifts else USUAL_DEPTH
    settings = read_settings(
        rules,
        depth=depth,
        nodes=nodes,
        seconds=seconds,
        algorithm=algorithm,
        order=order,
        table=table,
        iterative=iterative,
        aspiration=aspiration,
    )
    seats = {str(known): known for known in SEAT_OF_DISC.values()}
    if seat not in seats:
        raise TourneyError(f"seat is `{seat}`{nearest(seat, seats)} Known are {', '.join(seats)}.")
    undecided(play_moves(Position(rules), opening))

    from tournament.cli.terminal_game import Sitting
    from tournament.engine.searcher import Searcher
    from tournament.engine.settings import check_memory
    from tournament.match.human_game import Friendly
    from tournament.plugins.catalogue import Catalogue
    from tournament.plugins.compiled import Scorer

    announce_compiling()
    check_memory(settings.table)
    machine = Searcher(Scorer(Catalogue(extra or ()).load(evaluator), rules), settings)
    seed = random.randrange(1 << 32) if seed is None else seed
    Sitting(Friendly(machine, seats[seat], opening, seed=seed)).play()
