"""The package `bitbully-databases` (MIT): what positions of twelve plies on the standard board are worth.

Nothing needs it. From it come, by minimax, the values of the book that nobody has solved yet with our own solver, and
the book is held against it in a test.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD
from tournament.truth.book import PLIES, Layer, Values, Words, before, following, mirrored, positions, wins_at_once

THEIR_PLIES = 12
ENTRY = np.dtype([("code", ">u4"), ("score", "i1")])  # above 0 where the side to move wins, below 0 where it loses


def database() -> Path | None:
    """The file with the values, where the package is installed."""
    found = find_spec("bitbully_databases")
    if found is None or found.origin is None:
        return None
    return Path(found.origin).with_name("assets") / "book_12ply_distances.dat"


def codes(mine: Words, mask: Words) -> Words:
    """Positions as the package writes them: two bits a disc, column by column from the bottom, a 0 above each."""
    code = np.zeros(len(mine), np.int64)
    for column in range(STANDARD.columns):
        for row in range(STANDARD.rows):
            cell = STANDARD.cell(row, column)
            disc = np.where(mine & cell, 0b10, 0b11)
            code = np.where(mask & cell, code << 2 | disc, code)
        code <<= 1
    return code << 1


def values_from(file: Path) -> Values:
    """The values of the book's positions, by minimax from those of twelve plies."""
    entries = np.fromfile(file, ENTRY)
    entries = entries[np.argsort(entries["code"])]
    path: list[Layer] = [positions()]
    for _ in range(THEIR_PLIES - PLIES):
        path.append(following(path[-1]))
    last = path[-1]
    values = np.where(wins_at_once(last), 1, 0).astype(np.int8)
    waiting = np.flatnonzero(values == 0)
    mine, mask = last.mine[waiting], last.mask[waiting]
    known = entries["code"].astype(np.int64)
    at, found = np.zeros(len(waiting), np.int64), np.zeros(len(waiting), bool)
    for code in (codes(mine, mask), codes(mirrored(mine), mirrored(mask))):  # it holds either
        place = np.minimum(np.searchsorted(known, code), len(known) - 1)
        here = known[place] == code
        at, found = np.where(here, place, at), found | here
    if not found.all():
        raise TourneyError(f"{file} lacks {int((~found).sum()):,} positions of {THEIR_PLIES} plies.")
    values[waiting] = np.sign(entries["score"][at])
    for layer, after in zip(reversed(path[:-1]), reversed(path), strict=False):
        values = before(layer, after, values)
    return values
