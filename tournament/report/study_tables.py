"""The tables of a study: pure functions from stored searches. Nothing here prints or reads a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tournament.engine.algorithms import WITH_CHANCE
from tournament.engine.settings import ENTRY_BYTES
from tournament.engine.values import shown_score
from tournament.evidence.intervals import branching_factor
from tournament.games.connect4 import WORD, column_digit
from tournament.report.agreement import Answer
from tournament.report.positions import CURVES, PositionSearch, Where
from tournament.report.projection import LIMITS, MOST_SHOWN, Practical
from tournament.report.study import StudyPart, StudyResults, Summed, memory_of
from tournament.report.summary import on_differences, on_what_agrees
from tournament.report.sums import Sums, algorithm_of, depth_of
from tournament.report.table import Cell, Column, Figure, Kind, Name, Table
from tournament.report.tables import made_on
from tournament.store import StoredPlayer, StoredSearches

MOST_LISTED = 1000  # rows of one table; results.json and searches.csv have more


def study_tables(results: StudyResults) -> list[Table]:
    """Every table of a study but that of the searches, in the order of the report."""
    return [
        *beside_tables(results),
        *_of_parts(results, part_tables),
        *fault_tables(results),
        provenance_table(results),
    ]


def every_search(results: StudyResults) -> list[Table]:
    """What each algorithm took on each position, for the report."""
    return _of_parts(results, searches_tables)


def beside_tables(results: StudyResults) -> list[Table]:
    """Searches without chance beside those with it; nothing where a study has not both."""
    rows: list[tuple[Cell, ...]] = []
    for part in results.beside:
        savings = {(one.depth, one.algorithm): one for one in part.savings}
        within = {one.algorithm: one for one in part.practical if one.seconds == PRACTICAL_SECONDS}
        for one in part.growth:
            saving = savings.get((one.depth, one.algorithm))
            gains = (saving.share, saving.speed_up, saving.time_share) if saving is not None else (None, None, None)
            chance = "with" if part.drifts else "without"
            depth = _depth_text(within[one.algorithm])
            rows.append((chance, part.title, one.depth, _named(one.algorithm), one.nodes, one.seconds, *gains, depth))
    rows.sort(key=lambda row: row[2])  # type: ignore[arg-type, return-value]
    columns = (
        *(Column("chance"), Column("study"), Column("depth", "count"), Column("algorithm")),
        *(Column("nodes per search", "ratio"), Column("ms per search", "millis"), Column("reduction", "percent")),
        *(Column("speed-up", "ratio"), Column("time saved", "percent")),
        Column(f"practical depth, {PRACTICAL_SECONDS:g} s a move"),
    )
    note = (
        "Each study against its own first algorithm. ~: projected. Where discs drift, a choice is followed by up to "
        "three outcomes, and only what no outcome can change may be pruned."
    )
    return [Table("Without chance and with chance", columns, rows, note)] if rows else []


PRACTICAL_SECONDS = 1.0


def part_tables(part: StudyPart) -> list[Table]:
    """The tables of one part of a study, without that of every search."""
    several = len(part.algorithms) > 1
    return [
        *board_by_board(part, cost_by_depth),
        *(grid_tables(part) if several else []),
        *width_tables(part),
        branching_table(part),
        *board_by_board(part, lambda own: [phase_table(own)]),
        *([agreement_table(part), *moves_tables(part)] if several else []),
        *answers_table(part),
    ]


def cost_by_depth(part: StudyPart) -> list[Table]:
    """What searches on one board took, by depth, and what deeper ones would take."""
    several = len(part.algorithms) > 1
    return [
        *([summary_table(part)] if several else []),
        *cost_tables(part),
        *([reduction_table(part)] if several else []),
        pruned_table(part),
        growth_table(part),
        *projection_tables(part),
        practical_table(part),
        *drawn_tables(part),
    ]


def board_by_board(part: StudyPart, tables: Callable[[StudyPart], list[Table]]) -> list[Table]:
    """Tables of one board; of several boards one below the other, since no sum over boards says anything of any."""
    if not part.boards:
        return tables(part)
    joined: dict[str, Table] = {}
    for board, own in part.boards.items():
        for table in tables(own):
            empty = replace(table, columns=(Column("board"), *table.columns), rows=[])
            joined.setdefault(table.title, empty).rows.extend((board, *row) for row in table.rows)
    return list(joined.values())


def _of_parts(results: StudyResults, tables: Callable[[StudyPart], list[Table]]) -> list[Table]:
    """The tables of every part of a study, with its title before theirs."""
    made: list[Table] = []
    for part in results.parts:
        prefix = f"{part.title}: " if part.title else ""
        told = [_on_timing(table) for table in tables(part)] if _has_threads(part) else tables(part)
        made += [replace(table, title=prefix + table.title) for table in told]
    return made


ON_TIMING = "What several threads have searched depends on timing: counts of theirs differ from run to run."


def _has_threads(part: StudyPart) -> bool:
    return any(settings.threads > 1 for settings in part.settings.values())


def _on_timing(table: Table) -> Table:
    """The same, which says so where it has counts of several threads."""
    shown = [column.name for column in table.columns]
    shown += [cell.text for row in table.rows for cell in row if isinstance(cell, Name)]
    if not any("threads " in text for text in shown):
        return table
    return replace(table, note=f"{table.note} {ON_TIMING}".strip())


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
        nodes = sums.generated / sums.searches
        settings = part.settings[algorithm]
        held = memory_of(sums, settings)
        threads = settings.threads  # each with all of it
        table = threads * (ENTRY_BYTES << settings.table) if settings.table else None
        stack = None if sums.stack is None else threads * sums.stack * (sums.deepest + 1)
        state = None if sums.state is None else threads * sums.state
        space.append(
            (
                *(depth, _named(algorithm), sums.searches, sums.deepest, sums.memory or None),
                *(sums.stack, stack, state, table, held, held / nodes if held and nodes else None),
            )
        )
    return [
        Table("Cost", (*who, *COUNTED), cost, "Short searches are timed three times, and the best time counts."),
        Table(
            "Space",
            (
                *(*who, Column("searches", "count"), *REACHED),
                *(Column(name, "bytes") for name in ("a level", "all levels", "state", "table", "memory")),
                Column("bytes a node", "ratio"),
            ),
            space,
            "Memory does not grow with nodes: a search holds a frame of the stack for the root and for each "
            "level down to the "
            "deepest, a state that all levels share, and its table; the tree itself is never kept. Memory is "
            "their sum, "
            "and bytes a node that divided by the positions generated per search, which falls as trees grow. The frame "
            "was measured. Peak memory is the most that the process grew during a search; a dash: not at all, since "
            "what it needs was there before.",
        ),
    ]


DIMENSIONS: dict[str, Callable[[StoredSearches], str]] = {
    "board": lambda one: one.rules.described,
    "evaluator": lambda one: one.player.name,
    "position": lambda one: one.place,
}


FIELDS = {"board": "board", "evaluator": "evaluator", "position": "place"}  # of `Where`


def _column(chosen: int | None) -> str | None:
    return None if chosen is None else column_digit(chosen)


def _varied(part: StudyPart) -> dict[str, Callable[[StoredSearches], str]]:
    """The dimensions that differ within a part."""
    return {name: of for name, of in DIMENSIONS.items() if len({of(one) for one in part.searches}) > 1}


def searches_tables(part: StudyPart) -> list[Table]:
    """What each algorithm took on each position; nothing where there is only one."""
    varied = _varied(part)
    if not varied:
        return []
    columns = (
        *(Column(name) for name in varied),
        *(Column("depth", "count"), Column("algorithm"), *COUNTED, *REACHED),
        *(Column("best move"), Column("score", "score"), Column("left untried", "count")),
        *(Column("not in the tree", "count"), Column("nodes saved", "percent"), Column("time saved", "percent")),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *(getattr(one.where, FIELDS[name]) for name in varied),
            *(one.where.depth, _named(one.algorithm), *_counted(one.sums), one.sums.deepest, one.sums.memory or None),
            *(_column(one.chosen), one.score, one.sums.untried, one.missing, one.nodes_saved, one.time_saved),
        )
        for one in part.positions
    ]
    return [Table("Searches", columns, rows[:MOST_LISTED], f"{_more(rows)}{NOTES['searches']}")]


def _more(rows: list[tuple[Cell, ...]]) -> str:
    """What a table of the first of many rows says of the others."""
    more = len(rows) - MOST_LISTED
    return f"{more:,} more are in searches.csv. " if more > 0 else ""


def reduction_table(part: StudyPart) -> Table:
    """What each algorithm saves against the first."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(saving.depth, _named(saving.algorithm), saving.fewer_generated, saving.fewer_evaluated),
            *(saving.share, saving.speed_up, saving.time_share),
        )
        for saving in part.savings
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm")),
        *(Column("times fewer generated", "ratio"), Column("times fewer evaluated", "ratio")),
        *(Column("reduction", "percent"), Column("speed-up", "ratio"), Column("time saved", "percent")),
    )
    note = (
        f"Against {part.first}. Reduction: the share of its generated positions that is saved; time saved: of its "
        "seconds. "
        "What is negative was taken in addition. Only depths at which both have searched the same."
    )
    return Table(f"What is saved against {part.first}", columns, rows, note)


