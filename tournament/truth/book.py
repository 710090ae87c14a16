"""The book: what every position of eight plies on the standard board is worth, mirror images once.

Positions in which the side to move can win at once need no book. The other 77,715 stand in the order of their keys, so
that their values need no keys: three of them are a digit, and five digits a byte. In front stands a hash of the rest.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position
from tournament.truth.compiled import plain

PLIES = 8
FILE = Path(__file__).with_name("book.bin")
DIGITS = 5  # of three values each, in a byte: 3 ** 5 is 243
HASH_BYTES = 16

Words = NDArray[np.int64]


def mirrored(board: Any) -> Any:
    """A board, or a key, with left and right exchanged: an integer or an array of them."""
    column, last = (1 << STANDARD.stride) - 1, STANDARD.columns - 1
    image = board & 0
    for number in range(STANDARD.columns):
        image = image | ((board >> number * STANDARD.stride) & column) << (last - number) * STANDARD.stride
    return image


@cache
def positions() -> tuple[Words, Words, Words]:
    """The key of every position of the book, ascending, with its discs of the side to move and all its discs."""
    winning = plain(STANDARD.rows, STANDARD.columns, STANDARD.connect)["winning"]
    mine = mask = np.zeros(1, np.int64)
    for _ in range(PLIES):
        following: list[tuple[Words, Words]] = []
        for column in range(STANDARD.columns):
            move = (mask + (1 << column * STANDARD.stride)) & STANDARD.column(column)
            goes_on = (move != 0) & (winning(mine, move) == 0)  # not into a full column, nor to an end
            following.append(((mine ^ mask)[goes_on], (mask | move)[goes_on]))
        mine, mask = (np.concatenate(part) for part in zip(*following, strict=True))
        _, first = np.unique(mine + mask, return_index=True)
        mine, mask = mine[first], mask[first]
    key = mine + mask
    kept = (key <= mirrored(key)) & (winning(mine, (mask + STANDARD.bottom) & STANDARD.full) == 0)
    return key[kept], mine[kept], mask[kept]


def packed(values: NDArray[np.int8]) -> bytes:
    """The book's file: values are -1, 0 and 1, for the side to move."""
    digits = np.zeros(-(-len(values) // DIGITS) * DIGITS, np.int64)
    digits[: len(values)] = values + 1
    content = (digits.reshape(-1, DIGITS) @ 3 ** np.arange(DIGITS)).astype(np.uint8).tobytes()
    return hashlib.sha256(content).digest()[:HASH_BYTES] + content


def unpacked(written: bytes, count: int) -> NDArray[np.int8]:
    """The values in a book's file; TourneyError where it is not what was written."""
    check, content = written[:HASH_BYTES], written[HASH_BYTES:]
    if hashlib.sha256(content).digest()[:HASH_BYTES] != check:
        raise TourneyError("the book of positions is damaged: install tourney anew, or go without it (--no-book).")
    digits = np.frombuffer(content, np.uint8)[:, None] // 3 ** np.arange(DIGITS) % 3
    return (digits.reshape(-1)[:count] - 1).astype(np.int8)


class Book:
    """What is known of positions of eight plies."""

    def __init__(self, written: bytes) -> None:
        self._keys = positions()[0]
        self._values = unpacked(written, len(self._keys))

    def value(self, position: Position) -> int | None:
        """1, 0 or -1 for the side to move, or None where it is no position of the book."""
        if position.rules != STANDARD or position.occupied.bit_count() != PLIES:
            return None
        key = position.mover + position.occupied
        key = min(key, mirrored(key))
        at = int(np.searchsorted(self._keys, key))
        return int(self._values[at]) if at < len(self._keys) and self._keys[at] == key else None


@cache
def book() -> Book:
    """The book that comes with us."""
    return Book(FILE.read_bytes())
