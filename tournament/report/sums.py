"""What searches took together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tournament.engine.algorithms import UNPRUNED
from tournament.store import StoredMove, StoredSearches

K = TypeVar("K", bound=Hashable)


@dataclass
class Sums:
    """What some searches took together."""

    searches: int = 0
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    seconds: float = 0.0
    deepest: int = 0
    memory: int | None = None

    def add(self, move: StoredMove) -> None:
        self.searches += 1
        self.generated += move.generated
        self.expanded += move.expanded
        self.evaluated += move.evaluated
        self.cutoffs += move.cutoffs
        self.seconds += move.seconds
        self.deepest = max(self.deepest, move.deepest)
        if move.memory is not None:
            self.memory = max(self.memory or 0, move.memory)


def depth_of(one: StoredSearches) -> int:
    return one.player.settings.depth or 0


def algorithm_of(one: StoredSearches) -> str:
    return one.player.settings.described


def summed(found: Iterable[StoredSearches], key: Callable[[StoredSearches], K]) -> dict[K, Sums]:
    """The sums of searches that have the same key, in the order in which the keys come."""
    sums: dict[K, Sums] = {}
    for one in found:
        of_key = sums.setdefault(key(one), Sums())
        for move in one.moves:
            of_key.add(move)
    return sums


def mean_branching(found: Sequence[StoredSearches]) -> float:
    """How many positions follow from one: measured where nothing is pruned, else the number of columns."""
    whole = Sums()
    for one in found:
        settings = one.player.settings
        if settings.algorithm in UNPRUNED and not settings.table:
            for move in one.moves:
                whole.add(move)
    if whole.expanded:
        return whole.generated / whole.expanded
    return sum(one.rules.columns for one in found) / len(found)
