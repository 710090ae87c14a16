"""Threads that share the root's moves: the value and move of one thread, whatever the timing."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    DRIFTING,
    FULL_BOARD,
    LARGE,
    NOISE,
    SMALL,
    SMALL_FULL,
    STANDARD,
    WIDE,
    WORD,
    Ready,
    once_per_rules,
    positions,
)

from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings, settings_for
from tournament.engine.threads import Round
from tournament.engine.transpositions import AT_MOST, EXACT
from tournament.engine.tree import explain
from tournament.errors import EvaluatorFault, TourneyError
from tournament.games.connect4 import Position, Rules, read_position
from tournament.plugins.compiled import Scorer

needs_jit = pytest.mark.needs_jit
THREADS = (2, 4)
BOARDS = (STANDARD, SMALL, WORD, WIDE, LARGE, FULL_BOARD, SMALL_FULL, Rules(5, 1, 3), Rules(1, 9, 3))
WITH_CHANCE = (DRIFTING[0], DRIFTING[9], DRIFTING[14], DRIFTING[20])


@pytest.fixture(scope="module")
def noise(write_evaluator) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


@st.composite
def options(draw: st.DrawFn, drifts: bool) -> dict[str, Any]:
    """A depth, an algorithm, and anything that can be switched on in it."""
    algorithms = ("expectiminimax", "star1", "star2") if drifts else ("minimax", "alphabeta", "pvs")
    chosen: dict[str, Any] = {
        "depth": draw(st.integers(1, 3 if drifts else 5)),
        "algorithm": draw(st.sampled_from(algorithms)),
        "order": draw(st.sampled_from(("left", "centre", "killers", "history", "random"))),
        "table": draw(st.sampled_from((0, 2, 12))),
        "iterative": draw(st.booleans()),
    }
    if chosen["iterative"] and chosen["algorithm"] not in ("minimax", "expectiminimax"):
        chosen["aspiration"] = draw(st.sampled_from((0.0, 0.5, 2.0, 1e-20)))
    return chosen


def assert_the_same(scorer: Scorer, position: Position, chosen: dict[str, Any]) -> None:
    """Value, move, depth and what is known of the move, by 1, 2 and 4 threads; one search after the other."""
    one = Searcher(scorer, settings_for(position.rules, chosen))
    alone = one.search(position)
    for threads in THREADS:
        several = Searcher(scorer, settings_for(position.rules, {**chosen, "threads": threads}))
        for _ in range(2):
            found = several.search(position)
            assert (found.score, found.chosen) == (alone.score, alone.chosen), threads
            left = position.rules.rows * position.rules.columns - position.occupied.bit_count()
            assert min(found.depth, left) == min(alone.depth, left), (
                "one that is not told the cells left says its depth"
            )
            known = {move.column: move for move in several.root_moves()}
            assert known[found.chosen].exact
            values = {move.column: move for move in one.root_moves()}
            for column, move in known.items():
                if move.exact and column in values:
                    assert values[column].value >= move.value, "what is known exactly is at most what it was bounded by"
        if chosen["algorithm"] in ("minimax", "expectiminimax") and not chosen["table"]:
            assert found.counters == alone.counters, "where nothing is pruned, nothing depends on timing"


@needs_jit
@given(st.data(), positions(BOARDS))
def test_threads_find_the_value_and_move_of_one(noise, data, position):
    assert_the_same(noise(position.rules), position, data.draw(options(drifts=False)))


@needs_jit
@given(st.data(), positions(WITH_CHANCE))
def test_so_they_do_where_discs_drift(noise, data, position):
    assert_the_same(noise(position.rules), position, data.draw(options(drifts=True)))


@needs_jit
@settings(max_examples=10)
@given(positions((STANDARD, WIDE)))
def test_of_equally_good_moves_the_first_in_move_order_is_chosen(write_evaluator, position):
    """Where every position is worth the same, nearly all moves are equals."""
    flat = Scorer(write_evaluator("def evaluate(board):\n    return 0\n"), position.rules)
    for order in ("left", "centre", "history"):
        for depth in (1, 4):
            assert_the_same(flat, position, {"depth": depth, "algorithm": "alphabeta", "order": order, "table": 0})


@settings(max_examples=300)
@given(st.data())
def test_whatever_comes_back_when_the_best_is_the_first_of_those_worth_most(data):
    """A round by itself: searches end in any order, and know no more than their windows ask for."""
    worth = data.draw(st.lists(st.integers(-2, 2).map(float), min_size=1, max_size=8))
    order = data.draw(st.permutations(range(len(worth))))
    made = Round(order, -np.inf, np.inf, prunes=True)
    under_way: list[tuple[int, float]] = []
    while True:
        if data.draw(st.booleans()) or not under_way:
            if (taken := made.next()) is not None:
                under_way.append(taken)
                continue
            if not under_way:
                break
        index, bar = under_way.pop(data.draw(st.integers(0, len(under_way) - 1)))
        less_is_known = worth[index] <= bar and data.draw(st.booleans())
        made.found(index, bar if less_is_known else worth[index], bar)
    assert made.best == worth.index(max(worth))
    assert made.values[made.best] == (max(worth), EXACT)
    assert made.most == max(worth)
    assert {known for _, known in made.values.values()} <= {EXACT, AT_MOST}


def test_a_move_that_comes_before_the_best_one_wins_a_tie():
    made = Round([1, 0, 2], -np.inf, np.inf, prunes=True)
    index, bar = made.next() or (0, 0.0)
    made.found(index, 5.0, bar)
    index, bar = made.next() or (0, 0.0)
    assert (index, bar) == (0, np.nextafter(5.0, -np.inf)), "so that a value of 5 comes back exact"
    made.found(index, 5.0, bar)
    assert made.best == 0
    assert made.next() == (2, 5.0)


@needs_jit
def test_a_fault_in_any_thread_ends_the_search_and_is_told_with_its_position(write_evaluator):
    text = "def evaluate(board):\n    if board[0, 5] != 0:\n        return 1 // board[5, 0]\n    return 0\n"
    scorer = Scorer(write_evaluator(text), STANDARD)
    for chosen in ({"depth": 5}, {"seconds": 30.0}, {"depth": 6, "iterative": True}):
        searcher = Searcher(scorer, settings_for(STANDARD, {**chosen, "threads": 2}))
        with pytest.raises(EvaluatorFault, match="divide"):
            searcher.search(Position())
    quiet = Scorer(write_evaluator("def evaluate(board):\n    return 0\n"), STANDARD)
    assert Searcher(quiet, Settings(3, threads=2)).search(Position()).depth == 3


@needs_jit
def test_a_budget_of_seconds_ends_in_all_threads(noise):
    searcher = Searcher(noise(STANDARD), Settings(seconds=0.05, threads=2))
    found = searcher.search(Position())
    assert 1 <= found.depth < 42
    repeated = searcher.repeating()
    assert (repeated.threads, repeated.depth, repeated.seconds) == (1, found.depth, None)
    again = Searcher(noise(STANDARD), repeated).search(Position())
    assert (again.score, again.chosen) == (found.score, found.chosen)


@needs_jit
def test_a_tree_is_that_of_one_thread(noise):
    several, one = (explain(Position(), noise(SMALL), Settings(3, threads=n), 3) for n in (2, 1))
    assert several.found.counters == one.found.counters
    assert several.tree == one.tree


@needs_jit
def test_what_runs_in_python_has_one_thread(write_evaluator):
    text = "def evaluate(board):\n    class Zero:\n        pass\n\n    return 0 * len(vars(Zero))\n"
    scorer = Scorer(write_evaluator(text), STANDARD)
    assert not scorer.compiled
    with pytest.raises(TourneyError, match=r"runs in Python .* threads need an evaluator that is compiled"):
        Searcher(scorer, Settings(2, threads=2))


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"depth": 2, "threads": 0}, "threads is 0: a search has 1 to 64 of them."),
        ({"depth": 2, "threads": 65}, "threads is 65: a search has 1 to 64 of them."),
        ({"nodes": 9, "threads": 2}, "threads is 2 and nodes 9: how many nodes several threads take depends on timing"),
    ],
)
def test_threads_that_can_not_be_are_told(chosen, told):
    with pytest.raises(TourneyError, match=told):
        Settings(**chosen)


def test_one_thread_is_what_it_was():
    """So that players' keys, and with them all stored games, stay what they are."""
    assert Settings(4, threads=1).non_defaults() == {"depth": 4}
    assert Settings(4, threads=2).described == "alphabeta, threads 2"


