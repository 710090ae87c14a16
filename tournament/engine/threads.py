"""The moves of the root shared out among threads: the same value and move, from more cores.

Each thread has a state of its own, with its own table, killers and history, and takes the next move of the root with
the best value that is known by then. Compiled code lets other threads run (`nogil`).

The value and the move hang on no timing. A move whose value comes back above its bar is known exactly. One that comes
back at most at its bar is worse than what was best when it was begun, or as good and later in move order: for a move
that comes before the best one the bar lies one step below it, as in `nodes.visit`. So the best value, and the first of
the moves that have it, are those of one thread. How much was searched for it depends on which bar was known when.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tournament.engine.result import COUNTERS
from tournament.engine.state import MOST_COLUMNS, NO_FAULT, NO_MOVE
from tournament.engine.transpositions import AT_MOST, EXACT, UNKNOWN
from tournament.engine.values import SCORE_LIMIT, WIN

Visit = Callable[[Any, int, int, int, float, float, int], float]


class Round:
    """One search of the root's moves to one depth within one window, which several threads make together."""

    def __init__(self, moves: Sequence[int], low: float, high: float, *, prunes: bool) -> None:
        self.waiting = list(reversed(moves))
        self.low, self.high, self.prunes = low, high, prunes
        self.best = NO_MOVE  # of the moves that are known exactly
        self.most = -math.inf  # that any move may be worth
        self.values: dict[int, tuple[float, int]] = {}  # with how each is known, by the place of the move
        self.stopped = False
        self.error: tuple[Exception, Any] | None = None  # and the state of the thread that it ended
        self._lock = threading.Lock()

    def next(self) -> tuple[int, float] | None:
        """The place of a move that nobody has searched, and the bar that it must get above; None: there is no more."""
        with self._lock:
            if not self.waiting or self.stopped or self.error is not None or self.most >= self.high:
                return None
            index = self.waiting.pop()
            bar = self.low
            if self.prunes and self.best != NO_MOVE:
                bar = max(self.low, self.values[self.best][0])
                if index < self.best:
                    bar = float(np.nextafter(bar, -math.inf))
            return index, bar

    def found(self, index: int, value: float, bar: float) -> None:
        with self._lock:
            self.values[index] = value, EXACT if value > bar else AT_MOST
            self.most = max(self.most, value)
            if value > bar and (self.best == NO_MOVE or (value, -index) > (self.values[self.best][0], -self.best)):
                self.best = index

    def failed(self, error: Exception, state: Any) -> None:
        with self._lock:
            self.error = self.error or (error, state)


class SharedRoot:
    """A search by several threads, whose answer stands in the state that it is given."""

    def __init__(self, into: Any, states: Sequence[Any], visit: Visit, *, drifts: bool) -> None:
        self.into = into
        self.states = states
        self.visit = visit
        self.drifts = drifts
        self.cpu_seconds = 0.0  # of the last search, in its threads

    def choose(self, mine: int, occupied: int, moves: Sequence[int]) -> int:
        """What `nodes.choose` says of a position in which the moves at these places are open."""
        into = self.into
        self.cpu_seconds = 0.0
        self._begin()
        best = NO_MOVE
        most_depth = int(into["most_depth"])
        with ThreadPoolExecutor(len(self.states)) as pool:
            for depth in range(1 if into["use_deepening"] else most_depth, most_depth + 1):
                evaluated = self._sum("evaluated")
                low, high = -math.inf, math.inf
                if into["aspiration"] > 0 and best != NO_MOVE:
                    middle = float(into["answer"][best])
                    low = min(middle - into["aspiration"], np.nextafter(middle, -math.inf))
                    high = max(middle + into["aspiration"], np.nextafter(middle, math.inf))
                first = [best] if best != NO_MOVE else []
                order = [*first, *(index for index in moves if index not in first)]
                while True:
                    made = Round(order, low, high, prunes=bool(into["use_pruning"]))
                    self._search(pool, made, mine, occupied, depth)
                    if made.stopped or low < made.most < high:
                        break
                    low, high = (-math.inf, high) if made.most <= low else (low, math.inf)
                if made.stopped:
                    into["stopped"] = 1
                    break
                self._reached(depth, moves_ended=self._sum("evaluated") == evaluated)
                into["answered"] = UNKNOWN
                for index, (value, known) in made.values.items():
                    into["answer"][index], into["answered"][index] = value, known
                best = made.best
                if abs(made.most) >= SCORE_LIMIT and not self.drifts:
                    break
        for name in COUNTERS:
            into[name] = self._sum(name)
        return best

    def stop(self) -> None:
        """End the search under way; the first depth is always finished."""
        for state in self.states:
            state["stop"] = 1

    def _begin(self) -> None:
        """What `nodes.choose` does before it begins."""
        self.into["reached"] = self.into["stopped"] = 0
        self.into["fault"][4] = NO_FAULT
        for state in self.states:
            for name in (*COUNTERS, "reached", "stopped"):
                state[name] = 0
            state["fault"][4] = NO_FAULT
            state["killers"] = NO_MOVE
            state["history"] = 0.0
            state["tries"] = MOST_COLUMNS

    def _search(self, pool: ThreadPoolExecutor, made: Round, mine: int, occupied: int, depth: int) -> None:
        """The moves of a round, each searched by one of the threads. A fault in any of them ends it."""
        moves = len(made.waiting)

        def work(state: Any) -> float:
            began = time.thread_time()
            state["depth"] = depth
            state["win"] = WIN - depth - 1
            state["ended"] = depth + 1
            while (taken := made.next()) is not None:
                index, bar = taken
                state["alone"] = index + 1
                try:
                    value = self.visit(state, mine, occupied, depth, bar, made.high, 1)
                except Exception as error:
                    made.failed(error, state)
                    for other in self.states:  # whose searches nobody waits for
                        other["reached"] = other["stop"] = 1
                    break
                if state["stopped"]:
                    made.stopped = True
                    break
                state["expanded"] -= 1  # the root, which is expanded once and not by each move
                state["untried"] -= moves - 1
                made.found(index, float(value), bar)
            return time.thread_time() - began

        self.cpu_seconds += sum(pool.map(work, self.states))
        if made.error is not None:
            error, state = made.error
            self.into["fault"] = state["fault"]
            raise error
        if not made.stopped:
            self.states[0]["expanded"] += 1
            self.states[0]["untried"] += len(made.waiting)

    def _reached(self, depth: int, *, moves_ended: bool) -> None:
        ended = min(int(state["ended"]) for state in self.states)
        self.into["deepest"] = depth + 1 - ended if moves_ended else depth
        for state in (self.into, *self.states):
            state["reached"] = depth

    def _sum(self, name: str) -> int:
        return sum(int(state[name]) for state in self.states)
