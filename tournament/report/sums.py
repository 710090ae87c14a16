"""What searches took together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tournament.engine.algorithms import UNPRUNED
from tournament.engine.settings import Settings
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
    untried: int | None = 0  # None where a store has not kept it
    seconds: float = 0.0
    deepest: int = 0
    memory: int | None = None
    stack: int | None = None  # bytes a level
    state: int | None = None  # bytes that all levels share
    seeds: set[int] = field(default_factory=set)  # of a random order

    @property
    def means(self) -> tuple[float, float]:
        """Nodes and seconds per search."""
        return self.generated / self.searches, self.seconds / self.searches

    def of_one_seed(self) -> Sums:
        """What they took on average over the seeds of a random order; all of it, where a seed's search is missing."""
        runs = len(self.seeds)
        if runs < 2 or self.searches % runs:
            return self
        counts: dict[str, Any] = {
            name: None if (value := getattr(self, name)) is None else round(value / runs)
            for name in ("searches", "generated", "expanded", "evaluated", "cutoffs", "untried")
        }
        return replace(self, **counts, seconds=self.seconds / runs)

    def join(self, other: Sums) -> None:
        """Add what other searches took together; memory is left alone."""
        self.searches += other.searches
        self.generated += other.generated
        self.expanded += other.expanded
        self.evaluated += other.evaluated
        self.cutoffs += other.cutoffs
        self.untried = None if self.untried is None or other.untried is None else self.untried + other.untried
        self.seconds += other.seconds
        self.deepest = max(self.deepest, other.deepest)

    def add(self, move: StoredMove, seed: int = 1) -> None:
        self.seeds.add(seed)
        self.searches += 1
        self.generated += move.generated
        self.expanded += move.expanded
        self.evaluated += move.evaluated
        self.cutoffs += move.cutoffs
        self.untried = None if self.untried is None or move.untried is None else self.untried + move.untried
        self.seconds += move.seconds
        self.deepest = max(self.deepest, move.deepest)
        if move.memory is not None:
            self.memory = max(self.memory or 0, move.memory)
        if move.stack is not None and move.state is not None:
            self.stack, self.state = move.stack, move.state


def depth_of(one: StoredSearches) -> int:
    return one.player.settings.depth or 0


def algorithm_of(one: StoredSearches) -> str:
    return one.player.settings.seedless


def summed(found: Iterable[StoredSearches], key: Callable[[StoredSearches], K]) -> dict[K, Sums]:
    """The sums of searches with the same key, in the order in which the keys come; of several seeds, their mean."""
    sums: dict[K, Sums] = {}
    for one in found:
        of_key = sums.setdefault(key(one), Sums())
        for move in one.moves:
            of_key.add(move, one.player.settings.order_seed)
    return {key: each.of_one_seed() for key, each in sums.items()}


def measures_branching(settings: Settings) -> bool:
    """Whether such a search tries every move of each position that it expands, once."""
    return settings.algorithm in UNPRUNED and not settings.table


def mean_branching(found: Sequence[StoredSearches]) -> float:
    """How many positions follow from one: measured where nothing is pruned, else the number of columns."""
    whole = Sums()
    for one in found:
        if measures_branching(one.player.settings):
            for move in one.moves:
                whole.add(move)
    if whole.expanded:
        return whole.generated / whole.expanded
    return sum(one.rules.columns for one in found) / len(found)
