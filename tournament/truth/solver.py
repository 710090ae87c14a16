"""The solver: one board and one table, for one position after another; what it has found helps with the next."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from tournament.engine.jit.records import address_of_array
from tournament.errors import TourneyError
from tournament.games.connect4 import Position, Rules
from tournament.system import memory_available
from tournament.truth import nodes
from tournament.truth.compiled import compiled, plain
from tournament.truth.scope import check_rules
from tournament.truth.verdict import sign_of

USUAL_MEGABYTES = 256
LEAST_MEGABYTES = 32
NO_LIMIT = 1 << 62


def table_size(megabytes: int, bits: int) -> int:
    """The power of two of words that a table of so many megabytes holds; small boards need less."""
    if megabytes < LEAST_MEGABYTES:
        raise TourneyError(f"a table of {megabytes} MB is too small: give it at least {LEAST_MEGABYTES}.")
    fits = (megabytes << 20) // nodes.WORD.itemsize
    size = min(fits.bit_length() - 1, max(12, bits - 16))
    if nodes.WORD.itemsize << size > memory_available():
        raise TourneyError(f"a table of {megabytes} MB does not fit into the memory that is free: use a smaller one.")
    return size


class Solver:
    """Values of positions of one board. `nodes` counts what was searched since it was made."""

    def __init__(self, rules: Rules, megabytes: int = USUAL_MEGABYTES) -> None:
        check_rules(rules)
        board = (rules.rows, rules.columns, rules.connect)
        size = table_size(megabytes, rules.bits)
        self.rules, self.cells = rules, rules.rows * rules.columns
        self._parts, self._visit = plain(*board), compiled(*board)
        self._table = np.zeros(1 << size, nodes.WORD)
        self._frames = np.zeros((self.cells + 2) * rules.columns, nodes.FRAME).view(np.recarray)
        self._states = np.zeros(1, nodes.STATE).view(np.recarray)
        self._address = address_of_array(self._states)
        self._state: Any = self._states[0]
        self._state.table, self._state.frames = address_of_array(self._table), address_of_array(self._frames)
        self._state.buckets = size - 1
        self.limit()

    @property
    def nodes(self) -> int:
        return int(self._state.nodes)

    @property
    def stopped(self) -> bool:
        """Whether the budget is spent."""
        return bool(self._state.stopped)

    def limit(self, most_nodes: int | None = None, seconds: float | None = None) -> None:
        """Search no further than that from now on, in all; without a number, without an end."""
        self._state.most_nodes = NO_LIMIT if most_nodes is None else self.nodes + most_nodes
        self._state.deadline = math.inf if seconds is None else time.monotonic() + seconds
        self._state.look_at, self._state.stopped = 0, 0

    def forget(self) -> None:
        """Begin with an empty table."""
        self._table["word"] = 0

    def score(self, position: Position, *, exact: bool = False, sign: int | None = None) -> int | None:
        """The value of a position whose game goes on, for the side to move; None where the budget did not suffice.

        Exact, it is a score in the usual notation (`nodes`); otherwise 1, 0 or -1. Its sign may be known before.
        """
        mine, mask, plies = position.mover, position.occupied, position.occupied.bit_count()
        empty, winning = self.rules.full & ~mask, self._parts["winning"]
        my_wins, their_wins = winning(mine, empty), winning(mine ^ mask, empty)
        if my_wins & (mask + self.rules.bottom):
            return (self.cells + 1 - plies) // 2 if exact else 1
        frame = self._frames[0]
        settled = self._parts["settle"](frame, mine ^ mask, mine, mask, plies, my_wins, their_wins)
        if settled != nodes.NODE:
            return -settled if exact else sign_of(-settled)
        frame.key = self._parts["key_of"](int(frame.mine), int(frame.mask), int(frame.plies))
        whose = -int(frame.sign)  # 1 where the side to move is the same once all that is forced is played
        value = self._searched(int(frame.plies), exact, None if sign is None else whose * sign)
        return None if value is None else whose * value

    def _searched(self, plies: int, exact: bool, sign: int | None) -> int | None:
        """The value of the node in the first frame: its sign first, then closer and closer."""
        low, high = (-((self.cells - plies) // 2), (self.cells + 1 - plies) // 2) if exact else (-1, 1)
        if sign is not None:
            low, high = (max(low, sign), high) if sign > 0 else (low, min(high, sign))
        while low < high:
            bar = _next_bar(low, high, plies)
            found = self._visit(self._address, 0, bar)
            if self.stopped:
                return None
            if found > bar:
                low = max(low, found if exact else bar + 1)
            else:
                high = min(high, found if exact else bar)
        return low


def _next_bar(low: int, high: int, plies: int) -> int:
    """What to ask next: first what decides between a win, a draw and a loss, then the half that is nearer to a draw."""
    if low < 0 < high:
        return 0 if plies % 2 == 0 else -1  # who moves first wins more often
    if low <= 0 <= high:
        return 0 if low == 0 else -1
    middle = low + high >> 1
    return max(low, min(middle, high // 2)) if low > 0 else min(high - 1, max(middle, -(-low // 2)))
