"""What the tables of a study say, on searches made by hand."""

import io
from csv import DictReader
from dataclasses import replace
from typing import Any

import pytest
from folders import GOLDEN
from tables import records

from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Rules
from tournament.report.formats import csv
from tournament.report.formats.markdown import markdown
from tournament.report.study import Disagreement, StudyResults, check_agreement, part_of, phase_of, study_results_of
from tournament.report.study_tables import (
    agreement_table,
    answers_table,
    branching_table,
    cost_tables,
    every_search,
    fault_tables,
    grid_tables,
    growth_table,
    part_tables,
    phase_table,
    provenance_table,
    reduction_table,
    searches_tables,
    study_tables,
    summary_table,
    width_tables,
)
from tournament.report.summary import study_summary
from tournament.report.sums import mean_branching
from tournament.report.table import Table
from tournament.store import StoredMove, StoredPlayer, StoredRun, StoredSearches

# ── searches made by hand ────────────────────────────────────────────────────────────────────────

RUN = StoredRun(
    number=1,
    started="2026-01-02 03:04:05+00:00",
    ended="2026-01-02 03:04:06+00:00",
    title="Made by hand",
    config="study: …",
    config_file="configs/hand.yaml",
    command="tourney run configs/hand.yaml",
    seed=1,
    rules=STANDARD,
    jobs=2,
    versions={"Python": "3.11.0", "tourney": "0.1.0"},
    machine="an abacus, 2 cores, Linux",
    seats=None,
)


