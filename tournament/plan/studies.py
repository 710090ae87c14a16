"""A study: the same searches by several algorithms, on named positions or over whole games.

What a study compares is the cost of searches that must agree: each is a player's (an evaluator with its settings)
on one position, or on every position of a game that an evaluator plays against itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import Player


@dataclass(frozen=True)
class StudyPart:
    """One grid of searches: boards × evaluators × places × depths × algorithms."""

    title: str
    boards: Sequence[Rules]
    evaluators: Sequence[Evaluator]
    positions: Mapping[str, str]
    games: Mapping[str, Evaluator]  # who plays itself
    settings: Sequence[Sequence[Settings]]  # by depth, by algorithm
    board_depths: Sequence[frozenset[int]]  # to which each board is searched


class PlannedSearch(NamedTuple):
    """One entry of the grid: who searches what."""

    id: str
    player: Player
    rules: Rules
    start: str
    part: str
    place: str  # the name of the position or game
    driver: Player | None  # who chooses the moves of the game, or nobody where only one position is searched


@dataclass(frozen=True)
class StudyPlan:
    """Every search of the studies in a config."""

    parts: Sequence[StudyPart]
    seed: int
    places: Mapping[Any, tuple[str | int, ...]] = field(default_factory=dict)  # where the config names a file

    @cached_property
    def searches(self) -> dict[str, PlannedSearch]:
        """What there is to search, by id, in the order of the tables."""
        return {search.id: search for part in self.parts for search in self._searches(part)}

    def players(self) -> dict[str, Player]:
        """Everybody who searches, by key."""
        return {search.player.key: search.player for search in self.searches.values()}

    def to_load(self) -> dict[tuple[Player, Rules], None]:
        """Every player with every board it searches."""
        return {
            (player, search.rules): None
            for search in self.searches.values()
            for player in (search.player, search.driver)
            if player is not None
        }

    def _searches(self, part: StudyPart) -> Iterator[PlannedSearch]:
        for (rules, depths), at_depth in product(zip(part.boards, part.board_depths, strict=True), part.settings):
            if at_depth[0].depth not in depths:
                continue
            for (place, start), evaluator in product(part.positions.items(), part.evaluators):
                for settings in at_depth:
                    yield self._search(part, place, start, Player(evaluator.name, evaluator, settings), None, rules)
            for place, itself in part.games.items():
                plain = Settings(at_depth[0].depth, usual_algorithm(rules))
                driver = Player(itself.name, itself, plain)
                for evaluator, settings in product(part.evaluators or [itself], at_depth):
                    yield self._search(part, place, "empty", Player(evaluator.name, evaluator, settings), driver, rules)

    def _search(
        self, part: StudyPart, place: str, start: str, player: Player, driver: Player | None, rules: Rules
    ) -> PlannedSearch:
        told = [part.title, place, start, player.key, driver.key if driver else None, asdict(rules), self.seed]
        id = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
        return PlannedSearch(id, player, rules, start, part.title, place, driver)
