"""The book: what every position of eight plies on the standard board is worth, mirror images once.

Positions in which the side to move can win at once need no book. The other 77,715 stand in the order of their keys, so
that their values need no keys: three of them are a digit, and five digits a byte. In front stands a hash of the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

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
Values = NDArray[np.int8]  # 1, 0 or -1 for the side to move


def mirrored(board: Any) -> Any:
    """A board, or a key, with left and right exchanged: an integer or an array of them."""
    column, last = (1 << STANDARD.stride) - 1, STANDARD.columns - 1
    image = board & 0
    for number in range(STANDARD.columns):
        image = image | ((board >> number * STANDARD.stride) & column) << (last - number) * STANDARD.stride
    return image


class Layer(NamedTuple):
    """Positions of so many plies whose game goes on, mirror images once, in the order of their keys."""

    keys: Words
    mine: Words  # the discs of the side to move
    mask: Words  # all discs


def _winning(mine: Words, cells: Words) -> Words:
    found: Words = plain(STANDARD.rows, STANDARD.columns, STANDARD.connect)["winning"](mine, cells)
    return found


def each_move(layer: Layer) -> Iterator[tuple[Words, Words]]:
    """Column by column, the cell that each position's move into it takes, 0 where it is full, and whether that wins."""
    for column in range(STANDARD.columns):
        move = (layer.mask + (1 << column * STANDARD.stride)) & STANDARD.column(column)
        yield move, _winning(layer.mine, move) != 0


def following(layer: Layer) -> Layer:
    """The positions that follow those of a layer, but for those in which the game is over."""
    found: list[tuple[Words, Words]] = []
    for move, wins in each_move(layer):
        goes_on = (move != 0) & ~wins
        found.append(((layer.mine ^ layer.mask)[goes_on], (layer.mask | move)[goes_on]))
    mine, mask = (np.concatenate(part) for part in zip(*found, strict=True))
    turned = mirrored(mine + mask) < mine + mask
    mine, mask = (np.where(turned, mirrored(board), board) for board in (mine, mask))
    keys, first = np.unique(mine + mask, return_index=True)
    return Layer(keys, mine[first], mask[first])


def wins_at_once(layer: Layer) -> Any:
    """In which positions of a layer the side to move can win at once."""
    return _winning(layer.mine, (layer.mask + STANDARD.bottom) & STANDARD.full) != 0


def before(layer: Layer, after: Layer, values: Values) -> Values:
    """What positions are worth by those that follow; in one that is not there, the other side wins at once."""
    best = np.full(len(layer.keys), -1, np.int8)
    for move, wins in each_move(layer):
        keys = (layer.mine ^ layer.mask) + (layer.mask | move)
        at, found = find(after, np.minimum(keys, mirrored(keys)))
        value = np.where(wins, 1, -np.where(found, values[at], 1))
        best = np.where(move != 0, np.maximum(best, value), best).astype(np.int8)
    return best


def find(layer: Layer, keys: Words) -> tuple[Any, Any]:
    """Where positions of these keys stand in a layer, and whether they do."""
    at = np.minimum(np.searchsorted(layer.keys, keys), len(layer.keys) - 1)
    return at, layer.keys[at] == keys


@cache
def layers() -> tuple[Layer, ...]:
    """The positions of 0, 1, … eight plies; in those of eight, nobody can win at once."""
    start = np.zeros(1, np.int64)
    found = [Layer(start, start, start)]
    for _ in range(PLIES):
        found.append(following(found[-1]))
    waits = ~wins_at_once(found[-1])
    found[-1] = Layer(*(part[waits] for part in found[-1]))
    return tuple(found)


def positions() -> Layer:
    """The positions that the book has values of."""
    return layers()[-1]


def packed(values: Values) -> bytes:
    """The book's file: values are -1, 0 and 1, for the side to move."""
    digits = np.zeros(-(-len(values) // DIGITS) * DIGITS, np.int64)
    digits[: len(values)] = values + 1
    content = (digits.reshape(-1, DIGITS) @ 3 ** np.arange(DIGITS)).astype(np.uint8).tobytes()
    return hashlib.sha256(content).digest()[:HASH_BYTES] + content


def unpacked(written: bytes, count: int) -> Values:
    """The values in a book's file; TourneyError where it is not what was written."""
    check, content = written[:HASH_BYTES], written[HASH_BYTES:]
    if hashlib.sha256(content).digest()[:HASH_BYTES] != check:
        raise TourneyError("the book of positions is damaged: install tourney anew, or go without it (--no-book).")
    digits = np.frombuffer(content, np.uint8)[:, None] // 3 ** np.arange(DIGITS) % 3
    return (digits.reshape(-1)[:count] - 1).astype(np.int8)


class Book:
    """What positions of up to eight plies are worth: those before the eighth by minimax."""

    def __init__(self, written: bytes) -> None:
        self._values = [unpacked(written, len(positions().keys))]
        for plies in reversed(range(PLIES)):
            self._values.insert(0, before(layers()[plies], layers()[plies + 1], self._values[0]))

    def values(self, plies: int) -> Values:
        """The values of the positions of a layer."""
        return self._values[plies]

    def value(self, position: Position) -> int | None:
        """1, 0 or -1 for the side to move, or None where it is no position of the book."""
        plies = position.occupied.bit_count()
        if position.rules != STANDARD or plies > PLIES:
            return None
        key = position.mover + position.occupied
        at, found = find(layers()[plies], np.array([min(key, mirrored(key))]))
        return int(self._values[plies][at[0]]) if found[0] else None


@cache
def book() -> Book:
    """The book that comes with us."""
    return Book(FILE.read_bytes())
