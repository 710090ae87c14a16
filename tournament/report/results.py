"""What the games say, in sums.

Games are gone through once, one at a time, and only sums are kept, so that a hundred thousand games take no
more memory than a hundred. A game that repeats another (same players, opening and moves) is counted once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tournament.evidence.pairs import Pairs
from tournament.report.table import Table
from tournament.store import Cost, StoredGame, StoredPlayer, StoredRun

ALL = "all"


# ── sums ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Score:
    """Games of one player, or of one player against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    won_first: int = 0
    won_second: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2


@dataclass
class SeatScore:
    """What moving first was worth over some games, and over the pairs among them."""

    first_won: int = 0
    drawn: int = 0
    second_won: int = 0
    by_seat: int = 0  # pairs in which the first player won both games
    by_player: int = 0  # pairs in which one player won both games
    otherwise: int = 0  # pairs with a draw, or in which the second player won both

    @property
    def games(self) -> int:
        return self.first_won + self.drawn + self.second_won

    @property
    def score(self) -> float:
        return (self.first_won + self.drawn / 2) / self.games


@dataclass
class Faults:
    """What one player did wrong in one way: how often, and what was said the first time."""

    player: StoredPlayer
    times: int
    first_message: str


@dataclass
class Results:
    """Everything that the tables are made from."""

    run: StoredRun
    players: dict[str, StoredPlayer]
    planned: int
    superseded: int
    played: int = 0
    distinct: int = 0
    forfeits: int = 0
    withdrawn: int = 0  # games that were not played, since a player had forfeited too often
    faults: dict[tuple[str, str, str], Faults] = field(default_factory=dict)  # by player, depth and kind
    withdrawn_of: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by the player's key
    standings: dict[str, dict[str, Score]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Score)))
    against: dict[tuple[str, str], Score] = field(default_factory=lambda: defaultdict(Score))
    cost: dict[str, Cost] = field(default_factory=dict)  # by the player's key
    seats_by_depth: dict[str, SeatScore] = field(default_factory=lambda: defaultdict(SeatScore))
    seats_by_player: dict[str, SeatScore] = field(default_factory=lambda: defaultdict(SeatScore))
    pairs: Pairs[StoredPlayer] = field(default_factory=Pairs)
    tables: list[Table] = field(default_factory=list)  # of the report, once it has been written
    _halves: dict[tuple[frozenset[str], str], StoredGame] = field(default_factory=dict)

    def add(self, game: StoredGame) -> None:
        """Count one more game; where seats are swapped, it counts once the other half of its pair is there."""
        if game.reason == "withdrawn":
            self._add_withdrawn(game)
            return
        self.played += 1
        self.distinct += game.distinct
        for player, cost in ((game.first, game.first_cost), (game.second, game.second_cost)):
            self.cost[player.key] = self.cost.get(player.key, Cost()).plus(cost)
        if not game.distinct:
            return
        if self.run.seats == "random":  # no game has another half to wait for
            self._count(game)
            return
        other = self._halves.pop(_pair(game), None)
        if other is not None and other.reason == "withdrawn":  # nobody will pair them
            self._count(game)
            return
        if other is not None and other.first.key != game.first.key:
            self._count_pair(other, game)
        else:
            self._halves[_pair(game)] = game
            if self.run.seats == "both":
                return
        halves = [game] if other is None or self.run.seats != "both" else [other, game]
        for half in halves:
            self._count(half)

    def _add_withdrawn(self, game: StoredGame) -> None:
        """A game that was not played counts for the other side, if that still plays; it says nothing of strengths."""
        self.withdrawn += 1
        for player in (game.first, game.second) if game.result == "draw" else (game.loser,):
            self.withdrawn_of[player.key] += 1
        if game.result != "draw":
            self._score(game)
        if self.run.seats != "both":
            return
        other = self._halves.pop(_pair(game), None)
        if other is None:
            self._halves[_pair(game)] = game
        elif other.reason != "withdrawn":
            self._count(other)

    def _score(self, game: StoredGame) -> None:
        names, depth = shown_names(game), shown_depth(game)
        for group in (depth, ALL):
            _add_result(self.standings[group][names[0]], self.standings[group][names[1]], game)
        _add_result(self.against[names], self.against[names[1], names[0]], game)

    def _count(self, game: StoredGame) -> None:
        if game.fault is not None:
            self.forfeits += 1
            loser, kind = game.loser, game.fault_kind or "raised"
            known = self.faults.setdefault((loser.name, loser.key, kind), Faults(loser, 0, game.fault))
            known.times += 1
        self._score(game)
        for seats in self._seat_scores(game):
            seats.first_won += game.result == "first"
            seats.drawn += game.result == "draw"
            seats.second_won += game.result == "second"

    def _seat_scores(self, game: StoredGame) -> list[SeatScore]:
        """The sums that a game belongs to: of its depth, of all depths, of its players."""
        by_player = [self.seats_by_player[name] for name in set(shown_names(game))]
        return [self.seats_by_depth[shown_depth(game)], self.seats_by_depth[ALL], *by_player]

    def _count_pair(self, game: StoredGame, other: StoredGame) -> None:
        self.pairs.add(game, other)
        results = {other.result, game.result}
        for seats in self._seat_scores(game):
            seats.by_seat += results == {"first"}
            seats.by_player += results == {"first", "second"}
            seats.otherwise += results not in ({"first"}, {"first", "second"})


def _pair(game: StoredGame) -> tuple[frozenset[str], str]:
    """What both games of a pair have in common."""
    return frozenset((game.first.key, game.second.key)), game.opening


def _add_result(first: Score, second: Score, game: StoredGame) -> None:
    first.won += game.result == "first"
    first.won_first += game.result == "first"
    first.lost += game.result == "second"
    second.won += game.result == "second"
    second.won_second += game.result == "second"
    second.lost += game.result == "first"
    first.drawn += game.result == "draw"
    second.drawn += game.result == "draw"


def shown_depth(game: StoredGame) -> str:
    """The depth of a game: one number, or both where the players search to different depths."""
    one, other = sorted((game.first.settings, game.second.settings), key=lambda settings: settings.rank)
    return one.limit if one.rank == other.rank else f"{one.limit} v {other.limit}"


def shown_names(game: StoredGame) -> tuple[str, str]:
    """What the players are called: with their depths where these differ, since they are not the same players then."""
    first, second = game.first, game.second
    if first.settings.rank == second.settings.rank:
        return first.name, second.name
    return f"{first.name} ({first.settings.limit})", f"{second.name} ({second.settings.limit})"
