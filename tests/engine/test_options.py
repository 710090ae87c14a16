"""Options and budgets: whatever is switched on, the value and the move stay, and the nodes become fewer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import naive
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import (
    COLUMN,
    FULL_BOARD,
    LARGE,
    MANY,
    NOISE,
    SMALL,
    SMALL_FULL,
    STANDARD,
    WIDE,
    WORD,
    Ready,
    depths,
    naively,
    once_per_rules,
    positions,
)

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher, search
from tournament.engine.settings import Settings
from tournament.engine.transpositions import Transpositions
from tournament.engine.values import SCORE_LIMIT, WIN
from tournament.games.connect4 import Position, Rules, read_position
from tournament.match.remote_side import can_be
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

ORDERS = ("left", "centre", "killers", "history", "random")
TABLES = (0, 1, 2, 3, 12)  # tables so small that most positions must give way, and one that holds them all
DEEPENING: tuple[dict[str, Any], ...] = (
    {},
    {"iterative": True},
    {"iterative": True, "aspiration": 0.5},  # narrower than the difference of two scores
    {"iterative": True, "aspiration": 2.0},
    {"iterative": True, "aspiration": 1e-20},  # narrower than the difference of two numbers
)
# Every combination of algorithm and options. Minimax has no window that could be narrow.
EVERY = [
    {"algorithm": algorithm, "order": order, "table": table, **deepening}
    for algorithm, order, table, deepening in product(("minimax", "alphabeta", "pvs"), ORDERS, TABLES, DEEPENING)
    if not (algorithm == "minimax" and "aspiration" in deepening)
]
PRUNED = [options for options in EVERY if options["algorithm"] != "minimax" or options["table"]]

Bundled = Callable[[str, Rules], Scorer]


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


def some(data: st.DataObject, every: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of them; a few where Python must search."""
    return data.draw(st.lists(st.sampled_from(every), min_size=8, max_size=8)) if JIT_DISABLED else every


def board(drawing: str, rules: Rules = STANDARD) -> Position:
    return read_position("/".join(row.strip() for row in drawing.strip().splitlines()), rules)


# ── every combination ────────────────────────────────────────────────────────────────────────────


@settings(max_examples=6 if JIT_DISABLED else 60)
@given(position=positions((*MANY, FULL_BOARD, SMALL_FULL)), data=st.data())
def test_every_combination_of_options_finds_the_value_and_the_move_of_the_naive_minimax(
    noise: Ready, position: Position, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 100 if JIT_DISABLED else 1300))
    worth = naively(position, "minimax", depth, naive.noise, "left").moves
    for options in some(data, EVERY):
        found = search(position, noise(position.rules), Settings(depth, **options))
        first = naive.first_of_best(worth, options["order"], position.rules.columns)
        assert (found.score, found.chosen) == (worth[first], first), options
        assert can_be(found, position, Settings(depth, **options)), "or who plays by it would forfeit"
        told_truly(found, depth, worth)


def told_truly(found: SearchResult, depth: int, worth: dict[int, float]) -> None:
    """What is said of the moves at the root is so: exactly, or at most as much, which is no better than the best."""
    if found.depth < depth and abs(found.score) >= SCORE_LIMIT:
        return  # by deepening it was decided before, and the other moves were never searched so far
    for move in found.root_moves:
        if move.exact:
            assert move.value == worth[move.column]
        else:
            assert worth[move.column] <= move.value <= found.score


@pytest.mark.needs_jit
@settings(max_examples=50)
@given(position=positions((STANDARD, SMALL, WIDE, WORD, LARGE, FULL_BOARD, SMALL_FULL)), data=st.data())
def test_they_find_it_deeper_too_where_positions_are_met_again(
    noise: Ready, position: Position, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 150_000))
    full = search(position, noise(position.rules), Settings(depth, "minimax"))
    worth = {move.column: move.value for move in full.root_moves}
    for options in PRUNED:
        found = search(position, noise(position.rules), Settings(depth, **options))
        first = naive.first_of_best(worth, options["order"], position.rules.columns)
        assert (found.score, found.chosen) == (worth[first], first), options
        assert can_be(found, position, Settings(depth, **options)), "or who plays by it would forfeit"
        told_truly(found, depth, worth)


@pytest.mark.needs_jit
def test_a_window_so_narrow_that_no_number_lies_within_changes_nothing(noise: Ready) -> None:
    position = board(
        """
        ........
        ........
        X.......
        X.......
        X.......
        OO......
        OX......
        XXO....O O""",
        WIDE,
    )
    options: dict[str, Any] = {"algorithm": "pvs", "order": "killers", "table": 3}
    full = search(position, noise(WIDE), Settings(4, "minimax", "killers"))
    found = search(position, noise(WIDE), Settings(4, iterative=True, aspiration=1e-20, **options))
    assert (found.score, found.chosen) == (full.score, full.chosen)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs"])
