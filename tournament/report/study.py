"""What a study says: typed, complete when it is made, and read by every table, sentence and chart of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mean, stdev
from typing import NamedTuple

from tournament.engine.settings import ENTRY_BYTES, Settings
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules, column_digit, read_position
from tournament.report.agreement import Agreement, agreement_of
from tournament.report.grids import Grid, Slice, WidthTime, grids_of, slices_of, width_times
from tournament.report.positions import (
    PositionSearch,
    Pruned,
    positions_of,
    pruned_of,
    pruning_rate,
    saved,
    settings_by_name,
    where,
)
from tournament.report.projection import (
    Covered,
    Growth,
    Practical,
    Projected,
    growth_of,
    practical_of,
    projections_of,
)
from tournament.report.styles import Styles
from tournament.report.sums import Sums, algorithm_of, depth_of, mean_branching, measures_branching, summed
from tournament.store import StoredRun, StoredSearches
from tournament.text import counted

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
    time_share: float | None  # of the first one's time that is saved


class PhaseSums(NamedTuple):
    """What an algorithm took in one phase of the game at a depth, and what it saves there against the first."""

    depth: int
    phase: str
    algorithm: str
    sums: Sums
    share: float | None
    valid_moves: float  # on average, where a search began
    rate: float | None  # of the moves of expanded positions those left untried


class Summed(NamedTuple):
    """What a search of one algorithm takes on average over all positions and depths that both have searched."""

    algorithm: str
    searches: int
    seconds: float
    nodes: float
    rate: float | None
    agreement: float | None  # the share of positions on which move and value are those of the first
    memory: float | None
    time_saved: float | None  # against the first, of the same searches; None of the first itself
    nodes_saved: float | None


class Drawn(NamedTuple):
    """What a random move order takes over several seeds, in positions generated per search."""

    depth: int
    algorithm: str
    seeds: int
    mean: float
    spread: float  # standard deviation over the seeds
    least: float
    most: float


@dataclass(frozen=True)
class StudyPart:
    """One part of a study: its searches that found anything, and what they say."""

    title: str
    searches: Sequence[StoredSearches]
    algorithms: list[str]  # in the order of the study: the first is what the others are compared with
    sums: dict[tuple[int, str], Sums]  # by depth and algorithm
    branching: float  # how many positions follow from one
    boards: dict[str, StudyPart]  # the same of each board alone, where there are several
    savings: list[Saving]
    positions: list[PositionSearch]
    pruned: list[Pruned]
    growth: list[Growth]
    projections: list[Projected]
    practical: list[Practical]
    summary: list[Summed]
    drawn: list[Drawn]
    phases: list[PhaseSums]  # at every depth
    grids: list[Grid]
    widths: list[WidthTime]
    agreement: Agreement

    @cached_property
    def settings(self) -> dict[str, Settings]:
        """The settings of each algorithm, at any of its depths."""
        return settings_by_name(self.searches)

    @cached_property
    def begun_on(self) -> frozenset[tuple[str, str, str]]:
        """Where its searches began: the evaluator, the name of the position or game, and its board."""
        return frozenset(
            (one.player.name, one.place, str(read_position(one.start, one.rules))) for one in self.searches
        )

    @property
    def measures_branching(self) -> bool:
        """Whether `branching` was measured; else it is the number of columns."""
        return any(map(measures_branching, self.settings.values()))

    @property
    def drifts(self) -> bool:
        """Whether discs drift in it: whether its searches reckon with chance."""
        return any(one.rules.drifts for one in self.searches)

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
    def beside(self) -> tuple[StudyPart, ...]:
        """The parts that are put side by side: the same positions and evaluators, with drift and without."""
        found = [part for part in self.parts if not part.boards]
        both = {part.begun_on for part in found if part.drifts} & {part.begun_on for part in found if not part.drifts}
        return tuple(part for part in found if part.begun_on in both)

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
    at = slices_of(run.config)
    made = tuple(part_of(searches, title, at.get(title, Slice())) for title, searches in parts.items())
    return StudyResults(run, planned, superseded, found, made, damaged)


def part_of(searches: Sequence[StoredSearches], title: str = "", at: Slice = Slice()) -> StudyPart:  # noqa: B008
    """What the searches of one part say."""
    algorithms = list(dict.fromkeys(map(algorithm_of, searches)))
    sums = summed(searches, lambda one: (depth_of(one), algorithm_of(one)))
    positions = positions_of(searches)
    means = {key: own.means for key, own in sums.items()}
    cells = min(one.rules.rows * one.rules.columns - one.moves[0].ply for one in searches)
    covered = covered_by(searches)
    projections = projections_of(means, algorithms, cells, covered)
    return StudyPart(
        title=title,
        searches=searches,
        algorithms=algorithms,
        sums=sums,
        branching=mean_branching(searches),
        boards=_by_board(searches),
        savings=_savings(sums, algorithms[0], covered),
        positions=positions,
        pruned=pruned_of(searches, sums),
        growth=growth_of(means, covered),
        projections=projections,
        practical=practical_of(means, projections, algorithms),
        summary=_summary(positions, searches),
        drawn=_drawn(searches),
        phases=_phases(searches, algorithms[0]),
        grids=grids_of(searches, at),
        widths=width_times(searches),
        agreement=agreement_of(searches),
    )


def covered_by(searches: Sequence[StoredSearches]) -> Covered:
    """Where each algorithm has searched to each depth: less than elsewhere, where searches failed or are to come."""
    covered: dict[tuple[int, str], set[tuple[str, str, str]]] = {}
    for one in searches:
        place = (one.rules.described, one.player.name, one.place)
        covered.setdefault((depth_of(one), algorithm_of(one)), set()).add(place)
    return covered


def _savings(sums: dict[tuple[int, str], Sums], first: str, covered: Covered) -> list[Saving]:
    """What each algorithm saves against the first, at each depth at which both have searched the same."""
    savings = []
    for (depth, algorithm), own in sums.items():
        base = sums.get((depth, first))
        same = covered[depth, algorithm] == covered.get((depth, first)) and base and base.searches == own.searches
        if base is not None and algorithm != first and same:
            faster = _ratio(base.seconds, own.seconds), saved(base.seconds, own.seconds)
            fewer = _ratio(base.generated, own.generated), _ratio(base.evaluated, own.evaluated)
            savings.append(Saving(depth, algorithm, *fewer, _saved(base, own), *faster))
    return savings


def _ratio(base: float, value: float) -> float | None:
    return base / value if value else None


def _saved(base: Sums, own: Sums) -> float | None:
    return saved(base.generated, own.generated)


def _summary(positions: Sequence[PositionSearch], searches: Sequence[StoredSearches]) -> list[Summed]:
    """Means per search. Only what the first has searched too counts, so that the same searches are held together."""
    first, settings = positions[0].algorithm, settings_by_name(searches)
    alike = _alike(searches, first)
    drifts = any(one.rules.drifts for one in searches)
    base = {one.where: one.sums for one in positions if one.algorithm == first}
    made = []
    for name in settings:
        own = [one for one in positions if one.algorithm == name and one.where in base]
        if not own:
            continue
        total, theirs = Sums(), Sums()
        for one in own:
            total.join(one.sums)
            theirs.join(base[one.where])
        memory = [taken for one in own if (taken := memory_of(one.sums, settings[name])) is not None]
        same = name != first and total.searches == theirs.searches
        made.append(
            Summed(
                *(name, total.searches, total.seconds / total.searches, total.generated / total.searches),
                rate=pruning_rate(total, settings[name], with_chance=drifts),
                agreement=alike.get(name),
                memory=sum(memory) / len(memory) if memory else None,
                time_saved=saved(theirs.seconds, total.seconds) if same else None,
                nodes_saved=saved(theirs.generated, total.generated) if same else None,
            )
        )
    return made


def _alike(searches: Sequence[StoredSearches], first: str) -> dict[str, float]:
    """The share of positions, in games each in turn, on which an algorithm's move and value are those of the first."""
    told = {where(one): one.moves for one in searches if algorithm_of(one) == first}
    equal: dict[str, list[bool]] = {}
    for one in searches:
        if algorithm_of(one) != first:
            pairs = zip(one.moves, told.get(where(one), ()), strict=False)
            each = ((own.chosen, own.score) == (theirs.chosen, theirs.score) for own, theirs in pairs)
            equal.setdefault(algorithm_of(one), []).extend(each)
    return {name: sum(each) / len(each) for name, each in equal.items() if each}


