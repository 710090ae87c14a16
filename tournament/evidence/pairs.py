"""Pairs: the same opening played twice with the seats swapped; what scoring and evidence rest on."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

OUTCOME = {"second": 0, "draw": 1, "first": 2}
FEWEST_DECISIVE = 10  # pairs that somebody won, below which nobody is rated


class Keyed(Protocol):
    """A player, as far as pairs look at it."""

    @property
    def key(self) -> str: ...


P = TypeVar("P", bound=Keyed)
P_co = TypeVar("P_co", bound=Keyed, covariant=True)


class Played(Protocol[P_co]):
    """A game, as far as pairs look at it."""

    @property
    def first(self) -> P_co: ...
    @property
    def second(self) -> P_co: ...
    @property
    def opening(self) -> str: ...
    @property
    def result(self) -> str: ...


@dataclass
class Pairs(Generic[P]):
    """Whole pairs, kept as small numbers: their games one by one, and the sums by pairing."""

    players: dict[str, P] = field(default_factory=dict)  # by key, in the order of their first pair
    openings: dict[str, int] = field(default_factory=dict)
    first: array[int] = field(default_factory=lambda: array("i"))
    second: array[int] = field(default_factory=lambda: array("i"))
    outcome: array[int] = field(default_factory=lambda: array("b"))
    opening: array[int] = field(default_factory=lambda: array("i"))
    _index: dict[str, int] = field(default_factory=dict)
    # By pairing (keys): pairs that the one listed first won, lost, and that were split
    pairings: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))

    def add(self, game: Played[P], other: Played[P]) -> None:
        """Count a pair; in `game` the player listed first moves first."""
        index = self._index
        for player in (game.first, game.second):
            self.players.setdefault(player.key, player)
            index.setdefault(player.key, len(index))
        opening = self.openings.setdefault(game.opening, len(self.openings))
        for half in (game, other):
            self.first.append(index[half.first.key])
            self.second.append(index[half.second.key])
            self.outcome.append(OUTCOME[half.result])
            self.opening.append(opening)
        margin = OUTCOME[game.result] - OUTCOME[other.result]  # > 0: the first of `game` scored more in the two games
        self.pairings[game.first.key, game.second.key][0 if margin > 0 else 1 if margin < 0 else 2] += 1

    @property
    def decisive(self) -> int:
        return sum(won + lost for won, lost, _ in self.pairings.values())
