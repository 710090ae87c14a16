"""What a study says: typed, complete when it is made, and read by every table, sentence and chart of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tournament.errors import TourneyError
from tournament.games.connect4 import Rules, column_digit
from tournament.report.agreement import Agreement, agreement_of
from tournament.report.grids import Grid, grids_of
from tournament.report.styles import Styles
from tournament.report.sums import Sums, algorithm_of, depth_of, mean_branching, summed
from tournament.store import StoredRun, StoredSearches

PHASES = ("opening", "middle", "end")  # thirds of the board, by the discs on it


class Disagreement(TourneyError):
    """Algorithms that must agree have not: a fault of the engine, or of an evaluator that is not a function."""


class Saving(NamedTuple):
    """What an algorithm saves against the first one at a depth; None where there is nothing to divide by."""

    depth: int
    algorithm: str
    fewer_generated: float | None  # times fewer
    fewer_evaluated: float | None
    share: float | None  # of the first one's generated positions that is saved
    speed_up: float | None


class PhaseSums(NamedTuple):
    """What an algorithm took in one phase of the game, and what it saves there against the first."""

    phase: str
    algorithm: str
    sums: Sums
    share: float | None


@dataclass(frozen=True)
class StudyPart:
    """One part of a study: its searches that found anything, and what they say."""

    title: str
    searches: Sequence[StoredSearches]
    algorithms: list[str]  # in the order of the study: the first is what the others are compared with
    sums: dict[tuple[int, str], Sums]  # by depth and algorithm
    branching: float  # how many positions follow from one
    savings: list[Saving]
    phases: list[PhaseSums]  # at the greatest depth
    grids: list[Grid]
    agreement: Agreement

    @property
    def first(self) -> str:
        return self.algorithms[0]

    @property
    def greatest_depth(self) -> int:
        return max(map(depth_of, self.searches))


@dataclass(frozen=True)
class StudyResults:
    """What the searches of a study say."""

    run: StoredRun
    planned: int
    superseded: int
    found: Sequence[StoredSearches]
    parts: tuple[StudyPart, ...]  # those in which anything was found
    damaged: tuple[str, ...] = ()  # the ids of searches that are not what was written, and do not count

    @property
    def styles(self) -> Styles:
        """How each algorithm looks, in the order of the study."""
        return Styles(algorithm_of(one) for one in self.found)


def study_results_of(
    run: StoredRun,
    found: Sequence[StoredSearches],
    *,
    planned: int,
    superseded: int,
    damaged: tuple[str, ...] = (),
) -> StudyResults:
    """What these searches say, part by part."""
    parts: dict[str, list[StoredSearches]] = {}
    for one in found:
        if one.moves:
            parts.setdefault(one.part, []).append(one)
    made = tuple(part_of(searches, title) for title, searches in parts.items())
    return StudyResults(run, planned, superseded, found, made, damaged)


def part_of(searches: Sequence[StoredSearches], title: str = "") -> StudyPart:
    """What the searches of one part say."""
    algorithms = list(dict.fromkeys(map(algorithm_of, searches)))
    sums = summed(searches, lambda one: (depth_of(one), algorithm_of(one)))
    return StudyPart(
        title=title,
        searches=searches,
        algorithms=algorithms,
        sums=sums,
        branching=mean_branching(searches),
        savings=_savings(sums, algorithms[0]),
        phases=_phases(searches, algorithms[0]),
        grids=grids_of(searches),
        agreement=agreement_of(searches),
    )


def _savings(sums: dict[tuple[int, str], Sums], first: str) -> list[Saving]:
    """What each algorithm saves against the first, at each depth at which both have searched."""
    savings = []
    for (depth, algorithm), own in sums.items():
        base = sums.get((depth, first))
        if base is not None and algorithm != first:
            fewer = _ratio(base.generated, own.generated), _ratio(base.evaluated, own.evaluated)
            savings.append(Saving(depth, algorithm, *fewer, _saved(base, own), _ratio(base.seconds, own.seconds)))
    return savings


def _ratio(base: float, value: float) -> float | None:
    return base / value if value else None


def _saved(base: Sums, own: Sums) -> float | None:
    return 1 - own.generated / base.generated if base.generated else None


# ── phases ───────────────────────────────────────────────────────────────────────────────────────


def _phases(searches: Sequence[StoredSearches], first: str) -> list[PhaseSums]:
    """What the algorithms took in the opening, the middle and the end of the game, at the greatest depth."""
    depth = max(map(depth_of, searches))
    sums: dict[tuple[str, str], Sums] = {}
    for one in searches:
        if depth_of(one) == depth:
            for move in one.moves:
                sums.setdefault((phase_of(move.ply, one.rules), algorithm_of(one)), Sums()).add(move)
    phases = []
    for (phase, algorithm), own in sorted(sums.items(), key=lambda item: PHASES.index(item[0][0])):
        base = sums.get((phase, first))
        share = _saved(base, own) if base is not None and algorithm != first else None
        phases.append(PhaseSums(phase, algorithm, own, share))
    return phases


def phase_of(discs: int, rules: Rules) -> str:
    """The third of the game that a position with so many discs belongs to."""
    return PHASES[min(2, 3 * discs // (rules.rows * rules.columns))]


# ── agreement ────────────────────────────────────────────────────────────────────────────────────


def check_agreement(results: StudyResults) -> None:
    """Raise where algorithms that must agree have not."""
    for part in results.parts:
        wrong = part.agreement.differences
        if wrong:
            first = wrong[0]
            where = f"{part.title}: " if part.title else ""
            said = [
                f"{answer.algorithm} says column {column_digit(answer.column)}, value {answer.score}"
                for answer in (first.one, first.other)
            ]
            raise Disagreement(
                f"{where}the algorithms disagree on {len(wrong):,} answers, first on {first.board}, "
                f"{first.evaluator}, {first.place}, depth {first.depth}: {said[0]}, and {said[1]}. "
                "The table Agreement has all of them."
            )
