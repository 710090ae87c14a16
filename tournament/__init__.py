"""tourney: a tournament runner for evaluation functions of Connect Four and its relatives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: else each process has a thread for every core

if TYPE_CHECKING:
    from tournament.isolation.limits import Isolation
    from tournament.report.results import Results
    from tournament.report.study import StudyResults

__all__ = ["run"]


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
