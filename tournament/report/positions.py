"""What a study says position by position, and what was pruned: typed, for tables and charts alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.engine.algorithms import ALGORITHMS, UNPRUNED
from tournament.engine.settings import Settings
from tournament.report.sums import Sums, algorithm_of, depth_of, summed
from tournament.store import StoredSearches

CURVES = (("b^d", 1.0), ("b^(3d/4)", 0.75), ("b^(d/2)", 0.5))  # of theory: what they are called, shares of the depth


class Where(NamedTuple):
    """What several algorithms have searched: one position, or one game."""

    board: str
    evaluator: str
    place: str
    depth: int


class PositionSearch(NamedTuple):
    """What one algorithm found and took there, and what it saved against the first one."""

    where: Where
    algorithm: str
    sums: Sums
    chosen: int | None  # None of a whole game
    score: float | None
    is_equal: bool | None  # move and score are those of the first algorithm; None of the first, and of games
    missing: int | None  # positions of the tree without pruning that were never made
    nodes_saved: float | None
    time_saved: float | None


class Pruned(NamedTuple):
    """What an algorithm made and left out at a depth, over all positions."""

    depth: int
    algorithm: str
    generated: int
    untried: int | None  # legal moves of expanded positions
    rate: float | None  # their share of all moves of those positions
    missing: int | None
    share: float | None  # of the tree without pruning


def where(one: StoredSearches) -> Where:
    return Where(one.rules.described, one.player.name, one.place, depth_of(one))


def settings_by_name(found: Sequence[StoredSearches]) -> dict[str, Settings]:
    """The settings of each algorithm, at any of its depths."""
    return {algorithm_of(one): one.player.settings for one in found}


def is_whole(settings: Settings) -> bool:
    """Whether such a search makes every position of the tree once: what was never made is counted against it."""
    return settings.algorithm in UNPRUNED and not settings.table and not settings.repeats


def pruning_rate(sums: Sums, settings: Settings, *, with_chance: bool) -> float | None:
    """The share of the moves of expanded positions that were left untried.

    None of scouts, which make a move twice where they have found more; and where discs drift, since what is made is
    then an outcome, and what is left untried a choice.
    """
    if sums.untried is None or with_chance or ALGORITHMS[settings.algorithm].repeats or not sums.generated:
        return None
    return sums.untried / (sums.untried + sums.generated)


def positions_of(found: Sequence[StoredSearches]) -> list[PositionSearch]:
    """What each algorithm took on each position, in the order of the study."""
    first = algorithm_of(found[0])
    sums = summed(found, lambda one: (where(one), algorithm_of(one)))
    settings = settings_by_name(found)
    whole = {at: s.generated for (at, name), s in sums.items() if is_whole(settings[name])}
    answers = {
        (where(one), algorithm_of(one)): (one.moves[0].chosen, one.moves[0].score)
        for one in found
        if len(one.moves) == 1
    }
    made = []
    for (at, name), own in sums.items():
        base, answer, theirs = sums.get((at, first)), answers.get((at, name)), answers.get((at, first))
        other = base is not None and name != first and base.searches == own.searches
        made.append(
            PositionSearch(
                where=at,
                algorithm=name,
                sums=own,
                chosen=answer[0] if answer else None,
                score=answer[1] if answer else None,
                is_equal=answer == theirs if answer and theirs and name != first else None,
                missing=settings[name].missing_of(whole.get(at), own.generated),
                nodes_saved=saved(base.generated, own.generated) if other and base else None,
                time_saved=saved(base.seconds, own.seconds) if other and base else None,
            )
        )
    return made


def pruned_of(found: Sequence[StoredSearches], sums: dict[tuple[int, str], Sums]) -> list[Pruned]:
    """What each algorithm made and left out at each depth."""
    settings = settings_by_name(found)
    whole = {depth: s for (depth, name), s in sums.items() if is_whole(settings[name])}
    drifts = any(one.rules.drifts for one in found)
    made = []
    for (depth, name), own in sums.items():
        base = whole.get(depth)
        size = base.generated if base is not None and base.searches == own.searches else None
        missing = settings[name].missing_of(size, own.generated)
        share = missing / size if missing is not None and size else None
        rate = pruning_rate(own, settings[name], with_chance=drifts)
        made.append(Pruned(depth, name, own.generated, own.untried, rate, missing, share))
    return made


def saved(base: float, own: float) -> float | None:
    """The share of the first one's that is saved; negative where more was taken."""
    return 1 - own / base if base else None
