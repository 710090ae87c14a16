"""Games summed up, one at a time, so that a hundred thousand of them take no more memory than a hundred.

A game that repeats another, of the same players in the same seats, opening and moves, is counted once. One that comes
to the same board from another opening is a game of the standings, but no evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tournament.evidence.clusters import board_after
from tournament.evidence.pairs import Half, Pairs
from tournament.report.competitors import is_pool
from tournament.report.longest import Longest
from tournament.report.scores import Scores, Seats
from tournament.store import Cost, StoredGame, StoredPlayer, StoredRun

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
    in_pool: bool = False  # players of all efforts meet
    played: int = 0
    distinct: int = 0
    forfeits: int = 0
    withdrawn: int = 0  # games that were not played, since a player had forfeited too often
    faults: dict[tuple[str, str], Faults] = field(default_factory=dict)  # by the player's key and the kind
    withdrawn_of: Counter[str] = field(default_factory=Counter)  # by the player's key
    scores: Scores = field(default_factory=Scores)
    seats: Seats = field(default_factory=Seats)
    seats_when_empty: Seats = field(default_factory=Seats)  # of games that begin with the empty board
    pairs: Pairs[StoredPlayer] = field(default_factory=Pairs)
    longest: Longest = field(default_factory=Longest)
    openings: set[str] = field(default_factory=set)  # of games that were played
    _halves: dict[tuple[frozenset[str], str], Half[StoredGame]] = field(default_factory=dict)
    _costs: dict[str, list[Cost]] = field(default_factory=dict)  # of games by the player's key, not yet summed up
    _ends: set[tuple[str, str, int]] = field(default_factory=set)  # boards to which two players in their seats came
    # The same of games that say something of the seat, those from the empty board apart
    _seated: set[tuple[str, str, int, bool]] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.in_pool:
            self.scores, self.longest = Scores(in_pool=True), Longest(in_pool=True)
            self.seats, self.seats_when_empty = Seats(in_pool=True), Seats(in_pool=True)

    def add(self, game: StoredGame) -> None:
        """Count one more game; where seats are swapped, it counts once the other half of its pair is there."""
        self.longest.add(game)
        if game.reason == "withdrawn":
            self._add_withdrawn(game)
            return
        self.played += 1
        self.openings.add(game.opening)
        for player, cost in ((game.first, game.first_cost), (game.second, game.second_cost)):
            waiting = self._costs.setdefault(player.key, [])
            waiting.append(cost)
            if len(waiting) >= AT_ONCE:
                waiting[:] = [Cost().plus(*waiting)]
        if not game.distinct:
            return
        end = hash(board_after(game.moves))
        came_to = (game.first.key, game.second.key, end)
        half = Half(game, end, repeats=came_to in self._ends)
        self._ends.add(came_to)
        self.distinct += not half.repeats
        if self.seats_rule == "random":  # no game has another half to wait for
            self._count(half)
            self._count_seat(half)
            return
        other = self._halves.pop(_pair(game), None)
        if other is not None and other.game.reason == "withdrawn":  # nobody will pair them
            self._count(half)
            return
        if other is not None and other.game.first.key != game.first.key:
            self.pairs.add(other, half)
            if self.seats_rule != "both" and not (other.repeats or half.repeats):  # their games count by themselves
                self._seats(game).add_pair(other.game, game)
        else:
            self._halves[_pair(game)] = half
            if self.seats_rule == "both":
                return
        halves = [half] if other is None or self.seats_rule != "both" else [other, half]
        for one in halves:
            self._count(one)
        self._count_seat(*halves)

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
            self._halves[_pair(game)] = Half(game, 0)
        elif other.game.reason != "withdrawn":
            self._count(other)

    def _seats(self, game: StoredGame) -> Seats:
        return self.seats if game.opening else self.seats_when_empty

    def _count(self, half: Half[StoredGame]) -> None:
        """Count a game, in all but what is said of the seat."""
        game = half.game
        if game.fault is not None:
            self.forfeits += 1
            loser, kind = game.loser, game.fault_kind or "raised"
            self.faults.setdefault((loser.key, kind), Faults(loser, kind, game.fault)).times += 1
        self.scores.add(game)

    def _count_seat(self, *halves: Half[StoredGame]) -> None:
        """Count what a game, or both of a pair, say of the seat; a pair where one of them came to a board again, not.

        Counted without the other, games of a stronger player that repeat each other in one seat alone would make that
        seat look worse.
        """
        boards = {(one.game.first.key, one.game.second.key, one.end, bool(one.game.opening)) for one in halves}
        if boards & self._seated:
            return
        self._seated |= boards
        seats, games = self._seats(halves[0].game), [one.game for one in halves]
        for game in games:
            seats.add(game)
        if len(games) > 1:
            seats.add_pair(*games)


def tally_of(run: StoredRun) -> Tally:
    """The sums of a run, before any game."""
    return Tally(run.seats, is_pool(run.config))


def _pair(game: StoredGame) -> tuple[frozenset[str], str]:
    """What both games of a pair have in common."""
    return frozenset((game.first.key, game.second.key)), game.opening
