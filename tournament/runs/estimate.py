"""How long a run will take, from a few short searches: for `tourney run --dry-run`."""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from tournament.engine.searcher import Searcher
from tournament.games.connect4 import Position, Rules
from tournament.isolation.call import call
from tournament.plan.studies import StudyPlan
from tournament.plan.tasks import Plan
from tournament.plugins.agent import Agent
from tournament.plugins.perfect import Perfect
from tournament.plugins.player import Player
from tournament.report.more import MOST_GAMES_A_SECOND
from tournament.runs.measure import REPEATS

ENOUGH_SECONDS = 0.05  # a search that takes this long tells enough of the deeper ones
MOST_SECONDS = 60.0  # for the estimate itself
ORACLE_SECONDS = 0.04  # of its moves on the standard board, on average
FILLED = 0.75  # of the board, in the average game


def seconds_per_move(searcher: Searcher) -> float:
    """The time of one search of the empty board at the player's depth, from the growth over smaller depths."""
    settings, position = searcher.settings, Position(searcher.scorer.rules)
    if settings.seconds is not None:
        return settings.seconds
    if settings.depth is None:
        return searcher.search(position).seconds
    times = [0.0]
    for depth in range(1, settings.depth + 1):
        shallow = Searcher(searcher.scorer, replace(settings, depth=depth))
        times.append(min(shallow.search(position).seconds for _ in range(2)))
        if times[-1] > ENOUGH_SECONDS:
            break
    measured = len(times) - 1
    growth = (times[-1] / times[-3]) ** 0.5 if measured > 2 and times[-3] else position.rules.columns
    return float(times[-1] * growth ** (settings.depth - measured))


class Estimated(NamedTuple):
    """How long a run will take, and what one move of each player does."""

    seconds: float
    per_move: dict[str, float]  # by the player's key, on the empty board


def estimate(plan: Plan | StudyPlan, jobs: int, done: Container[str] = ()) -> Estimated | None:
    """The time of all that is not done yet; None where it takes too long to find out. Agents are not counted."""
    try:
        told = call(lambda: _estimate(plan, jobs, done), MOST_SECONDS)
    except (TimeoutError, ChildProcessError):
        return None
    match told:  # by a process in which the files of strangers have run
        case [int() | float() as seconds, dict() as per_move]:
            numbers = [seconds, *per_move.values()]
            if all(isinstance(number, int | float) and 0 <= number < math.inf for number in numbers):
                known = plan.players() if isinstance(plan, Plan) else {}
                return Estimated(seconds, {key: number for key, number in per_move.items() if key in known})
    return None


def _estimate(plan: Plan | StudyPlan, jobs: int, done: Container[str] = ()) -> Estimated:
    return _of_study(plan, jobs, done) if isinstance(plan, StudyPlan) else _of_games(plan, jobs, done)


def _of_study(plan: StudyPlan, jobs: int, done: Container[str]) -> Estimated:
    """Searches are timed on the empty board of their rules; those of whole games as often as such games have plies."""

    @cache
    def per_search(player: Player, rules: Rules) -> float:
        return seconds_per_move(player.ready(rules))

    total = 0.0
    for search in plan.searches.values():
        if search.id not in done:
            plies = FILLED * search.rules.rows * search.rules.columns if search.driver is not None else 1
            seconds = per_search(search.player, search.rules)
            total += plies * seconds * (REPEATS if seconds < ENOUGH_SECONDS else 1)
    return Estimated(total / jobs, {})


def _of_games(plan: Plan, jobs: int, done: Container[str]) -> Estimated:

    def per_move_of(player: Player) -> float:
        if isinstance(player.plugin, Perfect):
            return ORACLE_SECONDS
        return 0.0 if isinstance(player.plugin, Agent) else seconds_per_move(player.ready(plan.rules))

    per_move = {key: per_move_of(player) for key, player in plan.players().items()}
    filled = FILLED if plan.rules.objective == "first-line" else 1.0
    moves = filled * plan.rules.rows * plan.rules.columns / 2  # of each player
    total, left = 0.0, 0
    for game in {game.id: game for game in plan.games()}.values():
        if game.id in done:
            continue
        total += moves * (per_move[game.first.key] + per_move[game.second.key])
        left += 1
    return Estimated(total / jobs + left / MOST_GAMES_A_SECOND, per_move)
