"""What would tell more: what the run has offered, and what that costs by what was played."""

from __future__ import annotations

from tournament.report.results import Results
from tournament.text import counted, long_time

MOST_GAMES_A_SECOND = 20_000  # that one process can keep, however short their searches are


def more_openings(results: Results, wanted: int = 2) -> str | None:
    """What to add to the config: the smallest offer of so many openings, with its games and their time."""
    for offer in results.run.more:
        if offer.openings >= wanted:
            seconds = sum(cost.seconds for cost in results.cost.values()) / results.run.jobs
            searches = seconds * offer.games / max(results.played, 1)
            time = shown_time(searches + offer.games / MOST_GAMES_A_SECOND)
            put, into = ("add", "to") if results.openings < 2 else ("put", "into")
            return f"{put} {offer.lines} {into} the config ({counted(offer.games, 'game')}, about {time})"
    return None


def shown_time(seconds: float) -> str:
    """About so long, in words."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return long_time(seconds)
