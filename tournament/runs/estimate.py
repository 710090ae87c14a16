"""How long a run will take, from a few short searches: for `tourney run --dry-run`."""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.searcher import Searcher
from tournament.games.connect4 import Position
from tournament.isolation.call import call
from tournament.plan.tasks import Plan
from tournament.plugins.agent import Agent

ENOUGH_SECONDS = 0.05  # a search that takes this long tells enough of the deeper ones
MOST_SECONDS = 60.0  # for the estimate itself
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


def estimate(plan: Plan, jobs: int) -> float | None:
    """Seconds for all games of the plan; None where it takes too long to find out. Agents are not counted."""
    try:
        seconds: float = call(lambda: _estimate(plan, jobs), MOST_SECONDS)
    except (TimeoutError, ChildProcessError):
        return None
    return seconds


def _estimate(plan: Plan, jobs: int) -> float:
    per_move = {
        key: 0.0 if isinstance(player.plugin, Agent) else seconds_per_move(player.ready(plan.rules))
        for key, player in plan.players().items()
    }
    filled = FILLED if plan.rules.objective == "first-line" else 1.0
    moves = filled * plan.rules.rows * plan.rules.columns / 2  # of each player
    total = 0.0
    for game in plan.games():
        total += moves * (per_move[game.first.key] + per_move[game.second.key])
    return total / jobs
