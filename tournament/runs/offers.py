"""What would tell more than a tournament: lines of its config, and the games that they make of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tournament.games.connect4 import STANDARD, Rules, every_opening
from tournament.plan.openings import Promise, Suite, of_value
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
    value = f", value: {plan.promise}" if plan.promise else ""
    found += [
        Offer(f"{seats}`openings: {{{suite}{value}}}`", size, 2 * pairings * size)
        for suite, size in _suites(plan.rules, plan.promise)
        if size > here
    ]
    return found


def _suites(rules: Rules, value: Promise | None) -> Iterator[tuple[str, int]]:
    """Suites of openings as a config writes them, with their sizes; of a value, what it takes no search to know."""
    if value is not None and rules != STANDARD:
        return
    for plies in SUITES:
        if rules.columns**plies <= MOST_MOVES:
            yield f"plies: {plies}", suite_size(rules, plies, value)
    if rules.rows * rules.columns >= ROOMY and value is None:
        for plies, sizes in SAMPLES.items():
            yield from ((f"plies: {plies}, sample: {size}", size) for size in sizes)


@cache
def suite_size(rules: Rules, plies: int, value: Promise | None = None) -> int:
    """How many openings of so many plies there are, of a value if one is asked for."""
    openings = every_opening(rules, plies)
    return len(openings if value is None else of_value(Suite(openings), rules, value))
