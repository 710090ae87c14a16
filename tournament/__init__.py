"""tourney: a tournament runner for evaluation functions of Connect Four and its relatives.

`run` plays a tournament, `search` searches one position, `duel` tells whether one evaluator is better than another;
what goes wrong is a `TourneyError`. `tourney guide python` says more.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

from tournament.errors import (
    ConfigError,
    EvaluatorError,
    EvaluatorFault,
    OpeningError,
    PositionError,
    RulesError,
    StoreError,
    TourneyError,
)

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: else each process has a thread for every core

if TYPE_CHECKING:
    from tournament.games.connect4 import Position, Rules
    from tournament.runs.python import duel, run, search
    from tournament.truth.verdict import Truth

__all__ = [
    "ConfigError",
    "EvaluatorError",
    "EvaluatorFault",
    "OpeningError",
    "PositionError",
    "RulesError",
    "StoreError",
    "TourneyError",
    "duel",
    "run",
    "search",
    "solve",
]


def __getattr__(name: str) -> Any:
    """`run`, `search` and `duel` are imported when they are asked for, so that `import tournament` costs nothing."""
    if name not in ("duel", "run", "search"):
        raise AttributeError(f"module 'tournament' has no attribute {name!r}")
    from tournament.system import check_system

    check_system()  # before what Windows can't import
    from tournament.runs import python

    return getattr(python, name)


def solve(
    position: str | Position,
    *,
    rules: Rules | None = None,
    exact: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    use_book: bool = True,
    megabytes: int | None = None,
) -> Truth:
    """What perfect play makes of a position, as `tourney solve` says it; one that is a text is read by the rules."""
    from tournament.games.connect4 import STANDARD, Position, Rules, read_position
    from tournament.truth.oracle import Question, solve_all
    from tournament.truth.solver import USUAL_MEGABYTES

    if not isinstance(position, str | Position):
        raise PositionError(f'{position!r} is no position: write moves as digits ("4435"), a diagram, or "empty".')
    if not isinstance(rules, Rules | None):
        raise RulesError(f"{rules!r} is no rules: write `Rules(rows=6, columns=7)`, of tournament.games.connect4.")
    for name, given, least in (("nodes", nodes, 1), ("seconds", seconds, 0.001), ("megabytes", megabytes, 1)):
        if given is not None and not (isinstance(given, int | float) and least <= given < math.inf):
            raise TourneyError(f"{name} is {given!r}: expected a number from {least} on.")
    start = read_position(position, rules or STANDARD) if isinstance(position, str) else position
    question = Question(start.rules, exact, nodes, seconds, use_book, megabytes or USUAL_MEGABYTES)
    return next(solve_all([start], question))
