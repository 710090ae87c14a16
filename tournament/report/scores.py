"""Sums of results: what everybody scored, against whom, and what moving first was worth."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournament.evidence.intervals import wilson
from tournament.report.competitors import Competitor, Level, competitors_of, level_of
from tournament.store import StoredGame


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
    """What everybody scored: at each level, over all of them, and against each other."""

    by_level: dict[Level, dict[Competitor, Score]] = field(default_factory=dict)
    overall: dict[Competitor, Score] = field(default_factory=dict)
    against: dict[tuple[Competitor, Competitor], Score] = field(default_factory=dict)

    def add(self, game: StoredGame) -> None:
        one, other = competitors_of(game)
        at_level = self.by_level.setdefault(level_of(game), {})
        for scores in (at_level, self.overall):
            _add_result(scores.setdefault(one, Score()), scores.setdefault(other, Score()), game)
        against = self.against
        _add_result(against.setdefault((one, other), Score()), against.setdefault((other, one), Score()), game)

    @property
    def levels(self) -> list[Level]:
        """Every level at which anybody has scored, in order."""
        return sorted(self.by_level, key=lambda level: level.order)


def best_first(scores: dict[Competitor, Score]) -> list[Competitor]:
    """Everybody by points; those with as many by name."""
    return sorted(scores, key=lambda one: (-scores[one].points, one.text))


def _add_result(first: Score, second: Score, game: StoredGame) -> None:
    first.won += game.result == "first"
    first.won_first += game.result == "first"
    first.lost += game.result == "second"
    second.won += game.result == "second"
    second.won_second += game.result == "second"
    second.lost += game.result == "first"
    first.drawn += game.result == "draw"
    second.drawn += game.result == "draw"


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


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
        """The share of the points that went to the first player."""
        return (self.first_won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share."""
        return wilson(self.score, self.games)


@dataclass
class Seats:
    """What moving first was worth: at each level, over all of them, and in each player's games."""

    by_level: dict[Level, SeatScore] = field(default_factory=dict)
    overall: SeatScore = field(default_factory=SeatScore)
    by_player: dict[Competitor, SeatScore] = field(default_factory=dict)

    def add(self, game: StoredGame) -> None:
        for seats in self._of(game):
            seats.first_won += game.result == "first"
            seats.drawn += game.result == "draw"
            seats.second_won += game.result == "second"

    def add_pair(self, game: StoredGame, other: StoredGame) -> None:
        """Count what decided a pair whose two games are counted by themselves."""
        results = {other.result, game.result}
        for seats in self._of(game):
            seats.by_seat += results == {"first"}
            seats.by_player += results == {"first", "second"}
            seats.otherwise += results not in ({"first"}, {"first", "second"})

    def _of(self, game: StoredGame) -> list[SeatScore]:
        """The sums that a game belongs to: of its level, of all levels, of its players."""
        at_level = self.by_level.setdefault(level_of(game), SeatScore())
        by_player = [self.by_player.setdefault(one, SeatScore()) for one in set(competitors_of(game))]
        return [at_level, self.overall, *by_player]

    @property
    def levels(self) -> list[Level]:
        """Every level at which a game counts, in order."""
        return sorted(self.by_level, key=lambda level: level.order)
