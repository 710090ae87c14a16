"""What a search found and what it took: plain records, which need no compiler.

A move is written down in many places: in the journal, on the line between two processes, in the store, in CSV files.
All of them are made from MOVE_FIELDS. A new counter is a line in `Counters`, and is counted in `nodes.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final, NamedTuple, Self

from tournament.engine.values import WIN

MOST_COUNTED = (1 << 48) - 1  # more than any search counts, and little enough to be added up


@dataclass(frozen=True)
class Counters:
    """What a search did, counted the same way for every algorithm.

    Each is 0 until something was counted. One that stores of an earlier tourney have not kept is `int | None = 0`: what
    is read from them is None, and shown as a dash.
    """

    generated: int = 0  # positions made by playing a move below the root
    expanded: int = 0  # positions whose moves were tried, the root included
    evaluated: int = 0  # calls of the evaluator
    cutoffs: int = 0  # times a position's moves were left because alpha >= beta
    untried: int | None = 0  # legal moves of expanded positions that were not played

    def plus(self, *others: Self) -> Self:
        """All of them together. What one of them does not know is not known of all."""
        sums: dict[str, Any] = {}
        for field in fields(self):
            values = [getattr(one, field.name) for one in (self, *others)]
            sums[field.name] = None if None in values else sum(values)
        return type(self)(**sums)


COUNTERS: Final = tuple(field.name for field in fields(Counters))


class RootMove(NamedTuple):
    """A move at the root and what it was worth: exactly, or at most so much."""

    column: int
    value: float
    exact: bool


class SearchResult(NamedTuple):
    """What a search found: the column to play (from 0), its score, and what it cost."""

    chosen: int  # where discs drift, the disc may land in another column
    score: float  # NaN where an agent has moved, which tells nobody
    counters: Counters
    seconds: float
    cpu_seconds: float
    saved: int  # calls of an interpreted evaluator answered from memory
    depth: int  # the depth that was finished
    deepest: int  # the plies to the deepest position: fewer where every game ends before
    memory: int | None = None  # bytes that it took, where that was measured
    stack: int | None = None  # bytes of the stack that a level takes, where that was measured
    state: int | None = None  # bytes that all levels share
    root_moves: tuple[RootMove, ...] = ()  # where asked for


class Field(NamedTuple):
    """One of the values that are kept of a move, and how it is written down."""

    name: str
    kind: type[int] | type[float] | type[str] = int
    low: float = 0  # what a search can have come to: a process may tell us anything
    high: float = MOST_COUNTED
    is_told: bool = True  # by the process that has searched, on the line and in the journal
    is_stored: bool = True
    stored_as: str = ""  # where the store's table has another name for it

    @property
    def column(self) -> str:
        """Its name in the store's table."""
        return self.stored_as or self.name

    @property
    def sql_type(self) -> str:
        return {int: "INTEGER", float: "REAL", str: "TEXT"}[self.kind]

    @property
    def letter(self) -> str:
        """How `struct` packs it, of a number."""
        return {int: "q", float: "d"}[self.kind]


MOVE_FIELDS: Final = (  # in the order of the store's table
    Field("chosen", low=-MOST_COUNTED),  # a wish, until the referee has seen that the column is open
    Field("landed", is_told=False, stored_as="played"),
    Field("score", float, -WIN, WIN),  # or NaN
    Field("depth"),
    *map(Field, COUNTERS),
    Field("seconds", float, -math.inf, math.inf),  # which is held against our own clock
    Field("cpu_seconds", float, -math.inf, math.inf),
    Field("deepest"),
    Field("saved", is_stored=False),
    Field("memory", is_told=False),
    Field("stack", is_told=False),
    Field("state", is_told=False),
    Field("equals", str, is_told=False),  # the columns that are known to be as good as the one chosen, as digits
)
BY_NAME: Final = {field.name: field for field in MOVE_FIELDS}
STORED_FIELDS: Final = tuple(field for field in MOVE_FIELDS if field.is_stored)


def _flat(names: Iterable[str]) -> list[str]:
    """The names of a result's fields, with each counter in place of the counters."""
    return [each for name in names for each in (COUNTERS if name == "counters" else (name,))]


TOLD_FIELDS: Final = tuple(  # in the order of a result
    BY_NAME[name] for name in _flat(SearchResult._fields) if name in BY_NAME and BY_NAME[name].is_told
)

numbers_of: attrgetter[tuple[Any, ...]] = attrgetter(  # a search's result as numbers, those of TOLD_FIELDS
    *(f"counters.{field.name}" if field.name in COUNTERS else field.name for field in TOLD_FIELDS)
)


def found_of(numbers: Iterable[Any]) -> SearchResult:
    """A search's result from its numbers, those of TOLD_FIELDS."""
    values = {field.name: number for field, number in zip(TOLD_FIELDS, numbers, strict=True)}
    counters = Counters(**{name: values.pop(name) for name in COUNTERS})
    return SearchResult(counters=counters, **values)