def move(ply: int = 0, chosen: int = 3, score: float = 0.0, generated: int = 7, **more: Any) -> StoredMove:
    """One search: unless told otherwise, it expands a seventh of what it generates and evaluates the rest."""
    told = {
        **{"landed": chosen, "depth": 1, "expanded": generated // 7, "evaluated": generated - generated // 7},
        **{"cutoffs": 0, "untried": 0, "seconds": 0.0, "cpu_seconds": 0.0},
        **{"deepest": 1, "memory": None, "stack": None, "state": None, "equals": None},
    }
    return StoredMove(ply=ply, chosen=chosen, score=score, generated=generated, **told | more)


def searches(algorithm: str | Settings, depth: int, *moves: StoredMove, **more: Any) -> StoredSearches:
    """What one player found: an algorithm's name and the depth, or all of its settings."""
    settings = Settings(depth, algorithm) if isinstance(algorithm, str) else algorithm
    name = more.pop("name", "windows")
    player = StoredPlayer(
        f"{name} {settings.non_defaults()}", name, settings, name, "", "0123456789abcdef" * 4, True, None
    )
    told = {"id": "", "part": "", "place": "start", "start": "empty", "rules": STANDARD, "fault": None, "played": ""}
    return StoredSearches(player=player, moves=list(moves), **told | more)


def results(*found: StoredSearches, planned: int | None = None, superseded: int = 0) -> StudyResults:
    return study_results_of(RUN, list(found), planned=len(found) if planned is None else planned, superseded=superseded)


CENTRE = Settings(2, "alphabeta", "centre")
KILLERS = Settings(2, "alphabeta", "killers")


def test_cost_and_space_are_summed_over_positions_by_depth_and_algorithm():
    took = {"expanded": 5, "evaluated": 30, "cutoffs": 2, "seconds": 0.25, "deepest": 2, "memory": 4096}
    found = [
        searches("minimax", 2, move(generated=56, **took | {"memory": 8192}), place="early"),
        searches("alphabeta", 2, move(generated=20, **took)),
        searches("minimax", 2, move(generated=44, **took | {"deepest": 1}), place="late"),
        searches("minimax", 3, move(generated=399), move(generated=1)),
    ]
    cost, space = cost_tables(part_of(found))
    assert [tuple(row.values()) for row in records(cost)] == [
        (2, "minimax", 100, 60, 4, 0.5),
        (2, "alphabeta", 20, 30, 2, 0.25),
        (3, "minimax", 400, 399 - 57 + 1, 0, 0.0),
    ]
    assert [column.name for column in cost.columns] == [
        *("depth", "algorithm", "generated", "evaluated", "cutoffs", "seconds")
    ]
    assert [tuple(row.values())[:5] for row in records(space)] == [
        (2, "minimax", 2, 2, 8192),
        (2, "alphabeta", 1, 2, 4096),
        (3, "minimax", 2, 1, None),
    ]


def test_memory_is_a_frame_a_level_with_the_root_the_state_and_the_table():
    took = {"deepest": 3, "stack": 100, "state": 5000, "memory": 0, "generated": 54}
    found = [searches("minimax", 3, move(**took)), searches(Settings(3, table=10), 3, move(**took))]
    plain, tabled = records(cost_tables(part_of(found))[1])
    assert (plain["all levels"], plain["memory"], plain["bytes a node"]) == (400, 5400, 100.0)
    assert (tabled["table"], tabled["memory"]) == (32 * 1024, 5400 + 32 * 1024)
    assert plain["peak memory"] is None, "no '0 kB'"
    assert plain["a level"] == 100


def test_what_is_saved_is_told_against_the_first_algorithm_with_its_sign():
    found = [
        searches("minimax", 2, move(generated=100, evaluated=90, seconds=1.0)),
        searches("alphabeta", 2, move(generated=25, evaluated=30, seconds=0.5)),
        searches("pvs", 2, move(generated=150, evaluated=180, seconds=4.0)),
        searches("alphabeta", 3, move(generated=1)),  # at a depth that the first has not searched
    ]
    table = reduction_table(part_of(found))
    assert table.title == "What is saved against minimax"
    assert records(table) == [
        {
            **{"depth": 2, "algorithm": "alphabeta", "times fewer generated": 4.0, "times fewer evaluated": 3.0},
            **{"reduction": 0.75, "speed-up": 2.0, "time saved": 0.5},
        },
        {
            **{"depth": 2, "algorithm": "pvs", "times fewer generated": pytest.approx(2 / 3)},
            **{"times fewer evaluated": 0.5, "reduction": -0.5, "speed-up": 0.25, "time saved": -3.0},
        },
    ]
    reversed_table = reduction_table(part_of(found[1::-1]))
    assert records(reversed_table)[0]["reduction"] == -3.0


def test_what_is_saved_is_left_open_where_nothing_can_be_divided():
    found = [searches("minimax", 1, move(evaluated=0)), searches("alphabeta", 1, move(generated=0, evaluated=0))]
    (row,) = records(reduction_table(part_of(found)))
    assert (row["times fewer generated"], row["times fewer evaluated"], row["reduction"]) == (None, None, 1.0)
    (row,) = records(reduction_table(part_of(found[::-1])))
    assert row["reduction"] is None


def test_the_branching_factor_is_measured_where_nothing_is_pruned():
    tabled = Settings(2, "minimax", table=10)
    found = [
        searches("minimax", 2, move(generated=42, expanded=7)),
        searches("alphabeta", 2, move(generated=20, expanded=10)),
        searches(tabled, 2, move(generated=20, expanded=10)),
        searches("minimax", 3, move(generated=258 - 42, expanded=36)),
    ]
    assert mean_branching(found) == 6.0
    table = branching_table(part_of(found))
    assert table.note.startswith("b = 6.00, the positions generated from one that is expanded without pruning.")
    told = {(row["depth"], row["algorithm"]): row for row in records(table)}
    assert (told[2, "alphabeta"]["b^d"], told[2, "alphabeta"]["b^(d/2)"]) == (36.0, 6.0)
    assert (told[3, "minimax"]["b^d"], told[3, "minimax"]["b^(d/2)"]) == (216.0, pytest.approx(6**1.5))
    assert told[2, "minimax"]["EBF"] == pytest.approx(6.0)  # 6 + 36 = 42
    assert told[2, "alphabeta"]["EBF"] == pytest.approx(4.0)  # 4 + 16 = 20


def test_with_chance_the_branching_counts_where_discs_land():
    found = [searches("expectiminimax", 1, move(generated=19, expanded=1)), searches("star1", 1, move(generated=9))]
    assert mean_branching(found) == 19.0


def test_without_an_unpruned_search_the_branching_is_the_number_of_columns():
    found = [searches("alphabeta", 2, move()), searches("pvs", 2, move(), rules=Rules(8, 9, 4))]
    assert mean_branching(found) == 8.0
    note = branching_table(part_of(found[:1])).note
    assert note.startswith("b = 7.00, the number of columns, since nothing was searched without pruning. b^d")


def test_the_branching_of_games_is_told_per_search():
    (row,) = records(branching_table(part_of([searches("minimax", 2, *[move(generated=56, expanded=8)] * 3)])))
    assert (row["generated per search"], row["EBF"]) == (56.0, pytest.approx(7.0))


@pytest.mark.parametrize(
    ("rules", "middle", "end"),
    [(STANDARD, 14, 28), (Rules(3, 3, 3), 3, 6), (Rules(4, 5, 4), 7, 14), (Rules(2, 2, 2), 2, 3)],
)
def test_the_phases_are_thirds_of_the_board(rules, middle, end):
    phases = [phase_of(discs, rules) for discs in range(rules.rows * rules.columns)]
    assert (phases.index("middle"), phases.index("end")) == (middle, end)
    assert phases == sorted(phases, key=("opening", "middle", "end").index)
    assert phase_of(rules.rows * rules.columns, rules) == "end"


def test_phases_are_told_at_every_depth_against_the_first_algorithm():
    board = Rules(3, 3, 3)
    plies = (0, 2, 3, 8)
    sizes = {"minimax": (100, 60, 40, 10), "alphabeta": (30, 10, 10, 10)}
    found = [
        searches(
            name,
            3,
            *(
                move(ply, place % 3, generated=size, expanded=10, cutoffs=4, seconds=size / 1000, untried=size)
                for place, (ply, size) in enumerate(zip(plies, generated, strict=True))
            ),
            rules=board,
        )
        for name, generated in sizes.items()
    ]
    table = phase_table(part_of([*found, searches("minimax", 2, move(0, 1, generated=9999), rules=board)]))
    assert table.title == "Game phases"
    shallow, *deep = records(table)
    assert (shallow["depth"], shallow["phase"], shallow["valid moves"]) == (2, "opening", 3)
    told = {(row["phase"], row["algorithm"]): row for row in deep}
    assert [row["phase"] for row in deep] == ["opening", "opening", "middle", "middle", "end", "end"]
    opening = told["opening", "alphabeta"]
    assert (opening["searches"], opening["generated per search"], opening["cutoffs"]) == (2, 20.0, 0.4)
    assert opening["ms per search"] == pytest.approx(0.02)
    assert opening["reduction"] == 0.75
    assert opening["left untried"] == 0.5
    assert told["opening", "minimax"]["reduction"] is None
    assert told["middle", "alphabeta"]["reduction"] == 0.75
    assert told["end", "alphabeta"]["reduction"] == 0.0


# ── grids ────────────────────────────────────────────────────────────────────────────────────────

BOARDS = ((4, 5), (6, 7))


def grid(algorithms: tuple[str, ...] = ("minimax", "alphabeta"), boards: Any = BOARDS) -> list[StoredSearches]:
    """Evaluations that say where they stand: N, rows and depth as digits, for the first; 10 for the others."""
    return [
        searches(
            name,
            depth,
            move(evaluated=int(f"{n}{rows}{depth}") if name == algorithms[0] else 10),
            rules=Rules(rows, columns, n),
        )
        for rows, columns in boards
        for n in (3, 4)
        for depth in (5, 6)
        for name in algorithms
    ]


def told_in(table: Table) -> list[list[Any]]:
    """The rows of a grid: what stands before, then the evaluations of the first algorithm."""
    return [[row[0], *(cell and int(cell.split(" / ")[0].replace(",", "")) for cell in row[1:])] for row in table.rows]


def test_the_three_grids_have_the_right_cells_and_keep_the_third_at_its_end():
    by_size, by_depth, both = grid_tables(part_of(grid()))
    assert by_size.title == "N × size, depth 6: minimax against alphabeta"
    assert told_in(by_size) == [[3, 346, 366], [4, 446, 466]]
    assert by_depth.title == "N × depth, size 6×7: minimax against alphabeta"
    assert told_in(by_depth) == [[3, 365, 366], [4, 465, 466]]
    assert both.title == "depth × size, N 3: minimax against alphabeta"
    assert told_in(both) == [[5, 345, 365], [6, 346, 366]]
    assert [column.name for column in both.columns] == ["depth", "size 4×5", "size 6×7"]
    assert by_size.rows[1][2] == "466 / 10 = 46.6"
    assert by_size.note == "Evaluations by minimax / by alphabeta = ratio."


def test_the_size_that_is_kept_is_the_largest_however_the_boards_are_listed():
    _, by_depth, _ = grid_tables(part_of(grid(boards=BOARDS[::-1])))
    assert by_depth.title == "N × depth, size 6×7: minimax against alphabeta"
    assert told_in(by_depth) == [[3, 365, 366], [4, 465, 466]]


def test_each_further_algorithm_has_grids_of_its_own():
    titles = [table.title for table in grid_tables(part_of(grid(("minimax", "alphabeta", "pvs"))))]
    assert len(titles) == 6
    assert titles[:2] == ["N × size, depth 6: minimax against alphabeta", "N × size, depth 6: minimax against pvs"]


def test_boards_that_differ_in_more_than_size_are_not_summed():
    most_lines = [one._replace(rules=replace(one.rules, objective="most-lines")) for one in grid(boards=BOARDS[:1])]
    found = [*grid(), *most_lines]
    by_size = grid_tables(part_of(found))[0]
    assert [column.name for column in by_size.columns] == ["N", "size 4×5", "size 6×7", "size 4×5, most lines win"]
    assert told_in(by_size)[0] == [3, 346, 366, 346]
    assert {one.size for one in part_of(found).widths} == {"4×5", "6×7", "4×5, most lines win"}


def test_run_time_against_width_says_where_a_board_takes_two_words():
    (small,), (both,) = (width_tables(part_of(grid(boards=boards))) for boards in (BOARDS, (*BOARDS, (8, 9))))
    assert small.note.endswith("at its best.")
    assert both.note.endswith(
        "Boards of more than 64 bits, (rows + 1) × columns, are kept in two words: a node takes longer."
    )


def test_a_grid_of_one_row_or_column_is_not_shown():
    def titles(found: list[StoredSearches]) -> list[str]:
        return [table.title.split(":")[0] for table in grid_tables(part_of(found))]

    assert titles([one for one in grid() if one.rules.connect == 3]) == ["depth × size"]
    assert titles([one for one in grid() if one.rules.rows == 6]) == ["N × depth"]
    assert titles([one for one in grid() if one.player.settings.depth == 5]) == ["N × size"]
    assert titles([searches("minimax", 2, move()), searches("alphabeta", 2, move())]) == []


def test_a_cell_that_was_not_searched_is_left_open():
    found = [one for one in grid() if (one.rules.connect, one.rules.rows) != (4, 6)]
    by_size, by_depth, both = grid_tables(part_of(found))
    assert told_in(by_size) == [[3, 346, 366], [4, 446, None]]
    assert told_in(by_depth) == [[3, 365, 366], [4, None, None]]
    assert None not in told_in(both)[0]


def test_a_grid_sums_over_positions_and_whole_games():
    twice = [one._replace(place=place, moves=one.moves * 2) for one in grid() for place in ("a", "b")]
    assert told_in(grid_tables(part_of(twice))[0])[0] == [3, 4 * 346, 4 * 366]


# ── agreement ────────────────────────────────────────────────────────────────────────────────────


def differ(*found: StoredSearches) -> list[dict[str, Any]]:
    """What the table lists; and whether the check raises must be the same question."""
    table = agreement_table(part_of(list(found)))
    names = [column.name for column in table.columns]
    if "answers that differ" in names:
        check_agreement(results(*found))
        assert "Every algorithm found the same value" in table.note
        return []
    with pytest.raises(Disagreement):
        check_agreement(results(*found))
    assert table.note.startswith(f"{len(table.rows):,} answer")
    return records(table)


def test_the_same_values_and_moves_agree():
    assert differ(searches("minimax", 2, move()), searches("alphabeta", 2, move())) == []
    table = agreement_table(
        part_of([searches("minimax", 2, move()), searches("alphabeta", 2, move()), searches("pvs", 3, move())])
    )
    assert records(table) == [{"positions": 1, "algorithms": 3, "answers that differ": 0}]


def test_another_value_is_listed_with_what_both_said():
    found = searches("minimax", 2, move(score=1.5)), searches("alphabeta", 2, move(score=1.25))
    assert differ(*found) == [
        {
            **{"board": "6×7, connect 4", "evaluator": "windows", "position": "start", "depth": 2},
            **{"algorithm": "minimax", "move": "4", "value": 1.5},
            **{"other algorithm": "alphabeta", "other move": "4", "other value": 1.25},
        }
    ]
    with pytest.raises(Disagreement) as raised:
        check_agreement(results(*found))
    assert str(raised.value) == (
        "the algorithms disagree on 1 answer, first on 6×7, connect 4, windows, start, depth 2: minimax says column "
        "4, value 1.5, and alphabeta says column 4, value 1.25. The table Agreement has all of them."
    )


def test_values_must_be_equal_to_the_last_bit():
    assert len(differ(searches("minimax", 2, move(score=0.3)), searches("pvs", 2, move(score=0.1 + 0.2)))) == 1


def test_another_value_counts_in_any_order_of_moves_even_where_the_move_is_the_same():
    found = searches("minimax", 2, move(score=1, equals="4")), searches(CENTRE, 2, move(score=2))
    assert len(differ(*found)) == 1


def test_within_one_order_the_move_must_be_the_same():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert len(differ(minimax, searches("alphabeta", 2, move(chosen=3)))) == 1
    assert len(differ(searches(CENTRE, 2, move(chosen=3)), searches(KILLERS, 2, move(chosen=0)))) == 1, (
        "killers break ties as centre does"
    )


def test_between_orders_a_move_of_the_same_value_will_do():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert differ(minimax, searches(CENTRE, 2, move(chosen=3))) == []
    note = agreement_table(part_of([minimax, searches(CENTRE, 2, move(chosen=3))])).note
    assert note.endswith("Of equally good moves each takes the first in its own order.")
    assert differ(searches("alphabeta", 2, move(chosen=0)), searches(CENTRE, 2, move(chosen=3))) == [], "nobody knows"


def test_between_orders_a_move_that_is_known_to_be_worse_will_not_do():
    knows = searches("minimax", 2, move(chosen=0, equals="12"))
    assert len(differ(knows, searches(CENTRE, 2, move(chosen=3)))) == 1
    assert len(differ(searches(CENTRE, 2, move(chosen=3)), knows)) == 1, "whoever comes first"
    centre = searches(Settings(2, "minimax", "centre"), 2, move(chosen=3, equals="45"))
    assert len(differ(searches("alphabeta", 2, move(chosen=0)), centre)) == 1


def test_what_an_unpruned_search_knows_counts_wherever_it_stands():
    found = [
        searches("alphabeta", 2, move(chosen=0)),
        searches(CENTRE, 2, move(chosen=3)),
        searches("minimax", 2, move(chosen=0, equals="1")),
    ]
    assert len(differ(*found)) == 1


def test_two_that_each_agree_with_the_first_must_agree_with_each_other():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert len(differ(minimax, searches(CENTRE, 2, move(chosen=3)), searches(KILLERS, 2, move(chosen=0)))) == 1


@pytest.mark.parametrize(
    "other",
    [
        searches("alphabeta", 3, move(score=9)),
        searches("alphabeta", 2, move(score=9), place="elsewhere"),
        searches("alphabeta", 2, move(score=9), name="runs"),
        searches("alphabeta", 2, move(score=9), rules=Rules(6, 7, 5)),
        searches("alphabeta", 2, move(score=9), rules=Rules(objective="most-lines")),
    ],
    ids=["depth", "position", "evaluator", "connect", "objective"],
)
def test_only_searches_of_the_same_thing_are_held_against_each_other(other):
    assert differ(searches("minimax", 2, move()), other) == []


def test_games_are_compared_move_by_move():
    game = [move(ply, score=ply) for ply in range(5)]
    wrong = [*game[:3], move(3, score=-1.0), game[4]]
    (row,) = differ(searches("minimax", 2, *game), searches("alphabeta", 2, *wrong))
    assert (row["position"], row["value"], row["other value"]) == ("start, move 4", 3, -1.0)


def test_parts_are_checked_each_for_itself_and_named():
    apart = [searches("minimax", 2, move(), part="One"), searches("alphabeta", 2, move(score=9), part="Two")]
    check_agreement(results(*apart))
    with pytest.raises(Disagreement, match=r"^Two: the algorithms disagree on 1 answer"):
        check_agreement(results(*apart, searches("pvs", 2, move(), part="Two")))


def test_every_answer_that_differs_is_counted():
    wrong = [
        searches(name, depth, move(score=index))
        for depth in (2, 3)
        for index, name in enumerate(("minimax", "pvs", "alphabeta"))
    ]
    assert len(differ(*wrong)) == 4
    with pytest.raises(Disagreement, match="disagree on 4 answers"):
        check_agreement(results(*wrong))


# ── answers, every search, faults, and how it was made ───────────────────────────────────────────


def test_answers_are_those_of_the_first_algorithm_with_columns_from_1():
    found = [
        searches("minimax", depth, move(chosen=depth, score=-depth), place=place, rules=Rules(drift=0.5))
        for place in ("early", "late")
        for depth in (2, 3)
    ]
    other = searches("alphabeta", 2, move(chosen=6, score=9), place="early")
    (table,) = answers_table(part_of([*found, other]))
    columns = [column.name for column in table.columns]
    assert columns == ["board", "position", "depth", "best column", "value"]
    assert [row[1:] for row in table.rows] == [
        ("early", 2, "3", -2),
        ("early", 3, "4", -3),
        ("late", 2, "3", -2),
        ("late", 3, "4", -3),
    ]
    assert table.note == "By minimax."
    (chance,) = answers_table(part_of([searches("star1", 2, move())]))
    assert chance.note == "By star1. A value is an average over where discs may land."
    assert [column.name for column in chance.columns] == ["depth", "best column", "value"]


def test_whole_games_have_no_answers():
    assert answers_table(part_of([searches("minimax", 2, move(), move(1))])) == []


def test_every_search_is_listed_by_what_varies():
    found = [searches("minimax", 2, move(generated=size), place=place) for place, size in (("early", 7), ("late", 9))]
    (table,) = searches_tables(part_of(found))
    assert [column.name for column in table.columns][:4] == ["position", "depth", "algorithm", "generated"]
    assert [row[:4] for row in table.values] == [("early", 2, "minimax", 7), ("late", 2, "minimax", 9)]
    boards = [found[0], found[0]._replace(rules=Rules(6, 7, 5))]
    assert searches_tables(part_of(boards))[0].rows[1][0] == "6×7, connect 5"
    assert searches_tables(part_of(found[:1])) == []


def test_searches_beyond_those_listed_are_pointed_to():
    (table,) = searches_tables(part_of([searches("minimax", 2, move(), place=str(number)) for number in range(1234)]))
    assert (len(table.rows), table.note) == (
        1000,
        "234 more are in searches.csv. Of a dash in `not in the tree` see Branches pruned.",
    )


def test_faults_are_told_by_evaluator_with_the_first_message():
    found = [
        searches("minimax", 2, move(), name="fine"),
        searches("minimax", 2, name="grump", fault="grump.py:4: no"),
        searches("minimax", 3, name="grump", fault="grump.py:5: never"),
    ]
    (table,) = fault_tables(results(*found))
    assert table.rows == [("grump", 2, "grump.py:4: no")]
    assert fault_tables(results(found[0])) == []
    titles = [table.title for table in study_tables(results(*found))]
    assert titles[-2:] == ["Faults", "How it was made"]


def test_how_it_was_made_names_boards_and_evaluators_once():
    found = [
        searches("minimax", depth, move(), rules=rules) for depth in (2, 3) for rules in (STANDARD, Rules(8, 9, 4))
    ]
    told = dict(provenance_table(results(*found, planned=9, superseded=3)).rows)
    assert told["searches"] == "4 of 9 done"
    assert told["boards"] == "6×7, connect 4; 8×9, connect 4"
    assert told["windows"] == "windows, compiled, source 0123456789ab"
    assert told["not counted"] == "3 searches of earlier plans or of evaluators since edited"


def test_one_algorithm_alone_is_compared_with_nothing():
    titles = [table.title for table in part_tables(part_of([searches("minimax", 2, move())]))]
    assert titles == [
        *("Cost", "Space", "Branches pruned", "Growth from depth to depth", "Practical depth", "Branching"),
        *("Game phases", "Answers"),
    ]


# ── as CSV ───────────────────────────────────────────────────────────────────────────────────────


def in_csv(table: Table) -> list[dict[str, str]]:
    """What the table is as CSV."""
    written = io.StringIO()
    csv.write_table(table, written)
    return list(DictReader(io.StringIO(written.getvalue())))


def test_times_are_in_the_unit_of_their_heading_as_csv_and_in_seconds_as_json():
    part = part_of([searches(name, 2, move(seconds=0.00025)) for name in ("minimax", "alphabeta")])
    by_metric = {row["metric"]: row for row in in_csv(summary_table(part))}
    assert float(by_metric["time (ms)"]["mean per search"]) == pytest.approx(0.25)
    (first, *_) = in_csv(growth_table(part))
    assert float(first["ms per search"]) == pytest.approx(0.25)
    assert records(growth_table(part))[0]["ms per search"] == pytest.approx(0.00025)


def test_a_search_in_a_random_order_is_known_by_its_seed():
    by_seed = [searches(Settings(2, order="random", order_seed=seed), 2, move()) for seed in (1, 2)]
    rows = [row for one in [searches("alphabeta", 2, move()), *by_seed] for row in csv.search_rows(one)]
    assert [dict(zip(csv.SEARCH_COLUMNS, row, strict=True))["order_seed"] for row in rows] == [None, 1, 2]


# ── golden ───────────────────────────────────────────────────────────────────────────────────────


def by_hand() -> StudyResults:
    """A small study with one of everything: three boards, two depths, three algorithms, an equal move, a fault."""
    found = []
    for rules in (Rules(4, 5), STANDARD, Rules(4, 5, 3)):
        for depth in (2, 3):
            whole = sum(rules.columns**ply for ply in range(1, depth + 1))
            for settings, share, chosen, equals in (
                (Settings(depth, "minimax"), 1, 0, "14"),
                (Settings(depth), 3, 0, None),
                (Settings(depth, "pvs", "killers", table=12), 5, 3, None),
            ):
                counted = {"expanded": whole // rules.columns // share, "evaluated": whole // share // 2}
                took = {"cutoffs": share - 1, "seconds": whole / share / 1e6, "deepest": depth, "memory": 4096 * share}
                one = move(16, chosen, 2.5, whole // share, equals=equals, **counted, **took)
                found.append(searches(settings, depth, one, rules=rules))
    failed = searches("minimax", 2, name="grump", fault="grump.py:4: evaluate raised ValueError.")
    return results(*found, failed, planned=20, superseded=2)


def test_the_report_of_a_study_made_by_hand_is_the_golden_one(request):
    made_by_hand = by_hand()
    text = markdown(
        "Made by hand",
        [*study_tables(made_by_hand), *every_search(made_by_hand)],
        sentences=study_summary(made_by_hand),
    )
    if request.config.getoption("--update-golden"):
        (GOLDEN / "study.md").write_text(text, "utf-8")
    assert text == (GOLDEN / "study.md").read_text("utf-8"), "if that is as it should be: pytest --update-golden"
