"""What would tell more: openings to add, and what they cost."""

from __future__ import annotations

from functools import cache

from tournament.games.connect4 import Rules, every_opening
from tournament.report.results import Results

MOST_PLIES = 4  # of suites that are counted for a sentence: 568 openings on the standard board


def more_openings(results: Results, wanted: int = 2) -> str | None:
    """The smallest suite of at least so many openings, as a config writes it, with its games and their time."""
    rules = results.run.rules
    for plies in range(2, MOST_PLIES + 1):
        if suite_size(rules, plies) >= wanted:
            return f"`openings: {{plies: {plies}}}` ({_costs(results, suite_size(rules, plies))})"
    if rules.rows * rules.columns < 2 * MOST_PLIES:
        return None
    return f"`openings: {{plies: 6, sample: {wanted}}}` ({_costs(results, wanted)})"


@cache
def suite_size(rules: Rules, plies: int) -> int:
    """How many openings of so many plies there are."""
    return len(every_opening(rules, plies))


def _costs(results: Results, openings: int) -> str:
    """How many games so many openings are, and about how long they take, from what was played."""
    games = results.planned * openings // results.openings
    seconds = sum(cost.seconds for cost in results.cost.values()) / results.run.jobs
    return f"{games:,} games, about {shown_time(seconds * games / max(results.played, 1))}"


def shown_time(seconds: float) -> str:
    """About how long, in words."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:,.0f} minutes" if seconds < 7200 else f"{seconds / 3600:,.1f} hours"
