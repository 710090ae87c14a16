"""What would tell more than a tournament: lines of its config, and the games that they make of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tournament.games.connect4 import Rules, every_opening
from tournament.plan.tasks import Plan
from tournament.store import Offer

SUITES = (2, 3, 4)  # plies of which all openings are counted: 568 of four on the standard board
MOST_MOVES = 5000  # to look through for that
SAMPLES = {6: (1000, 3000, 10_000), 8: (30_000, 100_000)}  # by plies, where there are as many openings
ROOMY = 30  # cells of a board that has


def offers(plan: Plan) -> list[Offer]:
    """What may be written into the config to tell more, in the order of the games that it takes."""
    pairings = sum(1 for _ in plan.pairings())
    seats = "" if plan.seats == "both" else "`seats: both` and "
    here = len(plan.openings)
    found = [Offer("`seats: both`", here, 2 * pairings * here)] if seats and here > 1 else []
    found += [
        Offer(f"{seats}`openings: {{{suite}}}`", size, 2 * pairings * size)
        for suite, size in _suites(plan.rules)
        if size > here
    ]
    return found


def _suites(rules: Rules) -> Iterator[tuple[str, int]]:
    """Suites of openings as a config writes them, with their sizes."""
    for plies in SUITES:
        if rules.columns**plies <= MOST_MOVES:
            yield f"plies: {plies}", suite_size(rules, plies)
    if rules.rows * rules.columns >= ROOMY:
        for plies, sizes in SAMPLES.items():
            yield from ((f"plies: {plies}, sample: {size}", size) for size in sizes)


@cache
def suite_size(rules: Rules, plies: int) -> int:
    """How many openings of so many plies there are."""
    return len(every_opening(rules, plies))
