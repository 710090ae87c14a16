"""The journal: what a worker is doing right now, in memory that outlives it.

Whoever watches a worker reads here when the player to move has to be done, and after its death how far the game had
come. It holds numbers alone, since what is written here may be written by anybody's code.
"""

from __future__ import annotations

import math
import mmap
import struct
import time
from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from tournament.engine import layout
from tournament.engine.layout import IDLE, LOADING, MOST_MOVES, NOBODY, REFEREEING, THINKING
from tournament.engine.result import SearchResult, found_of, numbers_of
from tournament.games.connect4 import SEATS, Seat

__all__ = ["HEADER", "IDLE", "LOADING", "MOST_MOVES", "MOVE", "REFEREEING", "THINKING", "Journal", "JournalEntry"]


def _packing(dtype: np.dtype[Any]) -> struct.Struct:
    """How Python packs what compiled code writes as a record."""
    return struct.Struct("=" + "".join({"i": "q", "f": "d"}[dtype[name].kind] for name in dtype.names or ()))


HEADER, MOVE = _packing(layout.HEADER), _packing(layout.MOVE)


class JournalEntry(NamedTuple):
    """What a worker was doing."""

    doing: int
    task: int  # its place among the tasks of the batch
    seat: Seat | None  # who thinks, is being loaded, or was the last to
    began: float  # when it was asked to think, by time.monotonic()
    deadline: float  # by the same; infinite where nobody is waited for
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
        self._header: NDArray[Any] | None = None
        _open.add(self)
        self.rests()
        self.retiring = False  # set by the worker where it should be replaced by a fresh one

    def close(self) -> None:
        self._header = None  # which would keep the memory open
        self._memory.close()

    def for_compiled_code(self) -> tuple[Any, tuple[int, int]]:
        """The header, and the addresses of header and moves, for compiled code that plays the game by itself."""
        if self._header is None:
            self._header = np.frombuffer(self._memory, layout.HEADER, 1)
            self._address = int(self._header.ctypes.data)
        return self._header[0], (self._address, self._address + HEADER.size)

    def played(self) -> tuple[Seat, float, bool, bytes]:
        """Of a game that compiled code has played: who was to move last, since when, by which clock, and the moves."""
        _, _, self._seat, began, _, by_game, self._moves = HEADER.unpack_from(self._memory)
        moves = self._memory[HEADER.size : HEADER.size + self._moves * MOVE.size]
        return SEATS[self._seat], began, bool(by_game), moves

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
        self._note(LOADING, seconds)

    def thinks(self, seat: Seat, seconds: float, *, by_game: bool = False) -> None:
        """A player is to move within so many seconds."""
        self._seat = SEATS.index(seat)
        self._note(THINKING, seconds, by_game)

    def moved(self, found: SearchResult, landed: int) -> None:
        """The player has moved."""
        MOVE.pack_into(self._memory, HEADER.size + self._moves * MOVE.size, landed, *numbers_of(found))
        self._moves += 1
        self._note(REFEREEING)

    def _note(self, doing: int, seconds: float = math.inf, by_game: bool = False) -> None:
        # In one piece: packing into the memory itself would show zeros first to whoever reads it meanwhile.
        began = time.monotonic()
        values = (doing, self._task, self._seat, began, began + seconds, by_game, self._moves)
        self._memory[: HEADER.size] = HEADER.pack(*values)

    # Read by whoever started it

    def entry(self) -> JournalEntry:
        doing, task, seat, began, deadline, by_game, _ = HEADER.unpack_from(self._memory, 0)
        return JournalEntry(doing, task, SEATS[seat] if seat in (0, 1) else None, began, deadline, bool(by_game))

    def moves_made(self) -> int:
        """How many moves of the game under way are made."""
        count: int = HEADER.unpack_from(self._memory, 0)[-1]
        return min(max(0, count), MOST_MOVES)

    def moves(self) -> list[tuple[SearchResult, int]]:
        """The moves of the game under way, with the columns in which the discs came to rest."""
        read = (MOVE.unpack_from(self._memory, HEADER.size + place * MOVE.size) for place in range(self.moves_made()))
        return [(found_of(numbers), landed) for landed, *numbers in read]