@pytest.mark.parametrize("order", ORDERS)
def test_of_equally_good_moves_the_first_in_the_fixed_order_is_chosen_though_another_was_tried_before(
    write_evaluator: Callable[[str], Evaluator], algorithm: Any, order: Any
) -> None:
    indifferent = Scorer(write_evaluator("def evaluate(my_turn):\n    return 0\n"), STANDARD)
    settings = Settings(3 if JIT_DISABLED else 6, algorithm, order, table=10, iterative=True)
    from_left = order in ("left", "random")
    assert search(Position(), indifferent, settings).chosen == (0 if from_left else 3)
    assert search(read_position("444444"), indifferent, settings).chosen == (0 if from_left else 2)


def test_a_board_of_one_column_has_one_answer(noise: Ready) -> None:
    for options in EVERY:
        assert search(Position(COLUMN), noise(COLUMN), Settings(4, **options)).chosen == 0


def test_a_depth_beyond_the_end_of_the_game_ends_with_it(noise: Ready) -> None:
    position = read_position("XO./OXO X", Rules(2, 3, 3))
    for options in EVERY:
        found = search(position, noise(position.rules), Settings(9, **options))
        assert (found.chosen, found.score, found.deepest) == (2, 0, 1)


@settings(max_examples=5 if JIT_DISABLED else 20)
@given(position=positions((STANDARD, SMALL, WIDE)), depth=st.integers(1, 3 if JIT_DISABLED else 5))
def test_a_table_never_generates_more_than_the_same_search_without(
    noise: Ready, position: Position, depth: int
) -> None:
    plain = search(position, noise(position.rules), Settings(depth, "minimax"))
    tabled = search(position, noise(position.rules), Settings(depth, "minimax", table=12))
    assert tabled.counters.generated <= plain.counters.generated


@pytest.mark.parametrize(
    ("depth", "expanded"),
    [(4, 1 + 7 + 49 + 7 * 49), (5, 1 + 7 + 49 + 238 + 7 * 238)],  # R7's positions; the last ply is not looked up
)
def test_with_a_table_minimax_expands_each_position_once(noise: Ready, depth: int, expanded: int) -> None:
    found = search(Position(), noise(STANDARD), Settings(depth, "minimax", table=16))
    assert (found.counters.expanded, found.counters.generated) == (expanded, 7 * expanded)


# ── what the improvements are worth ──────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def plain(bundled: Bundled) -> Callable[[int], SearchResult]:
    """Alpha-beta without any option from the empty board, once for each depth."""
    return cache(lambda depth: search(Position(), bundled("windows", STANDARD), Settings(depth)))


@pytest.mark.needs_jit
def test_table_and_killers_together_cut_the_nodes_of_depth_10_by_20(
    bundled: Bundled, plain: Callable[[int], SearchResult]
) -> None:
    scorer = bundled("windows", STANDARD)
    found = search(Position(), scorer, Settings(10, order="killers", table=20))
    print(f"depth 10: {plain(10).counters.generated:,} plain, {found.counters.generated:,} with table and killers")
    assert (found.score, found.chosen) == (plain(10).score, plain(10).chosen)
    assert 20 * found.counters.generated <= plain(10).counters.generated


@pytest.mark.needs_jit
def test_deepening_with_the_table_cuts_the_nodes_of_depth_12_by_20(
    bundled: Bundled, plain: Callable[[int], SearchResult]
) -> None:
    found = search(Position(), bundled("windows", STANDARD), Settings(12, table=20, iterative=True))
    print(f"depth 12: {plain(12).counters.generated:,} plain, {found.counters.generated:,} deepening with the table")
    assert (found.score, found.chosen) == (plain(12).score, plain(12).chosen)
    assert 20 * found.counters.generated <= plain(12).counters.generated


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────

BUDGETED = [options for options in EVERY if not options.get("iterative")]
NODES = st.sampled_from([1, 5, 20, 60, 200] if JIT_DISABLED else [1, 5, 20, 60, 200, 1000, 5000, 20_000])


@settings(max_examples=5 if JIT_DISABLED else 30)
@given(position=positions((STANDARD, SMALL, WIDE, FULL_BOARD)), nodes=NODES, data=st.data())
def test_a_budget_of_nodes_gives_the_answer_of_the_depth_that_it_reaches(
    noise: Ready, position: Position, nodes: int, data: st.DataObject
) -> None:
    scorer = noise(position.rules)
    for options in some(data, BUDGETED):
        found = search(position, scorer, Settings(nodes=nodes, **options))
        fixed = search(position, scorer, Settings(found.depth, order=options["order"], table=14))
        assert found.depth >= 1
        assert (found.score, found.chosen) == (fixed.score, fixed.chosen), options


