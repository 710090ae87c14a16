"""Who plays whom: pairings made into games, each with an id made from all that decides it.

Nothing here grows with the number of games: they are made one at a time, in the same order each time.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules
from tournament.plan.openings import Promise
from tournament.plan.pairings import Seats
from tournament.plugins.player import Player
from tournament.truth.verdict import Value

Pairing = tuple[Player, Player]


class PlannedGame(NamedTuple):
    """A game to be played: its id, who is in which seat, and the opening."""

    id: str
    first: Player
    second: Player
    opening: str

    @property
    def dearer(self) -> Settings:
        """The dearer of the two searches: what the game will cost goes by it."""
        return max((self.first.settings, self.second.settings), key=lambda settings: settings.weight)


@dataclass(frozen=True)
class Plan:
    """Every game of a tournament."""

    pairings: Callable[[], Iterator[Pairing]]
    rules: Rules
    seats: Seats
    seed: int
    openings: Sequence[str] = ("",)  # the same for every pairing
    places: Mapping[Any, tuple[str | int, ...]] = field(default_factory=dict)  # where the config names a file
    note: str = ""  # what people are to be told of the plan
    truths: Mapping[str, Value] = field(default_factory=dict)  # of openings, as far as it is proven already
    promise: Promise | None = None  # the value that openings were asked to have

    def games(self) -> Iterator[PlannedGame]:
        """The games in order, the two of a pair one after the other."""
        for one, other in self.pairings():
            for opening in self.openings:
                for first, second in self._seatings(one, other, opening):
                    yield PlannedGame(self._game_id(first, second, opening), first, second, opening)

    def _seatings(self, one: Player, other: Player, opening: str) -> list[Pairing]:
        seatings = [(one, other), (other, one)]
        if self.seats == "as-listed":
            return seatings[:1]
        if self.seats == "random":
            return [random.Random(f"{self.seed} {one.key} {other.key} {opening}").choice(seatings)]
        return seatings

    def _game_id(self, first: Player, second: Player, opening: str) -> str:
        told = [first.key, second.key, asdict(self.rules), opening, self.seed]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def to_load(self) -> dict[tuple[Player, Rules], None]:
        """Every player with the board it plays on."""
        return {(player, self.rules): None for player in self.players().values()}

    def players(self) -> dict[str, Player]:
        """Everybody who plays, at every depth, by key."""
        return {player.key: player for pairing in self.pairings() for player in pairing}
