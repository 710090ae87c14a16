from __future__ import annotations

import random
from typing import Annotated

import typer

from tournament.cli.options import RULES, SEARCH, Evaluators, Values, announce_compiling, takes
from tournament.engine.settings import settings_for
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules, Seat
from tournament.text import nearest

USUAL_EVALUATOR = "balanced"
USUAL_DEPTH = 8  # an answer at once on the standard board, and no easy win
USUAL_DEPTH_WITH_DRIFT = 4  # every move has up to three outcomes there
USUALLY = f"{USUAL_DEPTH}; where discs drift, {USUAL_DEPTH_WITH_DRIFT}"


@takes(
    search_values=[option._replace(usual=USUALLY) if option.name == "depth" else option for option in SEARCH],
    rule_values=RULES,
)
def command(
    *,
    evaluator: Annotated[str, typer.Option(help="The machine's evaluator: a name or a file.")] = USUAL_EVALUATOR,
    search_values: Values,
    seat: Annotated[str, typer.Option(help="Your seat: first or second. The first moves first.")] = "first",
    opening: Annotated[str, typer.Option(help="Moves made before the game begins, as digits.")] = "",
    rule_values: Values,
    seed: Annotated[
        int | None, typer.Option(help="What the drift is drawn from.", show_default="another every time")
    ] = None,
    oracle: Annotated[bool, typer.Option("--oracle", help="Play against perfect play, and not an evaluator.")] = False,
    extra: Evaluators = None,
) -> None:
    """Play against an evaluator: type a column, or undo, hint, tree, new, help, quit."""
    from tournament.games.connect4 import SEAT_OF_DISC, Position, play_moves, undecided

    rules = Rules(**rule_values)
    settings = settings_for(rules, search_values, USUAL_DEPTH_WITH_DRIFT if rules.drifts else USUAL_DEPTH)
    seats = {str(known): known for known in SEAT_OF_DISC.values()}
    if seat not in seats:
        raise TourneyError(f"seat is `{seat}`{nearest(seat, seats)} Known are {', '.join(seats)}.")
    undecided(play_moves(Position(rules), opening))

    if oracle:
        usual = {option.name: option.default for option in SEARCH}
        told = [name for name, value in search_values.items() if value not in (None, usual[name])]
        if told := [*told, *(["evaluator"] if evaluator != USUAL_EVALUATOR else [])]:
            raise TourneyError(f"--oracle plays by itself, as it likes: leave --{told[0].replace('_', '-')} out.")
        _play_oracle(rules, seats[seat], opening)
        return

    from tournament.cli.terminal_game import TerminalGame
    from tournament.engine.searcher import Searcher
    from tournament.engine.settings import check_memory
    from tournament.match.human_game import HumanGame
    from tournament.plugins.catalogue import Catalogue
    from tournament.plugins.compiled import Scorer

    announce_compiling()
    check_memory(settings.table, settings.threads, "threads")
    machine = Searcher(Scorer(Catalogue(extra or ()).load(evaluator), rules), settings)
    seed = random.randrange(1 << 32) if seed is None else seed
    TerminalGame(HumanGame(machine, seats[seat], opening, seed=seed)).play()


def _play_oracle(rules: Rules, seat: Seat, opening: str) -> None:
    """Against perfect play, which has no settings."""
    from tournament.truth.scope import check_rules

    check_rules(rules)

    from tournament.cli.terminal_game import TerminalGame
    from tournament.match.human_game import HumanGame
    from tournament.match.oracle import OracleSide

    announce_compiling()
    TerminalGame(HumanGame(OracleSide(rules), seat, opening)).play()
