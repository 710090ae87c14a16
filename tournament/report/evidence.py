"""How sure one can be: ratings with intervals, verdicts, and what the first move is worth, from pairs of games.

Only whole pairs are evidence: the same opening with the seats swapped. Where there are too few that anybody won,
nothing is rated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tournament.engine.settings import Effort
from tournament.evidence.verdicts import Verdict
from tournament.report.competitors import Competitor
from tournament.store import StoredPlayer


class Estimate(NamedTuple):
    """So many Elo, and the 95 % interval around them."""

    elo: float
    interval: tuple[float, float]


class Chance(NamedTuple):
    """How likely one player beats another over both seats, and whether the difference in strength is resolved."""

    to_win: float
    resolved: bool


@dataclass(frozen=True)
class RatedGroup:
    """Players who have met, directly or through others, and can be compared."""

    effort: Effort | None  # of all of them; None where they differ
    decisive: int  # pairs that one of the two won
    ratings: dict[str, Estimate]  # by the player's key, the best first; empty where there are too few decisive pairs
    chances: dict[tuple[str, str], Chance]  # of the first against the second, by keys; empty for very many players


class Slope(NamedTuple):
    """How many Elo the first move gains with a ply of depth, and how often chance alone does as much."""

    elo: float
    p: float


@dataclass(frozen=True)
class FirstMove:
    """What moving first is worth in the fitted model."""

    overall: Estimate
    by_effort: dict[Effort, Estimate]  # of the deeper of the two; empty where all games have the same
    by_player: dict[str, Estimate]  # by the player's key
    slope: Slope | None  # None: there are not several depths, or budgets among them


@dataclass(frozen=True)
class Ratings:
    """One model of all games of whole pairs."""

    groups: tuple[RatedGroup, ...]
    first_move: FirstMove
    games: int
    openings: int  # that the bootstrap draws from


class PairingVerdict(NamedTuple):
    """Whether a player is better than another, by their pairs."""

    player: str  # keys
    other: str
    verdict: Verdict
    split: int  # pairs that neither won

    @property
    def better(self) -> tuple[str, str] | None:
        """The keys of the better and of the worse one; None where it can't be told."""
        if self.verdict.word == "can't tell":
            return None
        return (self.player, self.other) if self.verdict.word == "better" else (self.other, self.player)


@dataclass(frozen=True)
class Evidence:
    """What the whole pairs say of the players."""

    players: dict[str, StoredPlayer]  # who have played a whole pair, by key
    decisive: int
    ratings: Ratings | None  # None: too few pairs that anybody won
    verdicts: tuple[PairingVerdict, ...]

    def competitor(self, key: str) -> Competitor:
        """A player, told apart by its effort where there are several."""
        player = self.players[key]
        several = len({other.settings.effort for other in self.players.values()}) > 1
        return Competitor(player.name, player.settings.effort if several else None)
