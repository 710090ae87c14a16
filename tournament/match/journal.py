"""The journal: what a worker is doing right now, in memory that outlives it.

Whoever watches a worker reads here when the player to move has to be done, and after its death how far the game had
come. It holds numbers alone, since what is written here may be written by anybody's code.
"""

from __future__ import annotations

import math
import mmap
import struct
import time
from typing import NamedTuple
from weakref import WeakSet

from tournament.engine.result import BY_NAME, TOLD_FIELDS, SearchResult, found_of, numbers_of
from tournament.games.connect4 import SEATS, Seat

IDLE, LOADING, THINKING, REFEREEING = range(4)
NOBODY = -1
MOST_MOVES = 128  # no board has more cells

HEADER = struct.Struct("=qqqdqq")  # doing, task, seat, deadline, whether the game's time is what ends first, moves
LANDED = BY_NAME["landed"]
MOVE = struct.Struct("=" + "".join(field.letter for field in (LANDED, *TOLD_FIELDS)))


class JournalEntry(NamedTuple):
    """What a worker was doing."""

    doing: int
    task: int  # its place among the tasks of the batch
    seat: Seat | None  # who thinks, is being loaded, or was the last to
    deadline: float  # by time.monotonic(); infinite where nobody is waited for
    by_game: bool  # the time for the whole game ends before the time for the move


_open: WeakSet[Journal] = WeakSet()


def close_all() -> None:
    """Let go of every journal: this process was forked, and has nothing to write there."""
    for journal in list(_open):
        journal.close()


class Journal:
    """Shared memory between a worker and whoever started it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, HEADER.size + MOST_MOVES * MOVE.size)
        self._task, self._moves, self._seat = 0, 0, NOBODY
        _open.add(self)
        self.rests()
        self.retiring = False  # set by the worker where it should be replaced by a fresh one

    def close(self) -> None:
        self._memory.close()

    # Written by the worker

    def begins(self, task: int) -> None:
        """The task with this place in the batch is begun."""
        self._task, self._moves, self._seat = task, 0, NOBODY
        self._note(REFEREEING)

    def rests(self) -> None:
        self._note(IDLE)

    def loads(self, seat: Seat, seconds: float) -> None:
        """A player's file is being run."""
        self._seat = SEATS.index(seat)
        self._note(LOADING, time.monotonic() + seconds)

    def thinks(self, seat: Seat, seconds: float, *, by_game: bool = False) -> None:
        """A player is to move within so many seconds."""
        self._seat = SEATS.index(seat)
        self._note(THINKING, time.monotonic() + seconds, by_game)

    def moved(self, found: SearchResult, landed: int) -> None:
        """The player has moved."""
        MOVE.pack_into(self._memory, HEADER.size + self._moves * MOVE.size, landed, *numbers_of(found))
        self._moves += 1
        self._note(REFEREEING)

    def _note(self, doing: int, deadline: float = math.inf, by_game: bool = False) -> None:
        # In one piece: packing into the memory itself would show zeros first to whoever reads it meanwhile.
        values = (doing, self._task, self._seat, deadline, by_game, self._moves)
        self._memory[: HEADER.size] = HEADER.pack(*values)

    # Read by whoever started it

    def entry(self) -> JournalEntry:
        doing, task, seat, deadline, by_game, _ = HEADER.unpack_from(self._memory, 0)
        return JournalEntry(doing, task, SEATS[seat] if seat in (0, 1) else None, deadline, bool(by_game))

    def moves(self) -> list[tuple[SearchResult, int]]:
        """The moves of the game under way, with the columns in which the discs came to rest."""
        count = min(max(0, HEADER.unpack_from(self._memory, 0)[-1]), MOST_MOVES)
        read = (MOVE.unpack_from(self._memory, HEADER.size + number * MOVE.size) for number in range(count))
        return [(found_of(numbers), landed) for landed, *numbers in read]
