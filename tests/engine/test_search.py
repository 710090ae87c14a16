"""The search: the same values, moves and counters as the naive one, and what DESIGN.md promises of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    FEW,
    LARGE,
    STANDARD,
    WIDE,
    Ready,
    agrees,
    depths,
    naively,
    once_per_rules,
    positions,
)

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import Counters, RootMove
from tournament.engine.searcher import Searcher, column_order, search
from tournament.engine.settings import Settings
from tournament.engine.values import SCORE_LIMIT, WIN
from tournament.errors import EvaluatorFault, PositionError
from tournament.games.connect4 import Position, Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator
from tournament.text import shown

ALGORITHMS = st.sampled_from(["minimax", "alphabeta"])
ORDERS = st.sampled_from(["left", "centre"])
DEEP = 3 if JIT_DISABLED else 5  # plies that are quickly searched without pruning

WriteEvaluator = Callable[[str], Evaluator]

# Cheap for the naive search; ties often, weighs my discs and theirs differently, and knows whose turn it is.
PROBE = """
    '''Probe: small weights.'''

    def evaluate(board, my_turn):
        score = 5 if my_turn else 0
        rows, columns = board.shape
        for row in range(rows):
            for column in range(columns):
                if board[row, column] > 0:
                    score += (2 * row + 3 * column) % 4
                elif board[row, column] < 0:
                    score -= (row + column) % 3
        return score
"""
INTERPRETED_PROBE = """
    NOTHING = {'for numba': 0}  # a dictionary outside of a function