Of = Callable[[Summed], float | None]


def summary_table(part: StudyPart) -> Table:
    """One table of all: what a search takes on average, metric by metric."""
    by_name = {one.algorithm: one for one in part.summary}
    rows: list[tuple[Cell, ...]] = []

    def add(metric: str, kind: Kind, value: Of, gain: Of) -> None:
        for name, one in by_name.items():
            rows.append((metric, _named(name), Figure(value(one), kind), gain(one)))

    add("time (ms)", "millis", lambda one: one.seconds, lambda one: one.time_saved)
    add("nodes", "ratio", lambda one: one.nodes, lambda one: one.nodes_saved)
    add("pruning rate", "percent", lambda one: one.rate, lambda one: None)
    add("agreement of moves", "percent", lambda one: one.agreement, lambda one: None)
    add("memory", "bytes", lambda one: one.memory, lambda one: _memory_saved(one, by_name.get(part.first)))
    columns = (
        Column("metric"),
        Column("algorithm"),
        Column("mean per search", "ratio"),
        Column("improvement", "percent"),
    )
    note = (
        f"Means per search, over all positions and depths that {part.first} has searched too; improvement is what "
        "is saved "
        "against it. Pruning rate: legal moves of expanded positions that were left untried; of a dash see Branches "
        f"pruned. Agreement: positions, in games each in turn, on which move and value are those of {part.first}."
    )
    return Table("Summary", columns, rows, note)


