"""The moves of a game as one value, and what is summed up over many games at once.

A move is a record of numbers, little-endian, one after the other without gaps. Which numbers, in which order, stands in
the store's table `layouts` as a text that people can read: `chosen int16, landed int16, score float64, …`. A field that
is added to MOVE_FIELDS makes another layout; of games that were kept in an earlier one it is not known, and None.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from tournament.engine.layout import MOVE
from tournament.engine.packed import PackedMoves
from tournament.engine.result import COUNTERS, STORED_FIELDS, Field, SearchResult, numbers_of
from tournament.games.connect4 import COLUMN_DIGITS, column_digit
from tournament.store.records import Cost, StoredMove

NARROW = {"chosen", "landed", "depth", "deepest"}  # no board has more cells than 128
MEASURED = ("memory", "stack", "state")  # in a study, where the system lets us
NOTHING: dict[str, float] = {"score": math.nan, **dict.fromkeys(MEASURED, -1), "equals": 0}  # how None is written
NO_COST = Cost()
OF_STUDIES_ALONE = {*MEASURED, "equals"}
SUMMED = {"depth": "depths"} | {name: name for name in (*COUNTERS, "seconds", "cpu_seconds")}  # and its name in a Cost


def number_type(field: Field) -> str:
    """The type of a field's number, as numpy calls it."""
    if field.name == "equals":
        return "uint64"  # a bit for each column, the lowest for the first
    return "float64" if field.kind is float else "int16" if field.name in NARROW else "int64"


def layout_text(names: Iterable[str]) -> str:
    """The layout that has those of STORED_FIELDS, as the store keeps it."""
    wanted = set(names)
    return ", ".join(f"{field.name} {number_type(field)}" for field in STORED_FIELDS if field.name in wanted)


EVERY_NAME = [field.name for field in STORED_FIELDS]
OF_STUDIES = layout_text(EVERY_NAME)
OF_GAMES = layout_text(name for name in EVERY_NAME if name not in OF_STUDIES_ALONE)


@cache
def layout_of(text: str) -> np.dtype[Any]:
    """The records that a layout's text describes."""
    fields = (part.split() for part in text.split(", "))
    return np.dtype([(name, np.dtype(kind).newbyteorder("<")) for name, kind in fields])


class Moves(NamedTuple):
    """The moves of a game as the store keeps them."""

    layout: str
    begun: int  # the ply of the first of them
    packed: bytes


def packed_moves(found: Sequence[SearchResult], landed: Sequence[int], begun: int) -> Moves:
    """What searches found, and where the discs came to rest."""
    more: dict[str, list[int]] = {}
    if isinstance(found, PackedMoves):
        records = found.records
    else:
        told = [(column, *numbers_of(one)) for one, column in zip(found, landed, strict=True)]
        records = np.array(told, MOVE)
        if any(one.memory is not None or one.root_moves for one in found):
            for name in MEASURED:
                more[name] = [-1 if (value := getattr(one, name)) is None else value for one in found]
            more["equals"] = [sum(1 << column for column in equals(one)) for one in found]
    text = OF_STUDIES if more else OF_GAMES
    layout = layout_of(text)
    kept = np.empty(len(records), layout)
    for name in layout.names or ():
        kept[name] = more[name] if name in more else records[name]
    return Moves(text, begun, kept.tobytes())


def equals(found: SearchResult) -> set[int]:
    """The columns that a search knows to be as good as the one it chose."""
    return {move.column for move in found.root_moves if move.exact and move.value == found.score}


def packed_rows(rows: Sequence[dict[str, Any]], begun: int) -> Moves:
    """Moves that were read as rows, as stores of version 3 keep them; what a row does not know has no field."""
    known = [name for name in EVERY_NAME if name in NOTHING or all(row.get(name) is not None for row in rows)]
    text = layout_text(name for name in known if any(row.get(name) is not None for row in rows) or name == "score")
    layout = layout_of(text)
    told = []
    for row in rows:
        values: dict[str, Any] = {
            name: NOTHING[name] if row.get(name) is None else row[name] for name in layout.names or ()
        }
        if isinstance(values.get("equals"), str):
            values["equals"] = sum(1 << COLUMN_DIGITS.index(digit) for digit in values["equals"])
        told.append(tuple(values.values()))
    return Moves(text, begun, np.array(told, layout).tobytes())


def unpacked(moves: Moves) -> list[StoredMove]:
    """The moves of a game, one by one."""
    layout = layout_of(moves.layout)
    unknown = dict.fromkeys(EVERY_NAME)
    found = []
    for ply, record in enumerate(np.frombuffer(moves.packed, layout).tolist(), start=moves.begun):
        values: dict[str, Any] = unknown | dict(zip(layout.names or (), record, strict=True))
        if values["score"] is not None and math.isnan(values["score"]):
            values["score"] = None
        for name in MEASURED:
            if values[name] == NOTHING[name]:
                values[name] = None
        values["equals"] = _digits(values["equals"]) if values["equals"] else None
        found.append(StoredMove(ply=ply, **{name: values[name] for name in EVERY_NAME}))
    return found


def _cost(names: tuple[str, ...], values: tuple[Any, ...]) -> Cost:
    """A cost with these values of all its fields; in a third of the time that a frozen dataclass takes to set them."""
    cost = Cost.__new__(Cost)
    cost.__dict__.update(zip(names, values, strict=True))
    return cost


def _digits(mask: int) -> str:
    return "".join(column_digit(column) for column in range(mask.bit_length()) if mask >> column & 1)


def costs_of(games: Iterable[Moves]) -> Iterator[tuple[Cost, Cost]]:
    """What the first and the second side of each game took, summed over their moves."""
    for text, group in groupby(games, key=lambda moves: moves.layout):
        yield from _costs(layout_of(text), list(group))


def _costs(layout: np.dtype[Any], games: list[Moves]) -> Iterator[tuple[Cost, Cost]]:
    """The same of games of one layout: all their moves are one array, added up by game and side."""
    records = np.frombuffer(b"".join(moves.packed for moves in games), layout)
    lengths = np.array([len(moves.packed) // layout.itemsize for moves in games])
    starts = np.cumsum(lengths) - lengths
    begun = np.array([moves.begun for moves in games])
    ply = np.arange(len(records)) + np.repeat(begun - starts, lengths)
    side = 2 * np.repeat(np.arange(len(games)), lengths) + ply % 2
    sums: dict[str, list[Any]] = {"moves": np.bincount(side, minlength=2 * len(games)).tolist()}
    for name, summed in SUMMED.items():
        if name in (layout.names or ()):
            is_float = layout[name].kind == "f"
            total = np.zeros(2 * len(games), np.float64 if is_float else np.int64)
            np.add.at(total, side, records[name].astype(total.dtype))
            sums[summed] = total.tolist()
        else:
            sums[summed] = [None] * (2 * len(games))
    names = tuple(sums)
    each = [_cost(names, values) if values[0] else NO_COST for values in zip(*sums.values(), strict=True)]
    return zip(each[::2], each[1::2], strict=True)