def memory_of(sums: Sums, settings: Settings) -> int | None:
    """The most bytes that a search holds at once: a frame for the root and each level, the state, the table.

    Each of several threads has its own.
    """
    if sums.stack is None or sums.state is None:
        return None
    table = ENTRY_BYTES << settings.table if settings.table else 0
    return settings.threads * (sums.stack * (sums.deepest + 1) + sums.state + table)


def _drawn(searches: Sequence[StoredSearches]) -> list[Drawn]:
    """Mean and spread over the seeds of each algorithm with a random order that has several."""
    shuffled = [one for one in searches if one.player.settings.order == "random"]
    sums = summed(shuffled, lambda one: (depth_of(one), algorithm_of(one), one.player.settings.order_seed))
    seeds: dict[tuple[int, str], list[float]] = {}
    for (depth, name, _), own in sums.items():
        seeds.setdefault((depth, name), []).append(own.means[0])
    return [
        Drawn(*key, len(each), mean(each), stdev(each), min(each), max(each))
        for key, each in seeds.items()
        if len(each) > 1
    ]


def _by_board(searches: Sequence[StoredSearches]) -> dict[str, StudyPart]:
    """What is never averaged over boards."""
    boards: dict[str, list[StoredSearches]] = {}
    for one in searches:
        boards.setdefault(one.rules.described, []).append(one)
    return {board: part_of(own) for board, own in boards.items()} if len(boards) > 1 else {}