def _memory_saved(one: Summed, first: Summed | None) -> float | None:
    if first is None or one is first or not first.memory or one.memory is None:
        return None
    return 1 - one.memory / first.memory


def pruned_table(part: StudyPart) -> Table:
    """What was made and what was not, in two figures with two names."""
    rows: list[tuple[Cell, ...]] = [
        (one.depth, _named(one.algorithm), one.generated, one.untried, one.rate, one.missing, one.share)
        for one in part.pruned
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm"), Column("generated", "count"), Column("left untried", "count")),
        *(Column("of their moves", "percent"), Column("not in the tree", "count"), Column("of the tree", "percent")),
    )
    return Table("Branches pruned", columns, rows, NOTES["pruned"])


NOTES = {
    "searches": "Of a dash in `not in the tree` see Branches pruned.",
    "pruned": (
        "Left untried: legal moves of expanded positions that were never played; a position that is expanded "
        "again counts "
        "again, one that a table knew is not expanded, and where discs drift a move is the choice of a column. "
        "Of their moves: a dash where discs drift, and of scouts, who make a move twice. "
        "Not in the tree: positions of the tree without pruning, to the same depth, that were "
        "never made; "
        "what lies below a position that a table knew is among them, and where discs drift each outcome is a "
        "position. A "
        "dash: nothing was searched without pruning, or the search comes back to positions (scouts, probes, depth by "
        "depth), so that a difference would mean nothing."
    ),
}


