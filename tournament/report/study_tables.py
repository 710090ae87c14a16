"""The tables of a study: pure functions from stored searches. Nothing here prints or reads a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tournament.engine.algorithms import WITH_CHANCE
from tournament.evidence.intervals import branching_factor
from tournament.games.connect4 import column_digit
from tournament.report.agreement import Answer
from tournament.report.study import StudyPart, StudyResults
from tournament.report.summary import on_differences, on_what_agrees
from tournament.report.sums import Sums, algorithm_of, depth_of, summed
from tournament.report.table import Cell, Column, Name, Table
from tournament.report.tables import made_on
from tournament.store import StoredPlayer, StoredSearches

MOST_LISTED = 1000  # rows of one table; results.json and searches.csv have more


def study_tables(results: StudyResults) -> list[Table]:
    """Every table of a study but that of the searches, in the order of the report."""
    return [*_of_parts(results, part_tables), *fault_tables(results), provenance_table(results)]


def every_search(results: StudyResults) -> list[Table]:
    """What each algorithm took on each position, for the report."""
    return _of_parts(results, searches_tables)


def part_tables(part: StudyPart) -> list[Table]:
    """The tables of one part of a study, without that of every search."""
    several = len(part.algorithms) > 1
    return [
        *cost_tables(part),
        *([reduction_table(part)] if several else []),
        *(grid_tables(part) if several else []),
        branching_table(part),
        phase_table(part),
        *([agreement_table(part)] if several else []),
        *answers_table(part),
    ]


def _of_parts(results: StudyResults, tables: Callable[[StudyPart], list[Table]]) -> list[Table]:
    """The tables of every part of a study, with its title before theirs."""
    made: list[Table] = []
    for part in results.parts:
        prefix = f"{part.title}: " if part.title else ""
        made += [replace(table, title=prefix + table.title) for table in tables(part)]
    return made


def _named(algorithm: str) -> Name:
    return Name(algorithm, algorithm)


# ── cost ─────────────────────────────────────────────────────────────────────────────────────────

COUNTED = (*(Column(name, "count") for name in ("generated", "evaluated", "cutoffs")), Column("seconds", "precise"))
REACHED = (Column("deepest level", "count"), Column("peak memory", "bytes"))


def _counted(sums: Sums) -> tuple[Cell, ...]:
    return sums.generated, sums.evaluated, sums.cutoffs, sums.seconds


def cost_tables(part: StudyPart) -> list[Table]:
    """What each algorithm took at each depth, over all positions."""
    who = (Column("depth", "count"), Column("algorithm"))
    cost: list[tuple[Cell, ...]] = []
    space: list[tuple[Cell, ...]] = []
    for (depth, algorithm), sums in part.sums.items():
        cost.append((depth, _named(algorithm), *_counted(sums)))
        space.append((depth, _named(algorithm), sums.searches, sums.deepest, sums.memory))
    return [
        Table("Cost", (*who, *COUNTED), cost, "Short searches are timed three times, and the best time counts."),
        Table(
            "Space",
            (*who, Column("searches", "count"), *REACHED),
            space,
            "The deepest level and the most memory of any search, above that of the process it runs in.",
        ),
    ]


DIMENSIONS: dict[str, Callable[[StoredSearches], str]] = {
    "board": lambda one: one.rules.described,
    "evaluator": lambda one: one.player.name,
    "position": lambda one: one.place,
}


def _varied(part: StudyPart) -> dict[str, Callable[[StoredSearches], str]]:
    """The dimensions that differ within a part."""
    return {name: of for name, of in DIMENSIONS.items() if len({of(one) for one in part.searches}) > 1}


def searches_tables(part: StudyPart) -> list[Table]:
    """What each algorithm took on each position; nothing where there is only one."""
    varied = _varied(part)
    if not varied:
        return []
    sums = summed(
        part.searches, lambda one: (tuple(of(one) for of in varied.values()), depth_of(one), algorithm_of(one))
    )
    columns = (*(Column(name) for name in varied), Column("depth", "count"), Column("algorithm"), *COUNTED, *REACHED)
    rows: list[tuple[Cell, ...]] = [
        (*where, depth, _named(algorithm), *_counted(s), s.deepest, s.memory)
        for (where, depth, algorithm), s in sums.items()
    ]
    more = len(rows) - MOST_LISTED
    return [Table("Searches", columns, rows[:MOST_LISTED], f"{more:,} more are in searches.csv." if more > 0 else "")]


def reduction_table(part: StudyPart) -> Table:
    """What each algorithm saves against the first."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(saving.depth, _named(saving.algorithm), saving.fewer_generated, saving.fewer_evaluated),
            *(saving.share, saving.speed_up),
        )
        for saving in part.savings
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm")),
        *(Column("times fewer generated", "ratio"), Column("times fewer evaluated", "ratio")),
        *(Column("reduction", "percent"), Column("speed-up", "ratio")),
    )
    note = f"Against {part.first}. Reduction: the share of its generated positions that is saved."
    return Table(f"What is saved against {part.first}", columns, rows, note)


def branching_table(part: StudyPart) -> Table:
    """The effective branching factor, with the curves of theory beside what was measured."""
    b = part.branching
    rows: list[tuple[Cell, ...]] = []
    for (depth, algorithm), s in part.sums.items():
        measured: tuple[Cell, Cell] = (None, None)
        if s.searches:
            per_search = s.generated / s.searches
            measured = (per_search, branching_factor(per_search, depth))
        rows.append((depth, _named(algorithm), *measured, b**depth, b ** (depth / 2)))
    columns = (
        *(Column("depth", "count"), Column("algorithm"), Column("generated per search", "ratio")),
        *(Column("EBF", "ratio"), Column("b^d", "ratio"), Column("b^(d/2)", "ratio")),
    )
    note = (
        f"b = {b:.2f}, the positions generated from one that is expanded without pruning. b^d is what minimax looks at "
        "in theory, b^(d/2) what alpha-beta does when it always tries the best move first. EBF, the effective "
        "branching factor, is the b for which b + b² + … + b^depth = generated."
    )
    return Table("Branching", columns, rows, note)