# ── phases ───────────────────────────────────────────────────────────────────────────────────────


def _phases(searches: Sequence[StoredSearches], first: str) -> list[PhaseSums]:
    """What the algorithms took in the opening, the middle and the end of the game, at each depth."""
    drifts, settings = any(one.rules.drifts for one in searches), settings_by_name(searches)
    sums: dict[tuple[int, str, str], Sums] = {}
    valid: dict[tuple[int, str, str], list[int]] = {}
    for one in searches:
        for move, moves in zip(one.moves, _valid_moves(one), strict=True):
            key = (depth_of(one), phase_of(move.ply, one.rules), algorithm_of(one))
            sums.setdefault(key, Sums()).add(move, one.player.settings.order_seed)
            valid.setdefault(key, []).append(moves)
    phases = []
    for key, every in sorted(sums.items(), key=lambda item: (item[0][0], PHASES.index(item[0][1]))):
        depth, phase, algorithm = key
        own, base = every.of_one_seed(), sums.get((depth, phase, first))
        same = base is not None and algorithm != first and base.searches == own.searches
        share = _saved(base, own) if same and base else None
        rate = pruning_rate(own, settings[algorithm], with_chance=drifts)
        phases.append(PhaseSums(depth, phase, algorithm, own, share, mean(valid[key]), rate))
    return phases


def _valid_moves(one: StoredSearches) -> list[int]:
    """How many columns were open where each search began."""
    position = read_position(one.start, one.rules)
    found = []
    for move in one.moves:
        found.append(len(position.open_columns()))
        position = position.play(move.landed)
    return found


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
            title = f"{part.title}: " if part.title else ""
            said = [
                f"{answer.algorithm} says column {column_digit(answer.column)}, value {answer.score}"
                for answer in (first.one, first.other)
            ]
            raise Disagreement(
                f"{title}the algorithms disagree on {counted(len(wrong), 'answer')}, first on {first.board}, "
                f"{first.evaluator}, {first.place}, depth {first.depth}: {said[0]}, and {said[1]}. "
                "The table Agreement has all of them."
            )