def growth_table(part: StudyPart) -> Table:
    """How many times more a search takes than one that is a ply or two shallower."""
    rows: list[tuple[Cell, ...]] = [
        (one.depth, _named(one.algorithm), one.nodes, one.nodes_factor, one.two_plies, one.seconds, one.time_factor)
        for one in part.growth
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm"), Column("nodes per search", "ratio")),
        *(Column("× depth before", "ratio"), Column("× two before", "ratio")),
        *(Column("ms per search", "millis"), Column("time × depth before", "ratio")),
    )
    return Table(
        "Growth from depth to depth", columns, rows, "Odd and even depths differ: two plies are what grows evenly."
    )


def projection_tables(part: StudyPart) -> list[Table]:
    """What deeper searches would take; nothing where too few depths were searched."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(one.depth, _named(one.algorithm), one.nodes),
            *(one.interval if one.interval is not None else (None, None)),
            *(one.seconds, one.speed_up),
        )
        for one in part.projections
        if one.depth <= part.greatest_depth + MOST_SHOWN
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm"), Column("nodes per search, projected", "ratio")),
        *(Column("from", "ratio"), Column("to", "ratio")),
        *(Column("seconds per search, projected", "precise"), Column("speed-up, projected", "ratio")),
    )
    note = (
        "None of this was searched. Nodes grow as they did over the last two plies, and take as long as at the "
        "greatest depth. The interval is from the value / 2.1 to the value × 1.9; on the standard board, without "
        "chance, it held depths 5 to 7 (minimax: 5 and 6) on at least 90 of 100 random positions, with four evaluators "
        "and six searches that the guide on studies names; of others, and of further depths, it is not known. The "
        "speed-up is "
        f"over {part.first}, as measured or as projected."
    )
    return [Table("Projection to deeper searches", columns, rows, note)] if rows else []


def practical_table(part: StudyPart) -> Table:
    """How deep each algorithm gets within a time."""
    by_name: dict[str, list[Practical]] = {}
    for one in part.practical:
        by_name.setdefault(one.algorithm, []).append(one)
    rows: list[tuple[Cell, ...]] = [(_named(name), *map(_depth_text, each)) for name, each in by_name.items()]
    columns = (Column("algorithm"), *(Column(f"{limit:g} s a move") for limit in LIMITS))
    note = (
        "The deepest search that fits, on average over the positions. ~: projected; ≥: the game ends there, or nothing "
        "deeper can be projected."
    )
    return Table("Practical depth", columns, rows, note)


def _depth_text(one: Practical) -> str | None:
    if one.depth is None:
        return None
    return f"{'≥ ' if one.at_least else ''}{'~' if one.is_projected else ''}{one.depth}"


def drawn_tables(part: StudyPart) -> list[Table]:
    """Mean and spread of random move orders; nothing where none has several seeds."""
    rows: list[tuple[Cell, ...]] = [
        (one.depth, _named(one.algorithm), one.seeds, one.mean, one.spread, one.least, one.most) for one in part.drawn
    ]
    columns = (
        *(Column("depth", "count"), Column("algorithm"), Column("seeds", "count"), Column("mean nodes", "ratio")),
        *(Column("standard deviation", "ratio"), Column("least", "ratio"), Column("most", "ratio")),
    )
    note = "Positions generated per search, by seed. In all other tables a random order is the mean over its seeds."
    return [Table("Random move order", columns, rows, note)] if rows else []


def branching_table(part: StudyPart) -> Table:
    """The effective branching factor, with the curves of theory beside what was measured."""
    several = len(part.boards) > 1
    rows: list[tuple[Cell, ...]] = []
    for board, own in (part.boards or {"": part}).items():
        b = own.branching
        for (depth, algorithm), s in own.sums.items():
            measured: tuple[Cell, Cell] = (None, None)
            if s.searches:
                per_search = s.generated / s.searches
                measured = (per_search, branching_factor(per_search, depth))
            curves = (b ** (share * depth) for _, share in CURVES)
            rows.append((*((board, b) if several else ()), depth, _named(algorithm), *measured, *curves))
    columns = (
        *((Column("board"), Column("b", "ratio")) if several else ()),
        *(Column("depth", "count"), Column("algorithm"), Column("generated per search", "ratio")),
        *(Column("EBF", "ratio"), *(Column(name, "ratio") for name, _ in CURVES)),
    )
    known = "b is" if several else f"b = {part.branching:.2f},"
    unknown = "the number of columns, since nothing was searched without pruning"
    of = "the positions generated from one that is expanded without pruning" if part.measures_branching else unknown
    note = (
        f"{known} {of}. b^d is what minimax looks at "
        "in theory, b^(d/2) what alpha-beta does when it always tries the best move first, and b^(3d/4) when the "
        "order of "
        "moves is left to chance. EBF, the effective "
        "branching factor, is the b for which b + b² + … + b^depth = generated."
    )
    return Table("Branching", columns, rows, note)


def phase_table(part: StudyPart) -> Table:
    """What the algorithms took in the opening, the middle and the end of the game, at every depth."""
    rows: list[tuple[Cell, ...]] = []
    for one in part.phases:
        s = one.sums
        nodes, seconds = s.means
        cutoffs = s.cutoffs / s.expanded if s.expanded else None
        took = (nodes, seconds, cutoffs, one.rate, one.share)
        rows.append((one.depth, one.phase, _named(one.algorithm), s.searches, one.valid_moves, *took))
    columns = (
        *(Column("depth", "count"), Column("phase"), Column("algorithm"), Column("searches", "count")),
        *(Column("valid moves", "ratio"), Column("generated per search", "ratio"), Column("ms per search", "millis")),
        *(Column("cutoffs", "percent"), Column("left untried", "percent"), Column("reduction", "percent")),
    )
    note = (
        "The opening is while less than a third of the cells is filled, the end when two thirds or more are. "
        "Valid moves: on "
        "average, where a search begins. Cutoffs: of expanded positions. Left untried: of their moves. "
        "Reduction: generated "
        f"positions saved against {part.first}."
    )
    return Table("Game phases", columns, rows, note)


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


def width_tables(part: StudyPart) -> list[Table]:
    """Run time against the width of the board, by depth; nothing where there is one width."""
    rows: list[tuple[Cell, ...]] = [
        (one.connect, one.size, one.columns, one.depth, _named(one.algorithm), one.nodes, one.seconds, *one.curves)
        for one in part.widths
    ]
    columns = (
        *(
            Column("N", "count"),
            Column("size"),
            Column("width", "count"),
            Column("depth", "count"),
            Column("algorithm"),
        ),
        *(Column("nodes per search", "ratio"), Column("ms per search", "millis")),
        *(Column("w^d", "ratio"), Column("w^(d/2)", "ratio")),
    )
    note = (
        f"{_more(rows)}w is the width: w^d is what minimax looks at in theory, w^(d/2) what alpha-beta does at "
        "its best."
    )
    if len({one.rules.bits > WORD for one in part.searches}) > 1:
        note += f" Boards of more than {WORD} bits, (rows + 1) × columns, are kept in two words: a node takes longer."
    return [Table("Run time against board width", columns, rows[:MOST_LISTED], note)] if rows else []


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


def moves_tables(part: StudyPart) -> list[Table]:
    """Each algorithm's move and score on each position; nothing for whole games."""
    found = [one for one in part.positions if one.chosen is not None]
    by_place: dict[Where, dict[str, PositionSearch]] = {}
    for one in found:
        by_place.setdefault(one.where, {})[one.algorithm] = one
    varied = _varied(part)
    rows: list[tuple[Cell, ...]] = [
        (
            *(getattr(where, FIELDS[name]) for name in varied),
            where.depth,
            *(_move_text(each.get(name)) for name in part.algorithms),
        )
        for where, each in by_place.items()
    ]
    columns = (
        *(Column(name) for name in varied),
        Column("depth", "count"),
        *(Column(name) for name in part.algorithms),
    )
    note = f"{_more(rows)}Move and score; = where both are those of {part.first}."
    return [Table("Moves", columns, rows[:MOST_LISTED], note)] if rows else []


def _move_text(one: PositionSearch | None) -> str | None:
    if one is None or one.score is None:
        return None
    equal = " =" if one.is_equal else " ≠" if one.is_equal is False else ""
    return f"{_column(one.chosen)} ({shown_score(one.score)}){equal}"


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
