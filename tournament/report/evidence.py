"""How sure one can be: ratings with intervals, verdicts, and what the first move is worth, from pairs of games.

Only whole pairs are evidence: the same opening with the seats swapped. Where there are too few that anybody won,
nothing is rated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tournament.engine.settings import Effort
from tournament.evidence.pairs import Pairing
from tournament.evidence.verdicts import Word
from tournament.report.competitors import Competitor, competitor_in_pool
from tournament.store import StoredPlayer


class Estimate(NamedTuple):
    """So many Elo, and the 95 % interval around them."""

    elo: float
    interval: tuple[float, float]


class Chance(NamedTuple):
    """How likely one player beats another over both seats, and whether a verdict says that it is the stronger one."""

    to_win: float
    resolved: bool


@dataclass(frozen=True)
class RatedGroup:
    """Players who have met, directly or through others, and can be compared."""

    effort: Effort | None  # of all of them; None where they differ
    decisive: int  # pairs that one of the two won
    ratings: dict[str, Estimate]  # by the player's key, the best first; empty where there are too few decisive pairs
    chances: dict[tuple[str, str], Chance]  # of the first against the second, by keys; empty for very many players


@dataclass(frozen=True)
class FirstMove:
    """What moving first is worth in the fitted model."""

    overall: Estimate
    by_effort: dict[Effort, Estimate]  # of the deeper of the two; empty where all games have the same
    by_player: dict[str, Estimate]  # by the player's key


@dataclass(frozen=True)
class Ratings:
    """One model of all games of whole pairs; one that repeats another is no game of it."""

    groups: tuple[RatedGroup, ...]
    first_move: FirstMove
    games: int
    openings: int  # that the bootstrap draws from


class Departure(NamedTuple):
    """What a player scored against another beyond what their ratings say, a game, and the adjusted p-value of that."""

    margin: float
    p: float


class PairingVerdict(NamedTuple):
    """Whether a player is better than another: decided once, and read by every table, sentence and chart.

    Where players are compared through others too, by their ratings, all at once; else by their own pairs.
    """

    player: str  # keys
    other: str
    by_ratings: bool
    word: Word  # of the player
    p: float  # adjusted for all verdicts of the report
    pairs: int  # that the two have played
    pairing: Pairing  # by clusters of openings whose games meet
    openings_enough: int | None  # about so many would tell what can't be told; None: told, or far too many
    departure: Departure | None  # from the ratings, where there is one

    @property
    def better(self) -> tuple[str, str] | None:
        """The keys of the better and of the worse one; None where it can't be told."""
        if self.word == "can't tell":
            return None
        return (self.player, self.other) if self.word == "better" else (self.other, self.player)


class Step(NamedTuple):
    """What deeper searches are worth: of one player, or on average over several."""

    name: str | None  # None: on average
    low: int  # depths
    high: int
    players: int
    gain: Estimate  # from the one to the other
    p: float  # adjusted for all verdicts of the report
    word: Word

    @property
    def plies(self) -> int:
        return self.high - self.low

    @property
    def a_ply(self) -> Estimate:
        """The gain, shared among its plies."""
        low, high = self.gain.interval
        return Estimate(self.gain.elo / self.plies, (low / self.plies, high / self.plies))


class Alike(NamedTuple):
    """A player that searches less, and plays like another that searches more, as far as the games can tell."""

    shallow: str  # keys
    deep: str
    plies: int  # that it searches less
    gap: Estimate  # of Elo, with the interval of these two alone


@dataclass(frozen=True)
class Strength:
    """What a ply buys in a pool."""

    steps: tuple[Step, ...]  # between neighbouring depths, then from the least to the greatest; on average first
    alike: tuple[Alike, ...]  # those that save most plies first


@dataclass(frozen=True)
class Evidence:
    """What the whole pairs say of the players."""

    players: dict[str, StoredPlayer]  # who have played a whole pair, by key
    decisive: int  # pairs that somebody won, those of one cluster once
    openings: int
    ratings: Ratings | None  # None: too few pairs that anybody won
    verdicts: tuple[PairingVerdict, ...]
    in_pool: bool = False  # players of all efforts meet
    strength: Strength | None = None  # None: no pool, or too few games to judge all at once

    def verdict(self, one: str, other: str) -> PairingVerdict | None:
        """What is decided of two players, by their keys; None where they have not met."""
        return self._by_keys.get(frozenset((one, other)))

    @cached_property
    def _by_keys(self) -> dict[frozenset[str], PairingVerdict]:
        return {frozenset((one.player, one.other)): one for one in self.verdicts}

    def competitor(self, key: str) -> Competitor:
        """A player, told apart by its effort where there are several."""
        player = self.players[key]
        if self.in_pool:
            return competitor_in_pool(player)
        several = len({other.settings.effort for other in self.players.values()}) > 1
        return Competitor(player.name, player.settings.effort if several else None)