def phase_table(part: StudyPart) -> Table:
    """What the algorithms took in the opening, the middle and the end of the game, at the greatest depth."""
    rows: list[tuple[Cell, ...]] = []
    for phase, algorithm, s, share in part.phases:
        cutoffs = s.cutoffs / s.expanded if s.expanded else None
        per_search = (s.generated / s.searches, s.seconds / s.searches)
        rows.append((phase, _named(algorithm), s.searches, *per_search, cutoffs, share))
    columns = (
        *(Column("phase"), Column("algorithm"), Column("searches", "count")),
        *(Column("generated per search", "ratio"), Column("ms per search", "millis")),
        *(Column("cutoffs", "percent"), Column("reduction", "percent")),
    )
    note = (
        "The opening is while less than a third of the cells is filled, the end when two thirds or more are. "
        f"Reduction: generated positions saved against {part.first}."
    )
    return Table(f"Game phases, depth {part.greatest_depth}", columns, rows, note)


def grid_tables(part: StudyPart) -> list[Table]:
    """The grids as tables."""
    tables = []
    for grid in part.grids:
        rows: list[tuple[Cell, ...]] = [
            (low, *map(ratio_text, cells)) for low, cells in zip(grid.rows, grid.cells, strict=True)
        ]
        shown = [f"{grid.across} {value}" for value in grid.columns]
        columns = (Column(grid.down, "count"), *(Column(name) for name in shown))
        where = f", {grid.where}" if grid.where else ""
        title = f"{grid.down} × {grid.across}{where}: {grid.first} against {grid.other}"
        tables.append(Table(title, columns, rows, f"Evaluations by {grid.first} / by {grid.other} = ratio."))
    return tables


def ratio_text(both: tuple[int, int] | None) -> Cell:
    if both is None:
        return None
    base, other = both
    return f"{base:,} / {other:,} = {base / other:,.1f}"


# ── answers ──────────────────────────────────────────────────────────────────────────────────────


def agreement_table(part: StudyPart) -> Table:
    """Whether all algorithms found the same value and move everywhere: where they did not, what they said."""
    agreement = part.agreement
    if agreement.differences:
        columns = (
            *(Column(name) for name in ("board", "evaluator", "position")),
            Column("depth", "count"),
            *(Column("algorithm"), Column("move"), Column("value", "score")),
            *(Column("other algorithm"), Column("other move"), Column("other value", "score")),
        )
        rows: list[tuple[Cell, ...]] = [
            (d.board, d.evaluator, d.place, d.depth, *_said(d.one), *_said(d.other)) for d in agreement.differences
        ]
        return Table("Agreement", columns, rows[:MOST_LISTED], on_differences(agreement))
    note = f"Every algorithm found {on_what_agrees(agreement)}."
    if agreement.other_moves:
        note += " Of equally good moves each takes the first in its own order."
    names = ("positions", "algorithms", "answers that differ")
    counts = (agreement.positions, len(part.algorithms), 0)
    return Table("Agreement", tuple(Column(name, "count") for name in names), [counts], note)


def _said(answer: Answer) -> tuple[Cell, ...]:
    return _named(answer.algorithm), column_digit(answer.column), answer.score


def answers_table(part: StudyPart) -> list[Table]:
    """What the first algorithm says of each position, at each depth; nothing for whole games."""
    single = [one for one in part.searches if len(one.moves) == 1 and algorithm_of(one) == part.first]
    varied = _varied(part)
    rows: list[tuple[Cell, ...]] = [
        (
            *(of(one) for of in varied.values()),
            depth_of(one),
            column_digit(one.moves[0].chosen),
            one.moves[0].score,
        )
        for one in single
    ]
    columns = (
        *(Column(name) for name in varied),
        Column("depth", "count"),
        Column("best column"),
        Column("value", "score"),
    )
    with_chance = part.searches[0].player.settings.algorithm in WITH_CHANCE
    note = f"By {part.first}." + (" A value is an average over where discs may land." if with_chance else "")
    return [Table("Answers", columns, rows, note)] if rows else []


# ── faults and provenance ────────────────────────────────────────────────────────────────────────


def fault_tables(results: StudyResults) -> list[Table]:
    """Which evaluators failed, how often, and what happened the first time; nothing where none did."""
    faults: dict[str, list[str]] = {}
    for one in results.found:
        if one.fault is not None:
            faults.setdefault(one.player.name, []).append(one.fault)
    rows: list[tuple[Cell, ...]] = [(name, len(messages), messages[0]) for name, messages in faults.items()]
    columns = (Column("evaluator"), Column("failed", "count"), Column("first message"))
    return [Table("Faults", columns, rows)] if rows else []


def provenance_table(results: StudyResults) -> Table:
    """How it was made."""
    evaluators: dict[str, StoredPlayer] = {one.player.name: one.player for one in results.found}
    boards = dict.fromkeys(one.rules.described for one in results.found)
    done = f"{len(results.found):,} of {results.planned:,} done"
    rows = made_on(results, ("searches", done), ("boards", "; ".join(boards)), evaluators)
    return Table("How it was made", (Column("what"), Column("value")), rows)
