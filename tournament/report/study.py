"""What a study says: sums of its searches, grids of them, and whether algorithms that must agree do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tournament.engine.algorithms import UNPRUNED
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules, column_digit
from tournament.report.table import Cell, Table
from tournament.store import StoredMove, StoredRun, StoredSearches

PHASES = ("opening", "middle", "end")  # thirds of the board, by the discs on it


class Disagreement(TourneyError):
    """Algorithms that must agree have not: a fault of the engine, or of an evaluator that is not a function."""


@dataclass
class Sums:
    """What some searches took together."""

    searches: int = 0
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    seconds: float = 0.0
    deepest: int = 0
    memory: int | None = None

    def add(self, move: StoredMove) -> None:
        self.searches += 1
        self.generated += move.generated
        self.expanded += move.expanded
        self.evaluated += move.evaluated
        self.cutoffs += move.cutoffs
        self.seconds += move.seconds
        self.deepest = max(self.deepest, move.deepest)
        if move.memory is not None:
            self.memory = max(self.memory or 0, move.memory)


@dataclass
class StudyResults:
    """Everything that the tables of a study are made from."""

    run: StoredRun
    planned: int
    superseded: int
    found: list[StoredSearches] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)  # of the report, once it has been written

    @property
    def parts(self) -> dict[str, list[StoredSearches]]:
        """The searches of each part of the study, by its title."""
        parts: dict[str, list[StoredSearches]] = {}
        for one in self.found:
            parts.setdefault(one.part, []).append(one)
        return parts


def depth_of(one: StoredSearches) -> int:
    return one.player.settings.depth or 0


def algorithm_of(one: StoredSearches) -> str:
    return one.player.settings.described


def summed(
    found: Iterable[StoredSearches], key: Callable[[StoredSearches], tuple[Cell, ...]]
) -> dict[tuple[Cell, ...], Sums]:
    """The sums of searches that have the same key, in the order in which the keys come."""
    sums: dict[tuple[Cell, ...], Sums] = {}
    for one in found:
        of_key = sums.setdefault(key(one), Sums())
        for move in one.moves:
            of_key.add(move)
    return sums


def mean_branching(found: list[StoredSearches]) -> float:
    """How many positions follow from one: measured where nothing is pruned, else the number of columns."""
    whole = Sums()
    for one in found:
        settings = one.player.settings
        if settings.algorithm in UNPRUNED and not settings.table:
            for move in one.moves:
                whole.add(move)
    if whole.expanded:
        return whole.generated / whole.expanded
    return sum(one.rules.columns for one in found) / len(found)


def phase_of(discs: int, rules: Rules) -> str:
    """The third of the game that a position with so many discs belongs to."""
    return PHASES[min(2, 3 * discs // (rules.rows * rules.columns))]


# ── grids ────────────────────────────────────────────────────────────────────────────────────────

GRID = ("N", "size", "depth")


def _coordinates(one: StoredSearches) -> dict[str, Cell]:
    return {"N": one.rules.connect, "size": str(one.rules), "depth": depth_of(one)}


class Grid(NamedTuple):
    """Evaluations of the first algorithm and of another one, by two of the three."""

    down: str
    across: str
    where: str  # the third, where it varies
    first: str
    other: str
    rows: list[Cell]
    columns: list[Cell]
    cells: list[list[tuple[int, int] | None]]  # evaluations by the first and by the other

    @property
    def title(self) -> str:
        return f"{self.down} × {self.across}{self.where}: {self.first} against {self.other}"


def grids(found: list[StoredSearches]) -> list[Grid]:
    """N × size, N × depth and depth × size: evaluations of the first algorithm against those of each other one.

    A grid shows two of the three; the third stays at its largest, and N at its smallest.
    """
    values = {name: list(dict.fromkeys(_coordinates(one)[name] for one in found)) for name in GRID}
    first = algorithm_of(found[0])
    others = list(dict.fromkeys(a for one in found if (a := algorithm_of(one)) != first))
    sums = summed(found, lambda one: (*_coordinates(one).values(), algorithm_of(one)))
    kept = {
        "N": min(values["N"], key=whole_number),
        "size": str(max((one.rules for one in found), key=lambda rules: rules.rows * rules.columns)),
        "depth": max(values["depth"], key=whole_number),
    }
    made = []
    for down, across in (("N", "size"), ("N", "depth"), ("depth", "size")):
        if len(values[down]) < 2 or len(values[across]) < 2:
            continue
        (third,) = set(GRID) - {down, across}
        where = f", {third} {kept[third]}" if len(values[third]) > 1 else ""
        for other in others:
            cells: list[list[tuple[int, int] | None]] = []
            for low in values[down]:
                cells.append([])
                for high in values[across]:
                    at = {**kept, down: low, across: high}
                    base, pruned = (sums.get((*(at[name] for name in GRID), name)) for name in (first, other))
                    cells[-1].append(_both(base, pruned))
            made.append(Grid(down, across, where, first, other, values[down], values[across], cells))
    return made


def _both(base: Sums | None, other: Sums | None) -> tuple[int, int] | None:
    if base is None or other is None or not other.evaluated:
        return None
    return base.evaluated, other.evaluated


def whole_number(cell: Cell) -> float:
    assert isinstance(cell, int)
    return cell


# ── agreement ────────────────────────────────────────────────────────────────────────────────────


class Answer(NamedTuple):
    """What an algorithm said of a position."""

    algorithm: str
    order: str  # in which ties are broken
    score: float | None
    column: int
    equals: str | None  # the columns it knows to be as good, all of them where nothing was pruned
    complete: bool


def disagreements(found: list[StoredSearches]) -> tuple[int, list[tuple[Cell, ...]]]:
    """How many positions several algorithms have searched, and a row for each answer that differs from one before."""
    answers: dict[tuple[str, str, str, int], list[Answer]] = {}
    for one in found:
        settings = one.player.settings
        for number, move in enumerate(one.moves, start=1):
            place = f"{one.place}, move {number}" if len(one.moves) > 1 else one.place
            key = (one.rules.described, one.player.name, place, depth_of(one))
            order = "left" if settings.order == "left" else "centre"
            complete = settings.algorithm in UNPRUNED
            answer = Answer(settings.described, order, move.score, move.chosen, move.equals, complete)
            answers.setdefault(key, []).append(answer)
    wrong: list[tuple[Cell, ...]] = []
    for where, given in answers.items():
        for number, other in enumerate(given):
            differing = next((earlier for earlier in given[:number] if not agree(earlier, other)), None)
            if differing is not None:
                wrong.append((*where, *_said(differing), *_said(other)))
    return sum(len(given) > 1 for given in answers.values()), wrong


def agree(one: Answer, other: Answer) -> bool:
    """Whether two searches of one position say the same.

    Of equally good moves each takes the first in its own order, so between different orders another move is as
    good if it is among those that a search without pruning knows to be equal.
    """
    if one.score != other.score:
        return False
    if one.column == other.column:
        return True
    if one.order == other.order:
        return False
    for knows, chose in ((one, other), (other, one)):
        if knows.complete and column_digit(chose.column) not in (knows.equals or ""):
            return False
    return True


def _said(answer: Answer) -> tuple[Cell, ...]:
    return answer.algorithm, column_digit(answer.column), answer.score


def check_agreement(results: StudyResults) -> None:
    """Raise where algorithms that must agree have not."""
    for title, found in results.parts.items():
        _, wrong = disagreements(found)
        if wrong:
            board, evaluator, place, depth, *said = wrong[0]
            where = f"{title}: " if title else ""
            raise Disagreement(
                f"{where}the algorithms disagree on {len(wrong):,} answers, first on {board}, {evaluator}, {place}, "
                f"depth {depth}: {said[0]} says column {said[1]}, value {said[2]}, and {said[3]} says column "
                f"{said[4]}, value {said[5]}. The table Agreement has all of them."
            )
