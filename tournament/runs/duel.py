"""A duel: two evaluators play pairs until the evidence is enough, and no longer.

The sequential test stays valid although it looks after every pair.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from tournament.engine.game import Game
from tournament.engine.settings import Settings, check_memory
from tournament.errors import EvaluatorError, TourneyError
from tournament.evidence.duel import DuelTally
from tournament.evidence.sprt import Decision, Terms
from tournament.games.connect4 import STANDARD, Rules
from tournament.isolation.limits import Isolation, Limits
from tournament.plan.openings import Suite
from tournament.plan.tasks import Plan
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import Player
from tournament.report.duel import Duel, DuelTerms
from tournament.report.results import Results
from tournament.report.write import write_reports
from tournament.runs.runner import NullObserver, begin, make_ready, now, play_missing, workers
from tournament.store import GameTask, Store


def duel(
    new: Evaluator,
    old: Evaluator,
    *,
    settings: Settings,
    suite: Sequence[str],
    rules: Rules = STANDARD,
    most_pairs: int | None = None,
    terms: Terms,
    out: Path,
    jobs: int,
    isolation: Isolation = "game",
    seed: int = 1,
    fresh: bool = False,
    command: str = "",
    watch: Callable[[Decision], None] = lambda decision: None,
) -> Duel:
    """Play NEW against OLD, pair by pair, until the test decides or the suite is played, and write the reports."""
    if settings.table:
        check_memory(settings.table, jobs)
    chance = random.Random(f"duel {seed}")
    shuffled = chance.sample(suite, len(suite))[:most_pairs]  # so that an early stop sees a fair part of the suite
    other = old.name if old.name != new.name else f"{old.name} (old)"
    players = (Player(new.name, new, settings), Player(other, old, settings))
    value = suite.value if isinstance(suite, Suite) else None
    truths = dict.fromkeys(shuffled, value) if value is not None else {}
    plan = Plan(lambda: iter([players]), rules, "both", seed, shuffled, truths=truths, promise=value)
    declared = DuelTerms(players[0].key, players[1].key, terms, len(suite), most_pairs, value)
    title = f"{new.name} against {other}"
    ready = make_ready(plan, title, declared.text, "", limits=Limits(), isolation=isolation, jobs=jobs)
    for why in ready.mistakes.values():
        raise EvaluatorError(why)
    tally = DuelTally(declared.new, shuffled, terms)
    with workers(ready.playing, jobs) as pool, Store(out, write=True, fresh=fresh) as store:
        number = begin(store, ready, jobs, command)
        for game in store.games():
            if game.reason != "withdrawn":
                tally.add(game.opening, game.first.key, game.result, game.moves)
        watch(tally.decision)
        if not tally.is_over:
            for task, played in play_missing(store, pool, ready, NullObserver()):
                assert isinstance(task, GameTask)  # a duel has no searches
                assert isinstance(played, Game)
                tally.add(task.opening, task.first, played.result, played.moves)
                watch(tally.decision)
                if tally.is_over:
                    break
        store.end_run(number, now())
        if not tally.is_over and store.withdrawn():
            why = next(played.fault for played in store.games() if played.fault is not None)
            raise TourneyError(f"{store.withdrawn()[0].name} has forfeited too many games. The first time: {why}")
        results = write_reports(store, out)
    assert isinstance(results, Results)
    assert results.duel is not None
    return results.duel
