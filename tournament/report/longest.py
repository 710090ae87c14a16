"""The game that a report shows move by move."""

from __future__ import annotations

from typing import NamedTuple

from tournament.report.competitors import Competitor, competitors_of
from tournament.report.scores import Scores, best_first
from tournament.store import StoredGame, StoredMove


class GameRecord(NamedTuple):
    """A game with its moves."""

    game: StoredGame
    moves: list[StoredMove]


class Longest:
    """Of each two players the longest game that one of them won, or else the longest at all."""

    def __init__(self, *, in_pool: bool = False) -> None:
        self._in_pool = in_pool
        self._games: dict[frozenset[Competitor], StoredGame] = {}
        self._pairs: dict[tuple[str, str], frozenset[Competitor]] = {}  # by the players' keys

    def add(self, game: StoredGame) -> None:
        if game.fault is None and game.plies > len(game.opening):
            keys = game.first.key, game.second.key
            pair = self._pairs.get(keys)
            if pair is None:
                pair = self._pairs[keys] = frozenset(competitors_of(game, in_pool=self._in_pool))
            known = self._games.get(pair)
            if known is None or _interest(game) > _interest(known):
                self._games[pair] = game

    def of_the_best(self, scores: Scores) -> StoredGame | None:
        """The game of the best two who have met."""
        places = {one: place for place, one in enumerate(best_first(scores.overall))}
        met = [pair for pair in self._games if all(one in places for one in pair)]
        best = min(met, key=lambda pair: sorted(places[one] for one in pair), default=None)
        return self._games[best] if best is not None else None


def _interest(game: StoredGame) -> tuple[bool, int]:
    return game.result != "draw", game.plies
