"""How long a run will take, from a few short searches: for `tourney run --dry-run`."""

from __future__ import annotations

from tournament.position import Position
from tournament.runner import Preparation
from tournament.search import Searcher, Settings

ENOUGH_SECONDS = 0.05  # a search that takes this long tells enough of the deeper ones
FILLED = 0.75  # of the board, in the average game


def seconds_per_move(searcher: Searcher) -> float:
    """The time of one search of the empty board at the player's depth, from the growth over smaller depths."""
    settings, position = searcher.settings, Position(searcher.scorer.rules)
    times = [0.0]
    for depth in range(1, settings.depth + 1):
        shallow = Searcher(searcher.scorer, Settings(depth, settings.algorithm, settings.order))
        times.append(min(shallow.search(position).seconds for _ in range(2)))
        if times[-1] > ENOUGH_SECONDS:
            break
    measured = len(times) - 1
    growth = (times[-1] / times[-3]) ** 0.5 if measured > 2 and times[-3] else position.rules.columns
    return float(times[-1] * growth ** (settings.depth - measured))


def estimate(ready: Preparation, jobs: int) -> float:
    """Seconds for all games of the plan."""
    per_move = {key: seconds_per_move(searcher) for key, searcher in ready.searchers.items()}
    moves = FILLED * ready.plan.rules.rows * ready.plan.rules.columns / 2  # of each player
    total = sum(moves * (per_move[game.first.key] + per_move[game.second.key]) for game in ready.plan.games())
    return total / jobs
