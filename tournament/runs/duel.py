"""A duel: two evaluators play pairs until the evidence is enough, and no longer.

Pairs are judged in the order of the suite, whatever order they are finished in, so that the verdict is the same
for any number of jobs. The sequential test stays valid although it looks after every pair.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tournament.engine.game import Game
from tournament.engine.settings import Settings
from tournament.errors import EvaluatorError, TourneyError
from tournament.evidence.sprt import Decision, check_parameters, decide
from tournament.games.connect4 import Rules
from tournament.isolation.limits import Isolation, Limits
from tournament.plan.tasks import Plan
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import Player
from tournament.runs.runner import NullObserver, begin, make_ready, now, play_missing, workers
from tournament.store import GameTask, Store

POINTS = {"first": 2, "draw": 1, "second": 0}  # of the side that moved first, in half games


@dataclass(frozen=True)
class Terms:
    """What is tested: is NEW at least elo1 better (H1), or at most elo0 (H0), and how often may that be wrong."""

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        check_parameters(self.elo0, self.elo1, self.alpha, self.beta)

    def decide(self, counts: list[int]) -> Decision:
        return decide(counts, self.elo0, self.elo1, self.alpha, self.beta)


class Tally:
    """The pairs of a duel, counted in the order of the suite until they decide."""

    def __init__(self, new: str, suite: list[str], terms: Terms) -> None:
        self._new = new
        self._terms = terms
        self._suite = suite
        self._points: dict[str, list[int]] = {opening: [] for opening in suite}  # of NEW, a game an entry
        self._counted = 0
        self.counts = [0] * 5  # pairs in which NEW scored 0, ½, 1, 1½, 2
        self.decision = terms.decide(self.counts)

    def add(self, opening: str, first: str, result: str) -> None:
        """Note a game, and judge every pair that is whole now and whose turn it is."""
        points = POINTS[result]
        self._points[opening].append(points if first == self._new else 2 - points)
        while not self.is_decided and self._counted < len(self._suite):
            pair = self._points[self._suite[self._counted]]
            if len(pair) < 2:
                return
            self._counted += 1
            self.counts[sum(pair)] += 1
            self.decision = self._terms.decide(self.counts)

    @property
    def is_decided(self) -> bool:
        return self.decision.verdict != "can't tell"


def duel(
    new: Evaluator,
    old: Evaluator,
    *,
    depth: int,
    suite: list[str],
    most_pairs: int | None = None,
    terms: Terms,
    out: Path,
    jobs: int,
    isolation: Isolation = "game",
    seed: int = 1,
    fresh: bool = False,
    command: str = "",
    watch: Callable[[Decision], None] = lambda decision: None,
) -> Decision:
    """Play NEW against OLD, pair by pair, until the test decides or the suite is played."""
    chance = random.Random(f"duel {seed}")
    shuffled = chance.sample(suite, len(suite))[:most_pairs]  # so that an early stop sees a fair part of the suite
    other = old.name if old.name != new.name else f"{old.name} (old)"
    players = (Player(new.name, new, Settings(depth)), Player(other, old, Settings(depth)))
    plan = Plan(lambda: iter([players]), Rules(), "both", seed, shuffled)
    title = f"{new.name} against {other}"
    ready = make_ready(plan, title, "", "", limits=Limits(), isolation=isolation, jobs=jobs)
    for why in ready.mistakes.values():
        raise EvaluatorError(why)
    tally = Tally(players[0].key, shuffled, terms)
    with workers(ready.playing, jobs) as pool, Store(out, write=True, fresh=fresh) as store:
        number = begin(store, ready, jobs, command)
        for game in store.games():
            tally.add(game.opening, game.first.key, game.result)
        watch(tally.decision)
        if not tally.is_decided:
            for task, played in play_missing(store, pool, ready, NullObserver()):
                assert isinstance(task, GameTask)  # a duel has no searches
                assert isinstance(played, Game)
                tally.add(task.opening, task.first, played.result)
                watch(tally.decision)
                if tally.is_decided:
                    break
        store.end_run(number, now())
        if not tally.is_decided and store.withdrawn():
            why = next(played.fault for played in store.games() if played.fault is not None)
            raise TourneyError(f"{store.withdrawn()[0].name} has forfeited too many games. The first time: {why}")
    return tally.decision
