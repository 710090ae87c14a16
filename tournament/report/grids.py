"""Grids of a study: what an algorithm saves by line length, board size and depth, two of the three at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.report.sums import Sums, algorithm_of, depth_of, summed
from tournament.store import StoredSearches

AXES = ("N", "size", "depth")


class Grid(NamedTuple):
    """Evaluations of the first algorithm and of another one, by two of the three axes."""

    down: str
    across: str
    where: str  # the third, where it varies
    first: str
    other: str
    rows: list[int | str]
    columns: list[int | str]
    cells: list[list[tuple[int, int] | None]]  # evaluations by the first and by the other


def _coordinates(one: StoredSearches) -> dict[str, int | str]:
    return {"N": one.rules.connect, "size": str(one.rules), "depth": depth_of(one)}


def grids_of(found: Sequence[StoredSearches]) -> list[Grid]:
    """N × size, N × depth and depth × size: evaluations of the first algorithm against those of each other one.

    A grid shows two of the three; the third stays at its largest, and N at its smallest.
    """
    values = {name: list(dict.fromkeys(_coordinates(one)[name] for one in found)) for name in AXES}
    first = algorithm_of(found[0])
    others = list(dict.fromkeys(a for one in found if (a := algorithm_of(one)) != first))
    sums = summed(found, lambda one: (*_coordinates(one).values(), algorithm_of(one)))
    kept: dict[str, int | str] = {
        "N": min(one.rules.connect for one in found),
        "size": str(max((one.rules for one in found), key=lambda rules: rules.rows * rules.columns)),
        "depth": max(map(depth_of, found)),
    }
    made = []
    for down, across in (("N", "size"), ("N", "depth"), ("depth", "size")):
        if len(values[down]) < 2 or len(values[across]) < 2:
            continue
        (third,) = set(AXES) - {down, across}
        where = f"{third} {kept[third]}" if len(values[third]) > 1 else ""
        for other in others:
            cells: list[list[tuple[int, int] | None]] = []
            for low in values[down]:
                cells.append([])
                for high in values[across]:
                    at = {**kept, down: low, across: high}
                    base, pruned = (sums.get((*(at[name] for name in AXES), name)) for name in (first, other))
                    cells[-1].append(_both(base, pruned))
            made.append(Grid(down, across, where, first, other, values[down], values[across], cells))
    return made


def _both(base: Sums | None, other: Sums | None) -> tuple[int, int] | None:
    if base is None or other is None or not other.evaluated:
        return None
    return base.evaluated, other.evaluated
