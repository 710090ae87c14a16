"""tourney: a tournament runner for evaluation functions of Connect Four and its relatives.

`run` plays a tournament, `search` searches one position, `duel` tells whether one evaluator is better than another;
what goes wrong is a `TourneyError`. `tourney guide python` says more.
"""

from __future__ import annotations

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
    from tournament.runs.python import duel, run, search

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
]


def __getattr__(name: str) -> Any:
    """`run`, `search` and `duel` are imported when they are asked for, so that `import tournament` costs nothing."""
    if name not in ("duel", "run", "search"):
        raise AttributeError(f"module 'tournament' has no attribute {name!r}")
    from tournament.system import check_system

    check_system()  # before what Windows can't import
    from tournament.runs import python

    return getattr(python, name)
