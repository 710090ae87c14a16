"""Pairs: the same opening played twice with the seats swapped; what scoring and evidence rest on."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, field

from tournament.store import StoredGame, StoredPlayer
from tournament.table import Column, Table

OUTCOME = {"second": 0, "draw": 1, "first": 2}
FEWEST_DECISIVE = 10  # pairs that somebody won, below which nobody is rated


@dataclass
class Pairs:
    """Whole pairs, kept as small numbers: their games one by one, and the sums by pairing."""

    players: dict[str, StoredPlayer] = field(default_factory=dict)  # by key, in the order of their first pair
    openings: dict[str, int] = field(default_factory=dict)
    first: array[int] = field(default_factory=lambda: array("i"))
    second: array[int] = field(default_factory=lambda: array("i"))
    outcome: array[int] = field(default_factory=lambda: array("b"))
    opening: array[int] = field(default_factory=lambda: array("i"))
    _index: dict[str, int] = field(default_factory=dict)
    # By pairing (keys): pairs that the one listed first won, lost, and that were split
    pairings: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))

    def add(self, game: StoredGame, other: StoredGame) -> None:
        """Count a pair; in `game` the player listed first moves first."""
        index = self._index
        for player in (game.first, game.second):
            self.players.setdefault(player.key, player)
            index.setdefault(player.key, len(index))
        opening = self.openings.setdefault(game.opening, len(self.openings))
        for half in (game, other):
            self.first.append(index[half.first.key])
            self.second.append(index[half.second.key])
            self.outcome.append(OUTCOME[half.result])
            self.opening.append(opening)
        margin = OUTCOME[game.result] - OUTCOME[other.result]  # > 0: the first of `game` scored more in the two games
        self.pairings[game.first.key, game.second.key][0 if margin > 0 else 1 if margin < 0 else 2] += 1

    @property
    def decisive(self) -> int:
        return sum(won + lost for won, lost, _ in self.pairings.values())


def shown_player(player: StoredPlayer, pairs: Pairs) -> str:
    """The player's name, with its depth or budget where there are several."""
    limits = {other.settings.limit for other in pairs.players.values()}
    return player.name if len(limits) == 1 else f"{player.name} ({player.settings.limit})"


def unrated(title: str, decisive: int) -> Table:
    """What stands in place of ratings where there is too little to rate anybody by."""
    note = (
        f"No ratings: one player won {decisive} of the pairs, and {FEWEST_DECISIVE} such pairs are needed. "
        "Play more openings, as in `openings: {plies: 2}`."
    )
    return Table(title, (Column("player"),), [], note)
