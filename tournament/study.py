"""A study: the same searches by several algorithms, on named positions or over whole games.

What a study compares is the cost of searches that must agree: each is a player's (an evaluator with its settings)
on one position, or on every position of a game that an evaluator plays against itself.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.result import Found
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.transpositions import Transpositions
from tournament.errors import EvaluatorFault
from tournament.evaluator import Evaluator
from tournament.games.connect4 import Position, Rules, read_position
from tournament.players import Player, scorer
from tournament.referee import Game, drifted
from tournament.schedule import PlannedGame
from tournament.system import forget_peak, memory_of_process

ENOUGH_SECONDS = 0.05  # a search that takes less is timed again, and the best time counts
REPEATS = 3


@dataclass(frozen=True)
class StudyPart:
    """One grid of searches: boards × evaluators × places × depths × algorithms."""

    title: str
    boards: Sequence[Rules]
    evaluators: Sequence[Evaluator]
    positions: Mapping[str, str]
    games: Mapping[str, Evaluator]  # who plays itself
    settings: Sequence[Sequence[Settings]]  # by depth, by algorithm


class Item(NamedTuple):
    """One entry of the grid: who searches what."""

    planned: PlannedGame
    driver: Player | None  # who chooses the moves of the game, or nobody where only one position is searched


@dataclass(frozen=True)
class StudyPlan:
    """Every search of the studies in a config."""

    parts: Sequence[StudyPart]
    seed: int
    places: Mapping[Any, tuple[str | int, ...]] = field(default_factory=dict)  # where the config names a file

    @cached_property
    def items(self) -> dict[str, Item]:
        """What there is to search, by id, in the order of the tables."""
        return {item.planned.id: item for part in self.parts for item in self._items(part)}

    def games(self) -> Iterator[PlannedGame]:
        return (item.planned for item in self.items.values())

    def players(self) -> dict[str, Player]:
        """Everybody who searches, by key."""
        return {item.planned.first.key: item.planned.first for item in self.items.values()}

    def searches(self) -> dict[tuple[Player, Rules], None]:
        """Every player with every board it searches: what has to be compiled."""
        return {
            (player, item.planned.rules): None
            for item in self.items.values()
            for player in (item.planned.first, item.driver)
            if player is not None and item.planned.rules is not None
        }

    def _items(self, part: StudyPart) -> Iterator[Item]:
        for rules, at_depth in product(part.boards, part.settings):
            for (place, start), evaluator in product(part.positions.items(), part.evaluators):
                for settings in at_depth:
                    yield self._item(part, place, start, Player(evaluator.name, evaluator, settings), None, rules)
            for place, itself in part.games.items():
                plain = Settings(at_depth[0].depth, usual_algorithm(rules))
                driver = Player(itself.name, itself, plain)
                for evaluator, settings in product(part.evaluators or [itself], at_depth):
                    yield self._item(part, place, "empty", Player(evaluator.name, evaluator, settings), driver, rules)

    def _item(
        self, part: StudyPart, place: str, start: str, player: Player, driver: Player | None, rules: Rules
    ) -> Item:
        told = [part.title, place, start, player.key, driver.key if driver else None, asdict(rules), self.seed]
        id = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
        return Item(PlannedGame(id, player, None, start, rules, part.title, place), driver)


def measure(item: Item, seed: int) -> Game:
    """The searches of one entry, timed and weighed. An evaluator that fails ends them."""
    planned = item.planned
    assert planned.rules is not None
    position = read_position(planned.opening, planned.rules)
    begun = position.occupied.bit_count()
    luck = random.Random(f"{seed} {planned.place}")
    driver = item.driver.ready(planned.rules) if item.driver else None
    found: list[Found] = []
    landed: list[int] = []
    try:
        while position.result is None:
            found.append(_measured(planned.first, position))
            chosen = driver.search(position).column if driver else found[-1].column
            landed.append(drifted(position, chosen, luck) if driver else chosen)
            if driver is None:
                break
            position = position.play(landed[-1])
    except EvaluatorFault as fault:
        del found[len(landed) :]
        return Game("", tuple(found), tuple(landed), None, "studied", begun=begun).blamed(fault)
    return Game("", tuple(found), tuple(landed), None, "studied", begun=begun)


def _measured(player: Player, position: Position) -> Found:
    """One search with its peak memory; what takes little time is timed again, since it is soon disturbed."""
    settings = player.settings
    ready = scorer(player.evaluator, position.rules)
    Searcher(ready, Settings(1, settings.algorithm)).search(position)  # so that what every search needs is there
    forget_peak()
    before = memory_of_process("VmRSS")
    table = (
        Transpositions(settings.table) if settings.table else None
    )  # of its own: a shared one would be there already
    searcher = Searcher(ready, settings, table)
    found = searcher.search(position)
    peak = memory_of_process("VmHWM")
    moves = searcher.root_moves()
    memory = max(0, peak - before) if peak is not None and before is not None else None
    if found.seconds < ENOUGH_SECONDS or table is not None:  # whose first search pays for its memory
        again = [searcher.search(position) for _ in range(REPEATS - 1)]
        best = min([found, *again], key=lambda one: one.seconds)
        found = found._replace(seconds=best.seconds, cpu_seconds=best.cpu_seconds)
    return found._replace(memory=memory, root_moves=moves)
