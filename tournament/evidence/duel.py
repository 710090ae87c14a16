"""The pairs of a duel, judged in the order of its openings, whatever order they are finished in.

So the verdict is the same for any number of jobs. Openings whose games meet are one cluster and count once, as they
did on average (to the nearest quarter, and between two the nearer to ½): what is the same game again is no more
evidence.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from tournament.evidence.clusters import board_after, clusters
from tournament.evidence.sprt import Terms

POINTS = {"first": 2, "draw": 1, "second": 0}  # of the side that moved first, in half games
ENOUGH_ALIKE = 30  # pairs with the same moves in both games: 95 % sure that fewer than one in ten differs


class DuelTally:
    """The pairs of a duel, counted until they decide."""

    def __init__(self, new: str, suite: Sequence[str], terms: Terms) -> None:
        self._new = new
        self._terms = terms
        self._suite = suite
        self._games: dict[str, list[tuple[int, str, bool]]] = {opening: [] for opening in suite}  # points of NEW, moves
        self._ends: list[tuple[Hashable, Hashable]] = []
        self._scores: list[int] = []  # of NEW in each pair, in half games
        self._seen: set[tuple[int, Hashable]] = set()
        self._alike = 0  # pairs in which both played the same moves from the same seats
        self.counts = [0] * 5  # clusters in which NEW scored 0, ½, 1, 1½, 2
        self.decision = terms.decide(self.counts)

    def add(self, opening: str, first: str, result: str, moves: str) -> None:
        """Note a game, and judge every pair that is whole now and whose turn it is."""
        points, is_new = POINTS[result], first == self._new
        self._games[opening].append((points if is_new else 2 - points, moves, is_new))
        while not self.is_over and not self.is_played_out:
            pair = self._games[self._suite[self.pairs]]
            if len(pair) < 2:
                return
            self._count(pair)
            self.decision = self._terms.decide(self.counts)

    def _count(self, pair: list[tuple[int, str, bool]]) -> None:
        (one, moves, _), (other, others, _) = sorted(pair, key=lambda game: not game[2])
        self._alike += moves == others
        self._scores.append(one + other)
        self._ends.append((board_after(moves), board_after(others)))
        ends = set(enumerate(self._ends[-1]))
        if self._seen.isdisjoint(ends):
            self.counts[one + other] += 1
        else:
            self.counts = _clustered(self._ends, self._scores)
        self._seen |= ends

    @property
    def pairs(self) -> int:
        """How many pairs were counted, those that count with another too."""
        return len(self._scores)

    @property
    def is_played_out(self) -> bool:
        return self.pairs == len(self._suite)

    @property
    def plays_the_same(self) -> bool:
        """Whether both players have made the same moves in every pair, and there is no need to see more."""
        return self._alike == self.pairs > 0 and (self.pairs >= ENOUGH_ALIKE or self.is_played_out)

    @property
    def is_over(self) -> bool:
        return self.decision.accepted is not None or self.plays_the_same


def _clustered(ends: Sequence[tuple[Hashable, Hashable]], scores: Sequence[int]) -> list[int]:
    """How many clusters scored 0, ½, 1, 1½ and 2 on average."""
    together: dict[int, list[int]] = {}
    for cluster, score in zip(clusters(ends), scores, strict=True):
        together.setdefault(cluster, []).append(score)
    counts = [0] * 5
    for own in together.values():
        margin = sum(own) / len(own) - 2
        counts[2 + round(math.copysign(math.ceil(abs(margin) - 0.5), margin))] += 1
    return counts
