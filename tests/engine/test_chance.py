"""Discs that drift: expectiminimax as the naive one has it, and prunings that return exactly the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import naive
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import (
    DRIFTING,
    FULL_BOARD,
    NARROW,
    NOISE,
    SMALL,
    Ready,
    agrees,
    depths,
    naively,
    once_per_rules,
    positions,
)

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import Counters, SearchResult
from tournament.engine.searcher import Searcher, search
from tournament.engine.settings import Settings
from tournament.engine.values import SCORE_LIMIT, WIN
from tournament.errors import EvaluatorFault
from tournament.games.connect4 import Position, Rules, read_position
from tournament.match.remote_side import can_be
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

ORDERS = ("left", "centre", "killers", "history", "random")
TABLES = (0, 1, 2, 3, 12)
DEEPENING: tuple[dict[str, Any], ...] = (
    {},
    {"iterative": True},
    {"iterative": True, "aspiration": 0.1},
    {"iterative": True, "aspiration": 2.0},
    {"iterative": True, "aspiration": 1e-20},
)
EVERY = [
    {"algorithm": algorithm, "order": order, "table": table, **deepening}
    for algorithm, order, table, deepening in product(("expectiminimax", "star1", "star2"), ORDERS, TABLES, DEEPENING)
    if not (algorithm == "expectiminimax" and "aspiration" in deepening)
]
R2 = replace(FULL_BOARD, drift=0.6, drift_players="first")

Bundled = Callable[[str, Rules], Scorer]


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


@pytest.fixture(scope="module")
def extreme(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    """Scores next to a win and next to a loss, where sums are rounded most."""
    highest = SCORE_LIMIT - 1
    text = NOISE.replace("return mixed % 7 - 3", f"return (mixed % 3 - 1) * {highest!r} + (mixed % 7) * 0.1")
    return once_per_rules(write_evaluator(text))


def some(data: st.DataObject, every: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of them; a few where Python must search."""
    return data.draw(st.lists(st.sampled_from(every), min_size=8, max_size=8)) if JIT_DISABLED else every


# ── against the naive search ─────────────────────────────────────────────────────────────────────


@settings(max_examples=8 if JIT_DISABLED else 40)
@given(position=positions(DRIFTING), order=st.sampled_from(["left", "centre"]), data=st.data())
def test_value_move_and_counters_are_those_of_the_naive_expectiminimax(
    noise: Ready, position: Position, order: Any, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 100 if JIT_DISABLED else 1500))
    found = search(position, noise(position.rules), Settings(depth, "expectiminimax", order))
    agrees(found, naively(position, "expectiminimax", depth, naive.noise, order))


@settings(max_examples=6 if JIT_DISABLED else 60)
@given(position=positions(DRIFTING), data=st.data())
def test_every_combination_of_options_finds_exactly_the_value_and_the_move_of_expectiminimax(
    noise: Ready, position: Position, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 100 if JIT_DISABLED else 30_000))
    same_everywhere(noise(position.rules), position, depth, some(data, EVERY))


@settings(max_examples=6 if JIT_DISABLED else 30)
@given(position=positions(DRIFTING[:6]), data=st.data())
def test_they_do_with_scores_as_large_as_a_win(extreme: Ready, position: Position, data: st.DataObject) -> None:
    depth = data.draw(depths(position.rules, 100 if JIT_DISABLED else 30_000))
    same_everywhere(extreme(position.rules), position, depth, some(data, EVERY))


def same_everywhere(scorer: Scorer, position: Position, depth: int, every: list[dict[str, Any]]) -> None:
    full = search(position, scorer, Settings(depth, "expectiminimax"))
    worth = {move.column: move.value for move in full.root_moves}
    for options in every:
        found = search(position, scorer, Settings(depth, **options))
        first = naive.first_of_best(worth, options["order"], position.rules.columns)
        assert (found.score, found.chosen) == (worth[first], first), options
        assert can_be(found, position, Settings(depth, **options)), "or who plays by it would forfeit"
        for move in found.root_moves:
            if move.exact:
                assert move.value == worth[move.column], options
            else:
                assert worth[move.column] <= move.value <= found.score, options


# ── what chance does to a move ───────────────────────────────────────────────────────────────────

