"""Grids of a study: what an algorithm saves by line length, board size and depth, two of the three at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from tournament.games.connect4 import Rules
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
    third: str  # what stays the same
    kept: int | str | None  # and at what; None where it is the same everywhere


def _sizes(found: Sequence[StoredSearches]) -> dict[Rules, str]:
    """What the size of each board is called: with the objective and the drift where boards differ in these."""
    boards = {one.rules for one in found}
    alike = len({tuple(rules.variant) for rules in boards}) == 1
    return {rules: str(rules) if alike else ", ".join([str(rules), *rules.variant]) for rules in boards}


def _coordinates(one: StoredSearches, sizes: dict[Rules, str]) -> dict[str, int | str]:
    return {"N": one.rules.connect, "size": sizes[one.rules], "depth": depth_of(one)}


class Slice(NamedTuple):
    """Where the grids are cut, as a config says it; what is None stays where it is usual."""

    depth: int | None = None
    rows: int | None = None
    columns: int | None = None
    connect: int | None = None


def slices_of(config: str) -> dict[str, Slice]:
    """The slices that a run's config has chosen, by the titles of its parts."""
    if "slice" not in config:
        return {}
    import yaml

    study = yaml.safe_load(config)["study"]
    parts = study if isinstance(study, list) else [study]
    titles = [
        " ".join(part.get("title", "").split()) or (f"Study {number}" if len(parts) > 1 else "")
        for number, part in enumerate(parts, start=1)
    ]
    return {title: Slice(**part.get("slice", {})) for title, part in zip(titles, parts, strict=True)}


Axes = tuple[tuple[str, str], ...]
SHOWN: Axes = (("N", "size"), ("N", "depth"), ("depth", "size"))


def grids_of(found: Sequence[StoredSearches], at: Slice = Slice()) -> list[Grid]:  # noqa: B008
    """N × size, N × depth and depth × size: evaluations of the first algorithm against those of each other one.

    A grid shows two of the three; the third stays where the slice says, or else at its largest, and N at its smallest.
    """
    boards = [one.rules for one in found]
    fitting = [
        rules for rules in boards if at.rows in (None, rules.rows) and at.columns in (None, rules.columns)
    ] or boards
    kept: dict[str, int | str] = {
        "N": at.connect if at.connect is not None else min(rules.connect for rules in boards),
        "size": _sizes(found)[max(fitting, key=lambda rules: rules.rows * rules.columns)],
        "depth": at.depth if at.depth is not None else max(map(depth_of, found)),
    }
    return [grid for grid in every_grid(found) if grid.kept in (None, kept[grid.third])]


def every_grid(found: Sequence[StoredSearches]) -> list[Grid]:
    """The grids at every value of the third, in the order of the study."""
    sizes = _sizes(found)
    values = {name: list(dict.fromkeys(_coordinates(one, sizes)[name] for one in found)) for name in AXES}
    first = algorithm_of(found[0])
    others = list(dict.fromkeys(a for one in found if (a := algorithm_of(one)) != first))
    sums = summed(found, lambda one: (*_coordinates(one, sizes).values(), algorithm_of(one)))
    made = []
    for down, across in SHOWN:
        if len(values[down]) < 2 or len(values[across]) < 2:
            continue
        (third,) = set(AXES) - {down, across}
        for kept, other in product(values[third], others):
            cells: list[list[tuple[int, int] | None]] = []
            for low in values[down]:
                cells.append([])
                for high in values[across]:
                    at = {third: kept, down: low, across: high}
                    base, pruned = (sums.get((*(at[name] for name in AXES), name)) for name in (first, other))
                    cells[-1].append(_both(base, pruned))
            cut = kept if len(values[third]) > 1 else None
            where = f"{third} {cut}" if cut is not None else ""
            made.append(Grid(down, across, where, first, other, values[down], values[across], cells, third, cut))
    return made


class WidthTime(NamedTuple):
    """What a search takes on boards of a width, with what theory has it grow by."""

    connect: int
    size: str
    columns: int
    depth: int
    algorithm: str
    nodes: float  # per search
    seconds: float

    @property
    def curves(self) -> tuple[float, float]:
        """What minimax looks at in theory, w^d, and alpha-beta at its best, w^(d/2)."""
        return float(self.columns**self.depth), float(self.columns ** (self.depth / 2))


def width_times(found: Sequence[StoredSearches]) -> list[WidthTime]:
    """Run time by the width of the board and depth; nothing where there is one width."""
    if len({one.rules.columns for one in found}) < 2:
        return []
    sizes = _sizes(found)
    sums = summed(
        found, lambda one: (one.rules.connect, sizes[one.rules], one.rules.columns, depth_of(one), algorithm_of(one))
    )
    return [WidthTime(*key, *own.means) for key, own in sums.items()]


def _both(base: Sums | None, other: Sums | None) -> tuple[int, int] | None:
    if base is None or other is None or not other.evaluated:
        return None
    return base.evaluated, other.evaluated