@needs_jit
def test_a_position_with_one_open_column(noise):
    position = read_position("11", Rules(2, 2, 2, "most-lines"))
    assert_the_same(noise(position.rules), position, {"depth": 2, "algorithm": "alphabeta", "table": 0})


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


@needs_jit
def test_search_and_play_take_threads_and_search_says_what_depends_on_timing(tourney, monkeypatch):
    code, out, _ = tourney("search", "44", "--evaluator", "runs", "--depth", "5", "--threads", "2")
    assert code == 0
    assert "2 threads: counters depend on timing" in out
    found = []
    for threads in ("1", "2"):
        code, out, _ = tourney("search", "44", "--evaluator", "runs", "--depth", "5", "--threads", threads, "--json")
        found.append(json.loads(out))
    assert [one["settings"]["threads"] for one in found] == [1, 2]
    assert found[0]["score"] == found[1]["score"]
    assert found[0]["move"] == found[1]["move"]
    monkeypatch.setattr("sys.stdin", io.StringIO("4\ntree\nquit\n"))
    code, out, _ = tourney("play", "--evaluator", "runs", "--depth", "4", "--threads", "2")
    assert code == 0
    assert "runs plays column" in out


def test_a_duel_has_no_threads(tourney):
    code, out, err = tourney("duel", "runs", "windows", "--threads", "2")
    assert (code, out) == (2, "")
    assert "--threads" in err