HALF = replace(SMALL, drift=0.5)
TWO_IN_A_ROW = """
    .....
    .....
    OO...
    XX... X"""
WALLED_IN = """
    XX.XO
    OO.OX
    XX.XX
    OO.OO X"""


@pytest.fixture(scope="module")
def indifferent(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator("def evaluate(my_turn):\n    return 0\n"))


def board(drawing: str, rules: Rules) -> Position:
    return read_position("/".join(row.strip() for row in drawing.strip().splitlines()), rules)


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1", "star2"])
def test_a_win_that_may_drift_away_is_worth_its_probability(indifferent: Ready, algorithm: Any) -> None:
    found = search(board(TWO_IN_A_ROW, HALF), indifferent(HALF), Settings(1, algorithm))
    assert (found.chosen, found.score) == (2, 0.5 * (WIN - 1))


def test_a_disc_may_win_by_drifting(indifferent: Ready) -> None:
    found = search(board(TWO_IN_A_ROW, HALF), indifferent(HALF), Settings(1, "expectiminimax"))
    beside = {move.column: move.value for move in found.root_moves}
    # From the second and the fourth column it drifts to the third with 0.25, from the others it can't.
    assert beside == {0: 0, 1: 0.25 * (WIN - 1), 2: 0.5 * (WIN - 1), 3: 0.25 * (WIN - 1), 4: 0}


def test_from_the_edge_all_of_the_rest_drifts_to_the_one_neighbour(indifferent: Ready) -> None:
    rules = replace(NARROW, drift=0.75)
    position = read_position("1212", rules)  # X has two in the first column and moves
    found = search(position, indifferent(rules), Settings(1, "expectiminimax"))
    assert {move.column: move.value for move in found.root_moves} == {0: 0.75 * (WIN - 1), 1: 0.25 * (WIN - 1)}


def test_between_full_columns_a_disc_stays(indifferent: Ready) -> None:
    found = search(board(WALLED_IN, HALF), indifferent(HALF), Settings(1, "expectiminimax"))
    assert (found.chosen, found.counters.generated) == (2, 1)


@pytest.mark.parametrize(("players", "generated"), [("both", 13), ("first", 13), ("second", 5)])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_only_the_discs_of_the_named_players_drift(
    indifferent: Ready, players: Any, generated: int, seat: Literal["first", "second"]
) -> None:
    if seat == "second":
        players = {"both": "both", "first": "second", "second": "first"}[players]
    rules = replace(SMALL, drift=0.5, drift_players=players)
    found = search(Position(rules, to_move=seat), indifferent(rules), Settings(1, "expectiminimax"))
    assert found.counters == Counters(generated, 1, generated, 0)


@given(position=positions(DRIFTING[:6]), depth=st.integers(1, 2 if JIT_DISABLED else 3))
@settings(max_examples=5 if JIT_DISABLED else 20)
def test_mirror_images_have_the_same_value_up_to_rounding(bundled: Bundled, position: Position, depth: int) -> None:
    searcher = Searcher(bundled("windows", position.rules), Settings(depth, "star2"))
    assert searcher.search(position).score == pytest.approx(searcher.search(position.mirrored()).score, rel=1e-9)


# ── the level and the state that are left behind ─────────────────────────────────────────────────


def test_deepening_ends_at_the_level_of_its_last_depth(noise: Ready) -> None:
    rules = Rules(3, 5, 3, drift=0.6)
    position = board(
        """
        .O.O.
        OXOXO
        OXOXO X""",
        rules,
    )  # Wherever X goes, O wins with any move.
    for iterative in (False, True):
        found = search(position, noise(rules), Settings(3, "expectiminimax", iterative=iterative))
        assert (found.score, found.deepest) == (-(WIN - 2), 2), iterative


