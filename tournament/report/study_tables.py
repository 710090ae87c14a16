"""The tables of a study: pure functions from stored searches. Nothing here prints or reads a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tournament.engine.algorithms import WITH_CHANCE
from tournament.evidence.intervals import branching_factor
from tournament.games.connect4 import column_digit
from tournament.report.study import (
    PHASES,
    StudyResults,
    Sums,
    algorithm_of,
    depth_of,
    disagreements,
    grids,
    mean_branching,
    phase_of,
    summed,
)
from tournament.report.table import Cell, Column, Table
from tournament.report.tables import made_on
from tournament.store import StoredPlayer, StoredSearches

MOST_LISTED = 1000  # rows of one table; results.json and searches.csv have more


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

COUNTED = (*(Column(name, "count") for name in ("generated", "evaluated", "cutoffs")), Column("seconds", "precise"))
REACHED = (Column("deepest level", "count"), Column("peak memory", "bytes"))


def _counted(sums: Sums) -> tuple[Cell, ...]:
    return sums.generated, sums.evaluated, sums.cutoffs, sums.seconds


def cost_tables(found: list[StoredSearches]) -> list[Table]:
    """What each algorithm took at each depth, over all positions."""
    sums = summed(found, lambda one: (depth_of(one), algorithm_of(one)))
    who = (Column("depth", "count"), Column("algorithm"))
    cost: list[tuple[Cell, ...]] = [(*key, *_counted(s)) for key, s in sums.items()]
    space: list[tuple[Cell, ...]] = [(*key, s.searches, s.deepest, s.memory) for key, s in sums.items()]
    return [
        Table("Cost", (*who, *COUNTED), cost, "Short searches are timed three times, and the best time counts."),
        Table(
            "Space",
            (*who, Column("searches", "count"), *REACHED),
            space,
            "The deepest level and the most memory of any search, above that of the process it runs in.",
        ),
    ]


DIMENSIONS: dict[str, Callable[[StoredSearches], Cell]] = {
    "board": lambda one: one.rules.described,
    "evaluator": lambda one: one.player.name,
    "position": lambda one: one.place,
}


def searches_tables(found: list[StoredSearches]) -> list[Table]:
    """What each algorithm took on each position; nothing where there is only one."""
    varied = {name: of for name, of in DIMENSIONS.items() if len({of(one) for one in found}) > 1}
    if not varied:
        return []
    sums = summed(found, lambda one: (*(of(one) for of in varied.values()), depth_of(one), algorithm_of(one)))
    columns = (*(Column(name) for name in varied), Column("depth", "count"), Column("algorithm"), *COUNTED, *REACHED)
    rows: list[tuple[Cell, ...]] = [(*key, *_counted(s), s.deepest, s.memory) for key, s in sums.items()]
    more = len(rows) - MOST_LISTED
    return [Table("Searches", columns, rows[:MOST_LISTED], f"{more:,} more are in searches.csv." if more > 0 else "")]


def reduction_table(found: list[StoredSearches]) -> Table:
    """What each algorithm saves against the first."""
    sums = summed(found, lambda one: (depth_of(one), algorithm_of(one)))
    first = algorithm_of(found[0])
    rows: list[tuple[Cell, ...]] = []
    for (depth, algorithm), s in sums.items():
        base = sums.get((depth, first))
        if base is not None and algorithm != first:
            saved = 1 - s.generated / base.generated if base.generated else None
            cells = (
                _ratio(base.generated, s.generated),
                _ratio(base.evaluated, s.evaluated),
                saved,
                _ratio(base.seconds, s.seconds),
            )
            rows.append((depth, algorithm, *cells))
    columns = (
        *(Column("depth", "count"), Column("algorithm")),
        *(Column("times fewer generated", "ratio"), Column("times fewer evaluated", "ratio")),
        *(Column("reduction", "percent"), Column("speed-up", "ratio")),
    )
    note = f"Against {first}. Reduction: the share of its generated positions that is saved."
    return Table(f"What is saved against {first}", columns, rows, note)


def _ratio(base: float, value: float) -> float | None:
    return base / value if value else None


def branching_table(found: list[StoredSearches]) -> Table:
    """The effective branching factor, with the curves of theory beside what was measured."""
    sums = summed(found, lambda one: (depth_of(one), algorithm_of(one)))
    b = mean_branching(found)
    rows: list[tuple[Cell, ...]] = []
    for (depth, algorithm), s in sums.items():
        assert isinstance(depth, int)
        per_search = s.generated / s.searches if s.searches else 0.0
        rows.append(
            (depth, algorithm, per_search, branching_factor(per_search, depth), b**depth, b ** (depth / 2))
            if s.searches
            else (depth, algorithm, None, None, b**depth, b ** (depth / 2))
        )
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


def phase_table(found: list[StoredSearches]) -> Table:
    """What the algorithms took in the opening, the middle and the end of the game, at the greatest depth."""
    depth = max(map(depth_of, found))
    sums: dict[tuple[str, str], Sums] = {}
    for one in found:
        if depth_of(one) == depth:
            for move in one.moves:
                sums.setdefault((phase_of(move.ply, one.rules), algorithm_of(one)), Sums()).add(move)
    first = algorithm_of(found[0])
    rows: list[tuple[Cell, ...]] = []
    for (phase, algorithm), s in sorted(sums.items(), key=lambda item: PHASES.index(item[0][0])):
        base = sums.get((phase, first))
        saved = 1 - s.generated / base.generated if base and base.generated and algorithm != first else None
        cutoffs = s.cutoffs / s.expanded if s.expanded else None
        per_search = (s.generated / s.searches, s.seconds / s.searches)
        rows.append((phase, algorithm, s.searches, *per_search, cutoffs, saved))
    columns = (
        *(Column("phase"), Column("algorithm"), Column("searches", "count")),
        *(Column("generated per search", "ratio"), Column("ms per search", "millis")),
        *(Column("cutoffs", "percent"), Column("reduction", "percent")),
    )
    note = (
        "The opening is while less than a third of the cells is filled, the end when two thirds or more are. "
        f"Reduction: generated positions saved against {first}."
    )
    return Table(f"Game phases, depth {depth}", columns, rows, note)


def grid_tables(found: list[StoredSearches]) -> list[Table]:
    """The grids as tables."""
    tables = []
    for grid in grids(found):
        rows: list[tuple[Cell, ...]] = [
            (low, *map(ratio_text, cells)) for low, cells in zip(grid.rows, grid.cells, strict=True)
        ]
        shown = [f"{grid.across} {value}" for value in grid.columns]
        columns = (Column(grid.down, "count"), *(Column(name) for name in shown))
        tables.append(Table(grid.title, columns, rows, f"Evaluations by {grid.first} / by {grid.other} = ratio."))
    return tables


def ratio_text(both: tuple[int, int] | None) -> Cell:
    if both is None:
        return None
    base, other = both
    return f"{base:,} / {other:,} = {base / other:,.1f}"


def agreement_table(found: list[StoredSearches]) -> Table:
    """Whether all algorithms found the same value and move everywhere: where they did not, what they said."""
    positions, wrong = disagreements(found)
    columns = (
        *(Column(name) for name in ("board", "evaluator", "position")),
        Column("depth", "count"),
        *(Column("algorithm"), Column("move"), Column("value", "score")),
        *(Column("other algorithm"), Column("other move"), Column("other value", "score")),
    )
    if wrong:
        note = f"{len(wrong):,} answers differ. One of the algorithms is wrong, or the evaluator is not a function."
        return Table("Agreement", columns, wrong[:MOST_LISTED], note)
    note = "Every algorithm found the same value and the same move everywhere."
    if len({_order(one) for one in found}) > 1:
        note += (
            " Of equally good moves each takes the first in its own order, so that two orders may choose two moves of "
            "one value."
        )
    names = ("positions", "algorithms", "answers that differ")
    counts = (positions, len({algorithm_of(one) for one in found}), 0)
    return Table("Agreement", tuple(Column(name, "count") for name in names), [counts], note)


def _order(one: StoredSearches) -> str:
    return "left" if one.player.settings.order == "left" else "centre"


def answers_table(found: list[StoredSearches]) -> list[Table]:
    """What the first algorithm says of each position, at each depth; nothing for whole games."""
    first = algorithm_of(found[0])
    single = [one for one in found if len(one.moves) == 1 and algorithm_of(one) == first]
    varied = {name: of for name, of in DIMENSIONS.items() if len({of(one) for one in found}) > 1}
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
    with_chance = found[0].player.settings.algorithm in WITH_CHANCE
    note = "A value is an average over where discs may land." if with_chance else ""
    return [Table("Answers", columns, rows, note)] if rows else []


# ── all of it ────────────────────────────────────────────────────────────────────────────────────


def part_tables(found: list[StoredSearches]) -> list[Table]:
    """The tables of one part of a study, without that of every search."""
    several = len({algorithm_of(one) for one in found}) > 1
    return [
        *cost_tables(found),
        *([reduction_table(found)] if several else []),
        *(grid_tables(found) if several else []),
        branching_table(found),
        phase_table(found),
        *([agreement_table(found)] if several else []),
        *answers_table(found),
    ]


def study_tables(results: StudyResults) -> list[Table]:
    """Every table of a study but that of the searches, in the order of the report."""
    return [*_of_parts(results, part_tables), *fault_tables(results), provenance_table(results)]


def every_search(results: StudyResults) -> list[Table]:
    """What each algorithm took on each position, for the report."""
    return _of_parts(results, searches_tables)


def _of_parts(results: StudyResults, tables: Callable[[list[StoredSearches]], list[Table]]) -> list[Table]:
    """The tables of every part of a study, with its title before theirs."""
    made: list[Table] = []
    for title, found in results.parts.items():
        found = [one for one in found if one.moves]
        prefix = f"{title}: " if title else ""
        made += [replace(table, title=prefix + table.title) for table in (tables(found) if found else ())]
    return made


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
    rows = made_on(results.run, ("searches", done), ("boards", "; ".join(boards)), evaluators, results.superseded)
    return Table("How it was made", (Column("what"), Column("value")), rows)