""" + PROBE.replace("return score", "return score + NOTHING['for numba']")


def naive_probe(board: naive.Board, me: str, connect: int, my_turn: bool) -> float:
    mine = sum((2 * row + 3 * column) % 4 for row, column in naive.cells_of(board, me))
    theirs = sum((row + column) % 3 for row, column in naive.cells_of(board, naive.OTHER[me]))
    return mine - theirs + 5 * my_turn


@pytest.fixture(scope="module")
def probe(write_evaluator: WriteEvaluator) -> Ready:
    return once_per_rules(write_evaluator(PROBE))


@pytest.fixture(scope="module")
def interpreted_probe(write_evaluator: WriteEvaluator) -> Ready:
    return once_per_rules(write_evaluator(INTERPRETED_PROBE))


# ── against the naive search ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@given(position=positions(), order=ORDERS, data=st.data())
def test_value_move_and_counters_are_those_of_the_naive_search(
    probe: Ready, algorithm: Any, position: Position, order: Any, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules))
    found = search(position, probe(position.rules), Settings(depth, algorithm, order))
    agrees(found, naively(position, algorithm, depth, naive_probe, order))


@settings(max_examples=4 if JIT_DISABLED else 15)
@pytest.mark.parametrize("evaluator", ["windows", "runs"])
@given(position=positions(FEW), algorithm=ALGORITHMS, order=ORDERS, data=st.data())
def test_they_agree_with_a_bundled_evaluator_too(
    bundled: Callable[[str, Rules], Scorer],
    evaluator: str,
    position: Position,
    algorithm: Any,
    order: Any,
    data: st.DataObject,
) -> None:
    depth = data.draw(depths(position.rules, 200))
    found = search(position, bundled(evaluator, position.rules), Settings(depth, algorithm, order))
    agrees(found, naively(position, algorithm, depth, naive.EVALUATORS[evaluator], order))


@pytest.mark.needs_jit
@settings(max_examples=10)
@given(position=positions((STANDARD, WIDE)), order=ORDERS)
def test_they_agree_where_alpha_beta_looks_five_plies_ahead(probe: Ready, position: Position, order: Any) -> None:
    found = search(position, probe(position.rules), Settings(5, "alphabeta", order))
    agrees(found, naively(position, "alphabeta", 5, naive_probe, order))


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        (Rules(31, 2, 4), "11"),
        (Rules(15, 4, 8), "1122334"),
        (Rules(63, 2, 4), "11"),
        (Rules(31, 4, 8), "1122334"),
    ],
    ids=str,
)
def test_a_line_can_not_be_longer_than_the_board_is_wide(probe: Ready, rules: Rules, moves: str) -> None:
    position = read_position(moves, rules)  # the next disc makes a row as long as the board is wide, too short to win
    agrees(search(position, probe(rules), Settings(2)), naively(position, "alphabeta", 2, naive_probe, "left"))


@given(position=positions(), order=ORDERS, data=st.data())
def test_root_moves_are_exact_in_minimax_and_exact_or_bounds_in_alpha_beta(
    probe: Ready, position: Position, order: Any, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 200))
    worth = naively(position, "minimax", depth, naive_probe, order).moves
    full = search(position, probe(position.rules), Settings(depth, "minimax", order))
    assert list(full.root_moves) == [RootMove(column, value, True) for column, value in worth.items()]
    pruned = search(position, probe(position.rules), Settings(depth, "alphabeta", order))
    assert [move.column for move in pruned.root_moves] == list(worth)
    for move in pruned.root_moves:
        if move.exact:
            assert move.value == worth[move.column]
        else:
            assert worth[move.column] <= move.value <= pruned.score
    assert [move.value for move in pruned.root_moves if move.exact][-1] == pruned.score


# ── the two algorithms, the mirror ───────────────────────────────────────────────────────────────


@given(position=positions(), order=ORDERS, depth=st.integers(1, DEEP))
def test_minimax_and_alpha_beta_agree_in_value_and_move(
    probe: Ready, position: Position, order: Any, depth: int
) -> None:
    full = search(position, probe(position.rules), Settings(depth, "minimax", order))
    pruned = search(position, probe(position.rules), Settings(depth, "alphabeta", order))
    assert (pruned.chosen, pruned.score) == (full.chosen, full.score)
    assert full.counters.cutoffs == 0
    assert pruned.counters.generated <= full.counters.generated


@given(position=positions(FEW), algorithm=ALGORITHMS, order=ORDERS, depth=st.integers(1, DEEP))
def test_mirror_images_have_the_same_value(
    bundled: Callable[[str, Rules], Scorer], position: Position, algorithm: Any, order: Any, depth: int
) -> None:
    searcher = Searcher(bundled("windows", position.rules), Settings(depth, algorithm, order))
    assert searcher.search(position).score == searcher.search(position.mirrored()).score


@given(position=positions(FEW), depth=st.integers(1, DEEP))
def test_either_order_of_moves_finds_the_same_value(probe: Ready, position: Position, depth: int) -> None:
    left = search(position, probe(position.rules), Settings(depth, order="left"))
    centre = search(position, probe(position.rules), Settings(depth, order="centre"))
    assert left.score == centre.score


@given(first=positions((STANDARD,)), second=positions((STANDARD,)))
def test_a_searcher_used_again_finds_what_a_new_one_finds(probe: Ready, first: Position, second: Position) -> None:
    used, new = Searcher(probe(STANDARD), Settings(3)), Searcher(probe(STANDARD), Settings(3))
    used.search(first)
    again, expected = used.search(second), new.search(second)
    assert (again.chosen, again.score, again.counters) == (expected.chosen, expected.score, expected.counters)
    assert used.root_moves() == new.root_moves()


# ── published counts ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    ("depth", "score", "counters"),
    [(8, 25, Counters(134_622, 41_612, 89_216, 32_921)), (10, 31, Counters(1_843_660, 587_088, 1_182_217, 483_954))],
)
def test_the_counts_of_design_md_come_out_to_the_digit(
    bundled: Callable[[str, Rules], Scorer], depth: int, score: float, counters: Counters
) -> None:
    found = search(Position(), bundled("windows", STANDARD), Settings(depth))
    assert found.score == score
    assert replace(found.counters, untried=0) == counters


def test_minimax_from_the_empty_board_generates_and_expands_every_position(probe: Ready) -> None:
    found = search(Position(), probe(STANDARD), Settings(3, "minimax"))
    assert found.counters == Counters(generated=7 + 49 + 343, expanded=1 + 7 + 49, evaluated=343, cutoffs=0)


@pytest.mark.parametrize(("depth", "generated"), [(2, 56), (3, 399)])
def test_r4_counts_the_same_positions_for_minimax(
    bundled: Callable[[str, Rules], Scorer], depth: int, generated: int
) -> None:
    found = search(Position(), bundled("points", STANDARD), Settings(depth, "minimax"))
    assert (found.counters.generated, found.depth, found.deepest) == (generated, depth, depth)


# ── the order of moves and the tie rule ──────────────────────────────────────────────────────────


def test_the_orders_are_left_to_right_and_from_the_centre_outwards() -> None:
    assert column_order("left", 7) == [0, 1, 2, 3, 4, 5, 6]
    assert column_order("centre", 7) == [3, 2, 4, 1, 5, 0, 6]
    assert column_order("centre", 8) == [3, 4, 2, 5, 1, 6, 0, 7]


def test_the_orders_that_learn_begin_from_the_centre() -> None:
    assert column_order("killers", 7) == column_order("history", 7) == column_order("centre", 7)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_equally_good_moves_go_to_the_first_in_order(
    write_evaluator: WriteEvaluator, algorithm: Any, depth: int
) -> None:
    indifferent = Scorer(write_evaluator("def evaluate(my_turn):\n    return 0\n"), STANDARD)
    first_column_full = read_position("111111")
    assert search(Position(), indifferent, Settings(depth, algorithm, "left")).chosen == 0
    assert search(Position(), indifferent, Settings(depth, algorithm, "centre")).chosen == 3
    assert search(first_column_full, indifferent, Settings(depth, algorithm, "left")).chosen == 1


# ── wins, losses, draws ──────────────────────────────────────────────────────────────────────────

OPEN_TWO = """
    .......
    .......
    .......
    .......
    ..OO...
    ..XX... X"""
OPEN_THREE = """
    .......
    .......
    .......
    .......
    ..OO...
    .XXX... O"""
THREE = """
    .......
    .......
    .......
    .......
    OOO....
    XXX.... X"""


def board(drawing: str) -> Position:
    return read_position("/".join(row.strip() for row in drawing.strip().splitlines()))


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize(
    ("drawing", "column", "score", "plies"),
    [(THREE, 3, WIN - 1, 1), (OPEN_THREE, 0, -(WIN - 2), 2), (OPEN_TWO, 1, WIN - 3, 3)],
    ids=["win at once", "lose in two", "win in three"],
)
def test_a_win_is_worth_one_less_for_each_ply_it_takes(
    probe: Ready, algorithm: Any, drawing: str, column: int, score: float, plies: int
) -> None:
    for depth in range(plies, 6):  # looking further does not change it
        found = search(board(drawing), probe(STANDARD), Settings(depth, algorithm))
        assert (found.chosen, found.score) == (column, score)


def test_of_two_sooner_wins_the_first_in_order_is_played(probe: Ready) -> None:
    assert search(board(OPEN_TWO), probe(STANDARD), Settings(4, order="left")).chosen == 1
    assert search(board(OPEN_TWO), probe(STANDARD), Settings(4, order="centre")).chosen == 4


@pytest.mark.parametrize("rules", [STANDARD, WIDE], ids=str)
def test_no_evaluation_is_above_a_win_or_below_a_loss(write_evaluator: WriteEvaluator, rules: Rules) -> None:
    highest = int(SCORE_LIMIT) - 1
    extreme = Scorer(write_evaluator(f"def evaluate(my_turn):\n    return {highest}\n"), rules)
    found = search(read_position("112233", rules), extreme, Settings(1))  # X has three in the bottom row
    assert (found.chosen, found.score) == (3, WIN - 1)
    worst = Scorer(write_evaluator(f"def evaluate(my_turn):\n    return {-highest}\n"), rules)
    found = search(read_position("17273", rules), worst, Settings(2))  # O must close the fourth column
    assert (found.chosen, found.score) == (3, -highest)


def test_a_full_board_is_worth_nothing_to_either(probe: Ready) -> None:
    position = read_position("XO./OXO X", Rules(2, 3, 3))
    found = search(position, probe(position.rules), Settings(4))
    assert (found.chosen, found.score) == (2, 0)
    assert found.counters == Counters(generated=1, expanded=1, evaluated=0, cutoffs=0)
    assert (found.depth, found.deepest) == (4, 1)


def test_where_the_game_is_over_there_is_nothing_to_search(probe: Ready) -> None:
    with pytest.raises(PositionError, match="the game is over here"):
        search(read_position("1212121"), probe(STANDARD), Settings(2))


# ── evaluators in Python behind the search ───────────────────────────────────────────────────────


@settings(max_examples=10)
@given(position=positions((STANDARD, WIDE, LARGE)), algorithm=ALGORITHMS, order=ORDERS, data=st.data())
def test_an_interpreted_evaluator_gives_the_same_search_and_saves_its_repeated_calls(
    probe: Ready, interpreted_probe: Ready, position: Position, algorithm: Any, order: Any, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 400))
    compiled, interpreted = probe(position.rules), interpreted_probe(position.rules)
    assert compiled.compiled is not JIT_DISABLED
    assert not interpreted.compiled
    one = search(position, compiled, Settings(depth, algorithm, order))
    other = search(position, interpreted, Settings(depth, algorithm, order))
    assert (one.chosen, one.score, one.counters) == (other.chosen, other.score, other.counters)
    leaves = naively(position, algorithm, depth, naive_probe, order).leaves
    assert other.saved == other.counters.evaluated - len(leaves)
    if compiled.compiled:
        assert one.saved == 0


def test_transpositions_are_evaluated_once_and_counted_every_time(interpreted_probe: Ready) -> None:
    found = [search(Position(), interpreted_probe(STANDARD), Settings(3, "minimax")) for _ in range(2)]
    # After X, O, X: 343 sequences lead to 238 positions, R7's count for three plies.
    assert [(one.counters.evaluated, one.saved) for one in found] == [(343, 343 - 238)] * 2


@pytest.mark.parametrize("rules", [STANDARD, WIDE], ids=str)
@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
def test_a_fault_in_the_middle_of_a_search_names_file_line_and_position(
    write_evaluator: WriteEvaluator, rules: Rules, kind: str
) -> None:
    evaluator = write_evaluator(
        f"""
        NUMBA_REFUSES = {{}}
        def evaluate(board):
            if board[2, 4] < 0:
                raise ValueError("no")
            return {"len(NUMBA_REFUSES)" if kind == "interpreted" else "0"}
        """
    )
    scorer = Scorer(evaluator, rules)
    assert scorer.compiled is (kind == "compiled" and not JIT_DISABLED)
    searcher = Searcher(scorer, Settings(4))
    with pytest.raises(EvaluatorFault) as caught:
        searcher.search(read_position("55", rules))
    message = str(caught.value)
    assert message.startswith(f"{shown(evaluator.path)}:4: evaluate raised ValueError: no. Its discs are X in `")
    position = read_position(message.split("`")[1], rules)
    assert position.disc(2, 4) == "O"
    assert position.occupied.bit_count() == 6
    # What happened does not linger: a search that never meets such a position goes on.
    assert searcher.search(read_position("555555", rules)).counters.evaluated > 0
