"""The oracle as a side: it plays a move that keeps what the position is worth."""

from __future__ import annotations

import math
import time
from functools import cache

from tournament.engine.result import Counters, SearchResult
from tournament.engine.values import WIN
from tournament.errors import PlayerFault, TourneyError
from tournament.games.connect4 import Position, Rules
from tournament.plugins.agent import TimeLeft
from tournament.plugins.perfect import EXACT_NODES
from tournament.truth.player import Chosen, PerfectPlayer

NOTHING = Counters()  # what it searches depends on what it has solved before, so nobody counts


class OracleSide:
    """Plays perfectly, in this process: nothing of it is anybody's file."""

    is_agent = False
    in_python = False
    reason = None
    is_new = False

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.output = ""
        try:
            self._player = _player(rules)
        except TourneyError as error:  # there is too little memory
            raise PlayerFault(str(error), "load") from error

    def move(self, position: Position, time_left: TimeLeft | None = None) -> SearchResult:
        """The move in an undecided position; a PlayerFault where it is not found in time."""
        wall, cpu = time.perf_counter(), time.thread_time()
        is_timed = time_left is not None and math.isfinite(time_left.seconds)
        chosen = self.choose(position, time_left.seconds if is_timed and time_left is not None else None)
        return found_by(chosen, time.perf_counter() - wall, time.thread_time() - cpu)

    def choose(self, position: Position, seconds: float | None = None) -> Chosen:
        """The move and what it is worth; a PlayerFault where that takes longer than so many seconds, or about so."""
        chosen = self._player.choose(position, seconds)
        if chosen is None:
            raise PlayerFault(f"what keeps the value of `{position}` was not proven in time.", "move time")
        return chosen


def found_by(chosen: Chosen, seconds: float, cpu_seconds: float) -> SearchResult:
    """A move that truth has chosen in the form of a search that has counted nothing."""
    score = 0.0 if chosen.sign == 0 else math.nan if chosen.plies is None else chosen.sign * (WIN - chosen.plies)
    return SearchResult(chosen.column, score, NOTHING, seconds, cpu_seconds, 0, 0, 0)


@cache
def _player(rules: Rules) -> PerfectPlayer:
    """The one of this process: what it has solved for one game helps in the next."""
    return PerfectPlayer(rules, EXACT_NODES)