def test_after_a_fault_in_a_probe_every_move_is_tried_again(write_evaluator: Callable[[str], Evaluator]) -> None:
    evaluator = write_evaluator(
        """
        def evaluate(board):
            if board[4, 0] != 0:
                raise ValueError("no")
            score = 0
            for row in range(5):
                score += (row + 1) * board[row, 0] + (2 * row + 3) * board[row, 1]
            return score
        """
    )
    rules = replace(NARROW, drift=0.6, drift_players="first")
    searcher = Searcher(Scorer(evaluator, rules), Settings(2, "star2", table=3))
    before = searcher.search(read_position("1", rules))
    with pytest.raises(EvaluatorFault, match="evaluate raised ValueError: no"):
        searcher.search(read_position("1111", rules))  # the next disc there leaves one column open
    after = searcher.search(read_position("1", rules))
    assert untimed(before) == untimed(after)


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────

BUDGETED = [options for options in EVERY if not options.get("iterative")]
NODES = st.sampled_from([1, 20, 100] if JIT_DISABLED else [1, 20, 100, 1000, 10_000])


@settings(max_examples=4 if JIT_DISABLED else 20)
@given(position=positions(DRIFTING), other=positions(DRIFTING), nodes=NODES, data=st.data())
def test_a_budget_of_nodes_gives_the_answer_of_its_depth_and_repeats_to_the_digit(
    noise: Ready, position: Position, other: Position, nodes: int, data: st.DataObject
) -> None:
    for options in some(data, BUDGETED):
        searcher = Searcher(noise(position.rules), Settings(nodes=nodes, **options))
        found = searcher.search(position)
        assert can_be(found, position, searcher.settings)
        fixed = search(position, noise(position.rules), Settings(found.depth, "star1", options["order"], table=14))
        assert found.depth >= 1
        assert (found.score, found.chosen) == (fixed.score, fixed.chosen), options
        search(other, noise(other.rules), Settings(nodes=100, **options))  # with the same shared table
        assert untimed(searcher.search(position)) == untimed(found), options


@example(position=Position(R2), nodes=100)
@given(position=positions(DRIFTING), nodes=NODES)
@settings(max_examples=5 if JIT_DISABLED else 20)
def test_a_budget_of_nodes_is_never_exceeded_but_by_the_first_depth(
    noise: Ready, position: Position, nodes: int
) -> None:
    for options in BUDGETED[:: 10 if JIT_DISABLED else 1]:
        found = search(position, noise(position.rules), Settings(nodes=nodes, **options))
        if found.counters.generated > nodes:
            first = search(position, noise(position.rules), Settings(1, **options))
            assert (found.depth, found.counters.generated) == (1, first.counters.generated), options


def untimed(found: SearchResult) -> tuple[Any, ...]:
    return (found.chosen, found.score, found.counters, found.depth, found.deepest)


# ── R2 ───────────────────────────────────────────────────────────────────────────────────────────

R2_BOARD = """
    .......
    .......
    .......
    .......
    ...X...
    ..OOX.. X"""
R2_TABLE = [
    (1, 19, 4, 37.0),
    (2, 152, 0, -4.0),
    (3, 2_679, 2, 57.56),
    (4, 20_368, 0, -8.72),
    (5, 356_414, 0, 54.568),
]
R2_DEPTHS = [row[0] for row in R2_TABLE[: 2 if JIT_DISABLED else None]]


@pytest.mark.parametrize(("depth", "generated", "column", "score"), R2_TABLE)
def test_r2_comes_out_to_the_digit(bundled: Bundled, depth: int, generated: int, column: int, score: float) -> None:
    if JIT_DISABLED and depth > 2:
        pytest.skip("too many nodes for Python")
    found = search(board(R2_BOARD, R2), bundled("lines", R2), Settings(depth, "expectiminimax"))
    assert (found.counters.generated, found.chosen, round(found.score, 3)) == (generated, column, score)


def test_star1_and_star2_find_exactly_what_r2_does_and_generate_less(bundled: Bundled) -> None:
    for depth in R2_DEPTHS:
        found = {
            algorithm: search(board(R2_BOARD, R2), bundled("lines", R2), Settings(depth, algorithm))
            for algorithm in ("expectiminimax", "star1", "star2")
        }
        full = found["expectiminimax"]
        print(f"depth {depth}: " + ", ".join(f"{name} {one.counters.generated:,}" for name, one in found.items()))
        for pruned in (found["star1"], found["star2"]):
            assert (pruned.score, pruned.chosen) == (full.score, full.chosen)
            if depth >= 2:
                assert pruned.counters.generated < full.counters.generated
