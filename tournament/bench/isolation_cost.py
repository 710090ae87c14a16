"""What it costs to play in workers, and to keep players apart: the same games, each way in turn, in one process."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

from tournament.engine.game import Game
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD
from tournament.isolation.bubblewrap import is_there
from tournament.isolation.limits import Isolation, Limits
from tournament.match.referee import play
from tournament.match.side import LocalSide
from tournament.plan.tasks import Plan
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.player import Player
from tournament.runs.pool import Pool
from tournament.runs.runner import game_task
from tournament.runs.worker import GameRecipe
from tournament.store import GameTask

OPENINGS = ("", "44", "12", "35", "71", "26")
DEPTHS = (2, 8)
LONG = 6  # the depth from which each game is timed by itself: the shorter, the likelier undisturbed
WITHOUT = "without workers"
ROUNDS = 9  # the best of which counts


class Overhead(NamedTuple):
    """The same games played one way: how long they took at best, beside playing them without workers."""

    way: str
    depth: int
    moves: int
    seconds: float
    without: float  # seconds without workers

    @property
    def times(self) -> float:
        return self.seconds / self.without

    @property
    def more_per_move(self) -> float:
        """Seconds more for one move."""
        return (self.seconds - self.without) / self.moves


def overhead(catalogue: Catalogue) -> Iterator[Overhead]:
    """What each isolation costs, at a depth that takes no time and at one that does."""
    for depth in DEPTHS:
        one, other = (Player(name, catalogue.read(name), Settings(depth)) for name in ("windows", "squares"))
        yield from _compared(depth, Plan(lambda pair=(one, other): iter([pair]), STANDARD, "both", 1, OPENINGS))  # type: ignore[misc]


def _compared(depth: int, plan: Plan) -> Iterator[Overhead]:
    tasks = list(map(game_task, plan.games()))
    sides = {key: LocalSide(player, STANDARD, 1) for key, player in plan.players().items()}
    levels: tuple[Isolation, ...] = ("game", "player", "sandbox") if is_there() else ("game", "player")
    pools = {level: _pool(plan, level) for level in levels}

    def games_of(way: str, some: list[GameTask]) -> list[Game]:
        if way in pools:
            return [game for _, game in pools[way].run(iter(some), lambda: None)]
        return [play(sides[task.first], sides[task.second], task.opening) for task in some]

    moves = sum(len(game.found) for game in games_of(WITHOUT, tasks))
    parts = [tasks] if depth < LONG else [[task] for task in tasks]
    best = {way: [math.inf] * len(parts) for way in (WITHOUT, *levels)}
    for _ in range(ROUNDS + 1):  # the first one loads
        for number, part in enumerate(parts):
            for way, seconds in best.items():
                start = time.perf_counter()
                games_of(way, part)
                seconds[number] = min(seconds[number], time.perf_counter() - start)
    for pool in pools.values():
        pool.stop()
    for way, seconds in best.items():
        yield Overhead(way, depth, moves, sum(seconds), sum(best[WITHOUT]))


def _pool(plan: Plan, isolation: Isolation) -> Pool:
    playing = GameRecipe(plan.players(), plan.rules, plan.seed, Limits(), isolation)
    return Pool(playing, 1, lost=playing.lost, by_clock=playing.by_clock, grace=playing.grace)
