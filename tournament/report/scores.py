"""Sums of results: what everybody scored, against whom, and what moving first was worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tournament.evidence.seats import share_interval, share_p
from tournament.report.competitors import Competitor, Level, competitors_of, level_of
from tournament.store import StoredGame

HALVES = {"second": 0, "draw": 1, "first": 2}  # points of the first player, in halves


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
class Scores:
    """What everybody scored: at each level, over all of them, and against each other.

    A pool has no levels: there everybody meets everybody.
    """

    in_pool: bool = False
    by_level: dict[Level, dict[Competitor, Score]] = field(default_factory=dict)
    overall: dict[Competitor, Score] = field(default_factory=dict)
    against: dict[tuple[Competitor, Competitor], Score] = field(default_factory=dict)
    _of_players: dict[tuple[str, str], list[tuple[Score, Score]]] = field(default_factory=dict)  # by their keys

    def add(self, game: StoredGame) -> None:
        keys = game.first.key, game.second.key
        if keys not in self._of_players:
            self._of_players[keys] = self._of(game)
        for one, other in self._of_players[keys]:
            _add_result(one, other, game)

    def _of(self, game: StoredGame) -> list[tuple[Score, Score]]:
        """The scores of both sides that a game of these players belongs to."""
        one, other = competitors_of(game, in_pool=self.in_pool)
        scored = [self.overall] if self.in_pool else [self.by_level.setdefault(level_of(game), {}), self.overall]
        found = [(scores.setdefault(one, Score()), scores.setdefault(other, Score())) for scores in scored]
        against = self.against
        return [*found, (against.setdefault((one, other), Score()), against.setdefault((other, one), Score()))]

    @property
    def levels(self) -> list[Level]:
        """Every level at which anybody has scored, in order."""
        return sorted(self.by_level, key=lambda level: level.order)


def best_first(scores: dict[Competitor, Score]) -> list[Competitor]:
    """Everybody by points; those with as many by name."""
    return sorted(scores, key=lambda one: (-scores[one].points, one.text))


def _add_result(first: Score, second: Score, game: StoredGame) -> None:
    match game.result:
        case "first":
            first.won += 1
            first.won_first += 1
            second.lost += 1
        case "second":
            second.won += 1
            second.won_second += 1
            first.lost += 1
        case "draw":
            first.drawn += 1
            second.drawn += 1


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class SeatScore:
    """What moving first from the opening was worth over some games, and over the pairs among them."""

    first_won: int = 0
    drawn: int = 0
    second_won: int = 0
    by_seat: int = 0  # pairs in which whoever moved first won both games
    by_player: int = 0  # pairs in which one player won both games
    otherwise: int = 0  # pairs with a draw, or in which whoever moved second won both
    by_opening: dict[str, list[int]] = field(default_factory=dict)  # half points of the first, and games

    @property
    def games(self) -> int:
        return self.first_won + self.drawn + self.second_won

    @property
    def score(self) -> float:
        """The share of the points that went to whoever moved first."""
        return (self.first_won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of that share, over openings; None where there are not two."""
        return share_interval(*self._sums)

    @property
    def p(self) -> float:
        """How often chance alone makes that share as far from a half."""
        return share_p(*self._sums)

    @property
    def _sums(self) -> tuple[list[float], list[int]]:
        sums = self.by_opening.values()
        return [halves / 2 for halves, _ in sums], [games for _, games in sums]


@dataclass
class Seats:
    """What moving first was worth: at each level, over all of them, and in each player's games.

    In a pool a level is one that both players search to, and a player's games are those of all its efforts.
    """

    in_pool: bool = False
    by_level: dict[Level, SeatScore] = field(default_factory=dict)
    overall: SeatScore = field(default_factory=SeatScore)
    by_player: dict[Competitor, SeatScore] = field(default_factory=dict)
    by_both: dict[tuple[Level, Competitor], SeatScore] = field(default_factory=dict)
    began: dict[frozenset[str], Counter[str]] = field(default_factory=dict)  # games that a player began, by pairing
    _sums: dict[tuple[str, str], list[SeatScore]] = field(default_factory=dict)  # by who began and who did not

    def add(self, game: StoredGame) -> None:
        """Count a game."""
        self.began.setdefault(frozenset((game.first.key, game.second.key)), Counter())[game.first.key] += 1
        halves = HALVES[game.result] if len(game.opening) % 2 == 0 else 2 - HALVES[game.result]
        for seats in self._of(game):
            seats.first_won += halves == 2
            seats.drawn += halves == 1
            seats.second_won += halves == 0
            sums = seats.by_opening.setdefault(game.opening, [0, 0])
            sums[0] += halves
            sums[1] += 1

    def add_pair(self, game: StoredGame, other: StoredGame) -> None:
        """Count what decided a pair whose two games are counted by themselves."""
        results = {other.result, game.result}
        first = "first" if len(game.opening) % 2 == 0 else "second"
        for seats in self._of(game):
            seats.by_seat += results == {first}
            seats.by_player += results == {"first", "second"}
            seats.otherwise += results not in ({first}, {"first", "second"})

    def _of(self, game: StoredGame) -> list[SeatScore]:
        """The sums that a game belongs to: of its level, of all levels, of its players, and of these at its level."""
        keys = (game.first.key, game.second.key)
        if keys not in self._sums:
            self._sums[keys] = self._made_for(game)
        return self._sums[keys]

    def _made_for(self, game: StoredGame) -> list[SeatScore]:
        level, players = level_of(game), set(competitors_of(game))
        if self.in_pool:
            players = {Competitor(one.name) for one in players}
        by_player = [self.by_player.setdefault(one, SeatScore()) for one in players]
        plays_by_itself = game.first.is_agent or game.second.is_agent  # whose effort is none of its own
        if self.in_pool and (len(level.efforts) > 1 or plays_by_itself):
            return [self.overall, *by_player]
        at_level = self.by_level.setdefault(level, SeatScore())
        by_both = [self.by_both.setdefault((level, one), SeatScore()) for one in players]
        return [at_level, self.overall, *by_player, *by_both]

    @property
    def levels(self) -> list[Level]:
        """Every level at which a game counts, in order."""
        return sorted(self.by_level, key=lambda level: level.order)

    @property
    def are_balanced(self) -> bool:
        """Whether in every pairing both have begun as many that count: else what the seat did may be the players'."""
        return all(len(set(begun.values())) == 1 and len(begun) == 2 for begun in self.began.values())
