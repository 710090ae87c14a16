"""How many games a second a tournament plays, beside the same searches called one after the other in compiled code."""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tournament.engine.playing import search_all
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, every_opening, play_moves
from tournament.isolation.limits import Limits
from tournament.plan.tasks import Plan
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.player import Player
from tournament.runs.runner import NullObserver, begin, make_ready, play_missing, workers
from tournament.store import Store

PLAYERS = ("windows", "squares", "runs", "balanced", "lines", "points")
OPENINGS = {2: 121, 4: 121, 6: 25, 8: 2}  # of three plies, by depth
JOBS = (1, 2)
ROUNDS = 4  # the best of which counts


class GameRate(NamedTuple):
    """The same games by so many jobs: how long they took at best, and the searches in them alone."""

    depth: int
    jobs: int
    games: int
    nodes: int
    seconds: float
    searching: float  # seconds of the searches, as the games have them, all jobs together
    alone: float  # seconds of the same searches in a compiled loop

    @property
    def per_second(self) -> float:
        return self.games / self.seconds

    @property
    def share(self) -> float:
        """How much of the jobs' time was search."""
        return self.searching / (self.seconds * self.jobs)

    @property
    def times_alone(self) -> float:
        """How many times as long as its searches the tournament took."""
        return self.seconds * self.jobs / self.alone


def game_rates(catalogue: Catalogue) -> Iterator[GameRate]:
    """Games a second by depth and number of jobs, store included, start and report apart."""
    for depth, most in OPENINGS.items():
        players = [Player(name, catalogue.read(name), Settings(depth)) for name in PLAYERS]
        openings = every_opening(STANDARD, 3)[:most]
        plan = Plan(partial(combinations, players, 2), STANDARD, "both", 1, openings)
        rounds, alone = [], float("inf")
        for _ in range(ROUNDS):  # each round has all of it, so that a machine that is slow for a while is so for all
            rounds.append([_played(plan, jobs) for jobs in JOBS])
            alone = min(alone, _alone(plan, rounds[0][0].games))
        for number, jobs in enumerate(JOBS):
            best = min((one[number] for one in rounds), key=lambda one: one.seconds)
            yield GameRate(depth, jobs, len(best.games), best.nodes, best.seconds, best.searching, alone)


class _Round(NamedTuple):
    seconds: float
    searching: float
    nodes: int
    games: list[tuple[str, str, str, str]]  # who began, who did not, the opening, all moves


def _played(plan: Plan, jobs: int) -> _Round:
    """How long it took to play all games into a store, and what is in it then. As in a run, nobody keeps the games."""
    ready = make_ready(plan, "bench", "", "bench", limits=Limits(), isolation="game", jobs=jobs)
    with (
        tempfile.TemporaryDirectory(prefix="tourney-") as folder,
        workers(ready.playing, jobs) as pool,
        Store(Path(folder), write=True) as store,
    ):
        begin(store, ready, jobs, "tourney bench --games")
        start = time.perf_counter()
        for _ in play_missing(store, pool, ready, NullObserver()):
            pass
        seconds = time.perf_counter() - start
        games, searching, nodes = [], 0.0, 0
        for game, moves in store.games_with_moves():
            games.append((game.first.key, game.second.key, game.opening, game.moves))
            searching += sum(move.seconds for move in moves)
            nodes += sum(move.generated for move in moves)
        return _Round(seconds, searching, nodes, games)


def _alone(plan: Plan, games: list[tuple[str, str, str, str]]) -> float:
    """How long the searches of these games take in a loop of nothing else."""
    boards: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for first, second, opening, moves in games:
        position = play_moves(Position(plan.rules), opening)
        for digit in moves[len(opening) :]:
            key = first if position.to_move == "first" else second
            boards[key].append((position.mover, position.occupied))
            position = play_moves(position, digit)
    seconds = 0.0
    for key, player in plan.players().items():
        searcher: Searcher = player.ready(plan.rules)
        mine, occupied = boards_of(boards[key])
        search_all(searcher, mine[:1], occupied[:1])
        start = time.perf_counter()
        search_all(searcher, mine, occupied)
        seconds += time.perf_counter() - start
    return seconds


def boards_of(positions: list[tuple[int, int]]) -> tuple[Any, Any]:
    """The discs of who is to move, and all discs, as compiled code takes them."""
    mine, occupied = np.array(positions, np.int64).T.copy()
    return mine, occupied
