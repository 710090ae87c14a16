"""Games summed up, one at a time, so that a hundred thousand of them take no more memory than a hundred.

A game that repeats another (same players, opening and moves) is counted once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tournament.evidence.pairs import Pairs
from tournament.report.longest import Longest
from tournament.report.scores import Scores, Seats
from tournament.store import Cost, StoredGame, StoredPlayer

AT_ONCE = 256  # costs that are summed up together, which is ten times as fast as one by one


@dataclass
class Faults:
    """What one player did wrong in one way: how often, and what was said the first time."""

    player: StoredPlayer
    kind: str
    first_message: str
    times: int = 0


@dataclass
class Tally:
    """The sums over the games that were added to it."""

    seats_rule: str | None  # who moves first, as a config says it: both, as-listed or random
    played: int = 0
    distinct: int = 0
    forfeits: int = 0
    withdrawn: int = 0  # games that were not played, since a player had forfeited too often
    faults: dict[tuple[str, str], Faults] = field(default_factory=dict)  # by the player's key and the kind
    withdrawn_of: Counter[str] = field(default_factory=Counter)  # by the player's key
    scores: Scores = field(default_factory=Scores)
    seats: Seats = field(default_factory=Seats)
    pairs: Pairs[StoredPlayer] = field(default_factory=Pairs)
    longest: Longest = field(default_factory=Longest)
    _halves: dict[tuple[frozenset[str], str], StoredGame] = field(default_factory=dict)
    _costs: dict[str, list[Cost]] = field(default_factory=dict)  # of games by the player's key, not yet summed up

    def add(self, game: StoredGame) -> None:
        """Count one more game; where seats are swapped, it counts once the other half of its pair is there."""
        self.longest.add(game)
        if game.reason == "withdrawn":
            self._add_withdrawn(game)
            return
        self.played += 1
        self.distinct += game.distinct
        for player, cost in ((game.first, game.first_cost), (game.second, game.second_cost)):
            waiting = self._costs.setdefault(player.key, [])
            waiting.append(cost)
            if len(waiting) >= AT_ONCE:
                waiting[:] = [Cost().plus(*waiting)]
        if not game.distinct:
            return
        if self.seats_rule == "random":  # no game has another half to wait for
            self._count(game)
            return
        other = self._halves.pop(_pair(game), None)
        if other is not None and other.reason == "withdrawn":  # nobody will pair them
            self._count(game)
            return
        if other is not None and other.first.key != game.first.key:
            self.pairs.add(other, game)
            self.seats.add_pair(other, game)
        else:
            self._halves[_pair(game)] = game
            if self.seats_rule == "both":
                return
        halves = [game] if other is None or self.seats_rule != "both" else [other, game]
        for half in halves:
            self._count(half)

    @property
    def cost(self) -> dict[str, Cost]:
        """What each player's searches took, by its key."""
        return {key: Cost().plus(*waiting) for key, waiting in self._costs.items()}

    def _add_withdrawn(self, game: StoredGame) -> None:
        """A game that was not played counts for the other side, if that still plays; it says nothing of strengths."""
        self.withdrawn += 1
        for player in (game.first, game.second) if game.result == "draw" else (game.loser,):
            self.withdrawn_of[player.key] += 1
        if game.result != "draw":
            self.scores.add(game)
        if self.seats_rule != "both":
            return
        other = self._halves.pop(_pair(game), None)
        if other is None:
            self._halves[_pair(game)] = game
        elif other.reason != "withdrawn":
            self._count(other)

    def _count(self, game: StoredGame) -> None:
        if game.fault is not None:
            self.forfeits += 1
            loser, kind = game.loser, game.fault_kind or "raised"
            self.faults.setdefault((loser.key, kind), Faults(loser, kind, game.fault)).times += 1
        self.scores.add(game)
        self.seats.add(game)


def _pair(game: StoredGame) -> tuple[frozenset[str], str]:
    """What both games of a pair have in common."""
    return frozenset((game.first.key, game.second.key)), game.opening
