"""The transposition table: what a search knows of positions that it may meet again by another order of moves.

A position stands in the one slot that its hash names. An entry counts only within the search that wrote it: the
table is not cleared between searches, its entries are marked with the number of the search.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.engine.jit.records import address_of_array, records
from tournament.engine.jit.specialise import helper
from tournament.engine.settings import ENTRY_BYTES, check_memory

ENTRY = np.dtype(
    [
        ("low", np.int64),  # the position, as two words
        ("high", np.int64),
        ("value", np.float64),
        ("age", np.int32),  # the search that wrote it
        ("depth", np.uint8),
        ("known", np.uint8),  # how the value is known
        ("move", np.int16),  # the place of the best move in the move order
    ]
)
assert ENTRY.itemsize == ENTRY_BYTES
UNKNOWN, EXACT, AT_MOST, AT_LEAST = range(4)
LOW_BITS = (1 << 31) - 1
FACTORS = (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F)  # odd, below 2^32: 31 bits times one of them fit a word


class Transpositions:
    """A table of 2 ** size positions."""

    def __init__(self, size: int) -> None:
        check_memory(size)
        self.entries: NDArray[Any] = np.zeros(1 << size, ENTRY)
        self.address = address_of_array(self.entries)
        self.age = 0

    def next_search(self) -> int:
        """The number that marks the entries of a new search."""
        self.age = self.ready_for(1) + 1
        return self.age

    def ready_for(self, searches: int) -> int:
        """The number of the last search; there are so many more before numbers come to an end."""
        if self.age + searches >= np.iinfo(np.int32).max:
            self.entries[:] = 0
            self.age = 0
        return self.age


@cache
def shared_table(size: int) -> Transpositions:
    """One table of each size in a process: searches come one after the other, and none sees another's entries."""
    return Transpositions(size)


@helper
def slot(low: int, high: int, size: int) -> int:
    """Where a position stands in a table of 2 ** size entries."""
    mixed = (low & LOW_BITS) * FACTORS[0] ^ (low >> 31 & LOW_BITS) * FACTORS[1]
    mixed ^= (high & LOW_BITS) * FACTORS[2] ^ (high >> 31 & LOW_BITS) * FACTORS[3]
    mixed ^= (low >> 62 & 3) ^ (high >> 62 & 3) << 2
    mixed ^= mixed >> 29
    mixed = (mixed & LOW_BITS) * FACTORS[0] ^ mixed >> 31
    return mixed >> 24 & (1 << size) - 1


entry_at = records(ENTRY)  # the entry with this index in the table at this address
