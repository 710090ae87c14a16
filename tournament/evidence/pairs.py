"""Pairs: the same opening played twice with the seats swapped; what scoring and evidence rest on."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from tournament.evidence.clusters import clusters

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


G_co = TypeVar("G_co", covariant=True)


class Half(NamedTuple, Generic[G_co]):
    """A game of a pair: the hash of the board it ended on, and whether the same two ended there before."""

    game: G_co
    end: int
    repeats: bool = False


class Pairing(NamedTuple):
    """Two players over all openings: how many pairs they played, and the margin of each cluster of them.

    A margin is the score of the player listed first, less a half. Openings whose games meet are one cluster, whose
    margin is the mean of theirs.
    """

    pairs: int
    margins: Sequence[float]

    @property
    def won(self) -> int:
        return sum(margin > 0 for margin in self.margins)

    @property
    def lost(self) -> int:
        return sum(margin < 0 for margin in self.margins)

    @property
    def split(self) -> int:
        return len(self.margins) - self.won - self.lost


class _Sums(NamedTuple):
    """What is kept of the pairs of one pairing: margins in quarters, and a hash of the board each game ended on."""

    quarters: array[int]
    ends: tuple[array[int], array[int]]


@dataclass
class Pairs(Generic[P]):
    """Whole pairs, kept as small numbers: their games that repeat no other one by one, and all of them by pairing.

    In a game, `first` is who moves first from the opening: after an odd number of plies that is the second player.
    """

    players: dict[str, P] = field(default_factory=dict)  # by key, in the order of their first pair
    openings: dict[str, int] = field(default_factory=dict)
    first: array[int] = field(default_factory=lambda: array("i"))
    second: array[int] = field(default_factory=lambda: array("i"))
    outcome: array[int] = field(default_factory=lambda: array("b"))
    opening: array[int] = field(default_factory=lambda: array("i"))
    _index: dict[str, int] = field(default_factory=dict)
    _pairings: dict[tuple[str, str], _Sums] = field(
        default_factory=lambda: defaultdict(lambda: _Sums(array("b"), (array("q"), array("q"))))
    )

    def add(self, one: Half[Played[P]], other: Half[Played[P]]) -> None:
        """Count a pair; in `one` the player listed first moves first."""
        index, game = self._index, one.game
        for player in (game.first, game.second):
            self.players.setdefault(player.key, player)
            index.setdefault(player.key, len(index))
        opening = self.openings.setdefault(game.opening, len(self.openings))
        sums = self._pairings[game.first.key, game.second.key]
        for half, ends in zip((one, other), sums.ends, strict=True):
            ends.append(half.end)
            if half.repeats:
                continue
            seats, outcome = (half.game.first, half.game.second), OUTCOME[half.game.result]
            if len(game.opening) % 2:
                seats, outcome = seats[::-1], 2 - outcome
            self.first.append(index[seats[0].key])
            self.second.append(index[seats[1].key])
            self.outcome.append(outcome)
            self.opening.append(opening)
        sums.quarters.append(OUTCOME[game.result] - OUTCOME[other.game.result])

    @property
    def pairings(self) -> dict[tuple[str, str], Pairing]:
        """What is known of each pairing, by the keys of its players."""
        return {keys: _clustered(sums) for keys, sums in self._pairings.items()}


def _clustered(sums: _Sums) -> Pairing:
    margins: dict[int, list[int]] = {}
    for cluster, quarters in zip(clusters(list(zip(*sums.ends, strict=True))), sums.quarters, strict=True):
        margins.setdefault(cluster, []).append(quarters)
    return Pairing(len(sums.quarters), [sum(own) / len(own) / 4 for own in margins.values()])
