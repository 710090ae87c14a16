"""Counts of move sequences and positions: known numbers, to trust the rules by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from tournament.engine.jit.specialise import as_bits, bits_type, specialise
from tournament.games.connect4 import Rules, has_line, playable, word, words

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Count:
    """How many sequences of so many moves there are, and to how many different positions they lead."""

    plies: int
    sequences: int
    positions: int


def follow(
    positions: Any, after: Any, origin: Any, full: int, bottom: int, stride: int, columns: int, connect: int
) -> int:
    """How many positions follow; each is written to `after`, and the index of the one before it to `origin`.

    A position is a row of four words: the discs of the side to move, then all discs.
    """
    found = 0
    for index in range(len(positions)):
        mover = word(full, positions[index, 0], positions[index, 1])
        occupied = word(full, positions[index, 2], positions[index, 3])
        other = occupied ^ mover
        if has_line(other, stride, columns, connect):
            continue
        moves = playable(occupied, bottom, full)
        while moves != 0:
            move = moves & -moves
            moves = moves ^ move
            after[found, 0], after[found, 1] = words(other)
            after[found, 2], after[found, 3] = words(occupied | move)
            origin[found] = index
            found += 1
    return found


@cache
def _compiled_follow(bits: Any) -> Callable[..., int]:
    table, row = types.Array(types.int64, 2, "C"), types.Array(types.int64, 1, "C")
    signature = types.int64(table, table, row, bits, bits, types.int64, types.int64, types.int64)
    return specialise(follow, signature, str(bits))


def perft(rules: Rules, plies: int) -> Iterator[Count]:
    """The counts after 0, 1, … `plies` moves; games that have ended are not continued."""
    run = _compiled_follow(bits_type(rules.bits))
    full, bottom = as_bits(rules.full, rules.bits), as_bits(rules.bottom, rules.bits)
    positions: Integers = np.zeros((1, 4), np.int64)
    ways: Integers = np.ones(1, np.int64)
    yield Count(0, 1, 1)
    for ply in range(1, plies + 1):
        after = np.empty((len(positions) * rules.columns, 4), np.int64)
        origin = np.empty(len(after), np.int64)
        found = run(positions, after, origin, full, bottom, rules.stride, rules.columns, rules.connect)
        if not found:
            return
        positions, ways = _merged(after[:found], ways[origin[:found]])
        yield Count(ply, int(ways.sum()), len(positions))


def _merged(positions: Integers, ways: Integers) -> tuple[Integers, Integers]:
    """Each position once, with the sum of the ways that lead to it."""
    order = np.lexsort(positions.T)
    positions, ways = positions[order], ways[order]
    begins = np.flatnonzero(np.r_[True, (positions[1:] != positions[:-1]).any(axis=1)])
    return np.ascontiguousarray(positions[begins]), np.add.reduceat(ways, begins)