@given(position=positions((STANDARD, SMALL, WIDE, FULL_BOARD)), nodes=NODES)
@example(position=read_position("......./......./....O../....X../....O.X/.XX.XOO O"), nodes=100)
@settings(max_examples=5 if JIT_DISABLED else 30)
def test_a_budget_of_nodes_is_never_exceeded_but_by_the_first_depth(
    noise: Ready, position: Position, nodes: int
) -> None:
    for options in BUDGETED[:: 10 if JIT_DISABLED else 1]:
        found = search(position, noise(position.rules), Settings(nodes=nodes, **options))
        if found.counters.generated > nodes:
            first = search(position, noise(position.rules), Settings(1, **options))
            assert (found.depth, found.counters.generated) == (1, first.counters.generated), options


@settings(max_examples=5 if JIT_DISABLED else 12)
@given(position=positions((STANDARD, WIDE)), other=positions((STANDARD, WIDE)), nodes=NODES, data=st.data())
def test_a_budget_of_nodes_repeats_to_the_digit_whatever_is_searched_in_between(
    noise: Ready, position: Position, other: Position, nodes: int, data: st.DataObject
) -> None:
    for options in some(data, BUDGETED):
        searcher = Searcher(noise(position.rules), Settings(nodes=nodes, **options))
        before = searcher.search(position)
        search(other, noise(other.rules), Settings(nodes=300, **options))  # with the same shared table
        searcher.search(position.mirrored())
        after, anew = searcher.search(position), search(position, noise(position.rules), searcher.settings)
        assert untimed(before) == untimed(after) == untimed(anew), options


def untimed(found: SearchResult) -> tuple[Any, ...]:
    return (found.chosen, found.score, found.counters, found.depth, found.deepest)


@settings(max_examples=5 if JIT_DISABLED else 20)
@given(position=positions((SMALL,)), nodes=NODES)
def test_more_nodes_never_reach_less_deep(noise: Ready, position: Position, nodes: int) -> None:
    less, more = (search(position, noise(SMALL), Settings(nodes=number, table=12)) for number in (nodes, 2 * nodes))
    assert less.depth <= more.depth


def test_a_budget_that_suffices_for_the_whole_game_stops_where_it_is_decided(noise: Ready) -> None:
    position = board(
        """
        .......
        .......
        .......
        .......
        .OO....
        .XXX..."""
    )
    found = search(position, noise(STANDARD), Settings(nodes=1_000_000))
    assert (found.score, found.depth) == (-(WIN - 2), 2)  # O must lose, which takes two plies


@pytest.mark.parametrize("rules", [STANDARD, LARGE, FULL_BOARD], ids=lambda rules: rules.described)
@pytest.mark.parametrize("seconds", [1e-9, 0.05])
def test_a_budget_of_seconds_comes_back_with_a_move(noise: Ready, rules: Rules, seconds: float) -> None:
    position = read_position("1111", rules)
    found = search(position, noise(rules), Settings(seconds=seconds, table=10))
    assert found.depth >= 1
    assert found.chosen in position.open_columns()
    assert search(position, noise(rules), Settings(found.depth, table=10))[:2] == found[:2]


def test_a_search_can_be_stopped_from_another_thread(noise: Ready) -> None:
    searcher, answers = Searcher(noise(STANDARD), Settings(seconds=60)), list[SearchResult]()
    thread = threading.Thread(target=lambda: answers.append(searcher.search(Position())), daemon=True)
    thread.start()
    for _ in range(300):  # again and again, as the search may not have begun yet
        searcher.stop()
        thread.join(0.1)
        if not thread.is_alive():
            break
    assert [found.depth >= 1 for found in answers] == [True]


# ── the table ────────────────────────────────────────────────────────────────────────────────────


def test_searches_with_one_table_after_the_other_do_not_see_each_others_entries(noise: Ready, bundled: Bundled) -> None:
    table = Transpositions(10)
    depth = 3 if JIT_DISABLED else 6
    searchers = [
        Searcher(scorer, Settings(depth, table=10), table) for scorer in (noise(STANDARD), bundled("windows", STANDARD))
    ]
    alone = [search(Position(), searcher.scorer, Settings(depth, table=10)) for searcher in searchers]
    for _ in range(2):
        for searcher, expected in zip(searchers, alone, strict=True):
            assert untimed(searcher.search(Position())) == untimed(expected)


def test_a_table_that_has_served_for_two_billion_searches_starts_afresh(noise: Ready) -> None:
    table = Transpositions(10)
    searcher = Searcher(noise(STANDARD), Settings(3, table=10), table)
    expected = untimed(searcher.search(Position()))
    table.age = 2**31 - 3
    assert [untimed(searcher.search(Position())) for _ in range(4)] == [expected] * 4
    assert table.age < 10
