"""tourney: a tournament runner for evaluation functions of Connect Four and its relatives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: else each process has a thread for every core

if TYPE_CHECKING:
    from tournament.games.connect4 import Position, Rules
    from tournament.isolation.limits import Isolation
    from tournament.report.results import Results
    from tournament.report.study import StudyResults
    from tournament.truth.verdict import Truth

__all__ = ["run", "solve"]


def run(
    config: str | Path,
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    isolation: Isolation | None = None,
    scheduler: str | None = None,
) -> Results | StudyResults:
    """Play a tournament or make a study as `tourney run` does, and return its results."""
    from tournament.system import check_system  # late, so that `import tournament` costs nothing

    check_system()  # before what Windows can't import
    from tournament.runs.runner import run

    return run(config, jobs=jobs, out=out, fresh=fresh, isolation=isolation, scheduler=scheduler)


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
    from tournament.games.connect4 import STANDARD, read_position
    from tournament.truth.oracle import Question, solve_all
    from tournament.truth.solver import USUAL_MEGABYTES

    start = read_position(position, rules or STANDARD) if isinstance(position, str) else position
    question = Question(start.rules, exact, nodes, seconds, use_book, megabytes or USUAL_MEGABYTES)
    return next(solve_all([start], question))
