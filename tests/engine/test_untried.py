"""Moves left untried, counted move by move by the naive rules along the tree that was searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import DRIFTING, NOISE, SMALL, SMALL_FULL, STANDARD, Ready, depths, once_per_rules, positions

from tournament.engine.algorithms import ORDERS
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.engine.tree import Explained, Node, explain
from tournament.engine.values import MOST_DEPTH
from tournament.games.connect4 import Position
from tournament.plugins.evaluator import Evaluator


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


def expansions(explained: Explained) -> Iterator[tuple[naive.Board, Node]]:
    """Every position whose moves were tried to the end of its loop, each time, with its node."""

    def below(board: naive.Board, node: Node, mover: str) -> Iterator[tuple[naive.Board, Node]]:
        if node.kind in ("MAX", "MIN") and node.value is not None and not node.from_table:
            yield board, node
        for child in node.children:
            if child.kind == "CHANCE":
                for outcome in child.children:
                    if not outcome.pruned:
                        yield from below(dropped(board, outcome, mover), outcome, naive.OTHER[mover])
            elif not child.pruned:
                yield from below(dropped(board, child, mover), child, naive.OTHER[mover])

    position = explained.position
    for root in (explained.tree, *explained.earlier, *explained.unfinished):
        yield from below(naive.read(str(position)), root, str(position)[-1])


def dropped(board: naive.Board, node: Node, mover: str) -> naive.Board:
    assert node.move is not None
    return naive.drop(board, int(node.move) - 1, mover)


def legal(board: naive.Board) -> int:
    return sum(naive.is_open(board, column) for column in range(len(board[0])))


def tried(node: Node) -> int:
    """How many of its moves were played at least once."""
    return len({child.move for child in node.children if not child.pruned})


@settings(max_examples=40)
@given(position=positions((STANDARD, SMALL, SMALL_FULL)), data=st.data())
def test_what_is_made_and_what_is_left_untried_are_the_legal_moves_of_expanded_positions(
    noise: Ready, position: Position, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 300))
    options: dict[str, Any] = {"algorithm": data.draw(st.sampled_from(["minimax", "alphabeta"]))}
    options |= {"order": data.draw(st.sampled_from(list(ORDERS))), "table": data.draw(st.sampled_from([0, 2, 12]))}
    options["iterative"] = data.draw(st.booleans())
    if options["iterative"] and options["algorithm"] == "alphabeta":
        options["aspiration"] = data.draw(st.sampled_from([0.0, 0.5, 2.0]))
    explained = explain(position, noise(position.rules), Settings(depth, **options), MOST_DEPTH)
    counters = explained.found.counters
    found = list(expansions(explained))
    assert counters.expanded == len(found)
    assert counters.untried is not None
    assert counters.untried + counters.generated == sum(legal(board) for board, _ in found)
    if options["algorithm"] == "minimax":
        assert counters.untried == 0


@settings(max_examples=40)
@given(position=positions((SMALL, SMALL_FULL, *DRIFTING)), data=st.data())
def test_with_repetitions_chance_and_budgets_untried_and_moves_tried_are_the_legal_moves(
    noise: Ready, position: Position, data: st.DataObject
) -> None:
    depth = data.draw(depths(position.rules, 300))
    algorithm = data.draw(st.sampled_from(["star1", "star2"] if position.rules.drifts else ["pvs", "alphabeta"]))
    options: dict[str, Any] = {"order": data.draw(st.sampled_from(list(ORDERS)))}
    options["table"] = data.draw(st.sampled_from([0, 2, 12]))
    limit = data.draw(st.sampled_from([{"depth": depth}, {"depth": depth, "iterative": True}, {"nodes": 40 * depth}]))
    explained = explain(position, noise(position.rules), Settings(algorithm=algorithm, **options, **limit), MOST_DEPTH)
    found = list(expansions(explained))
    assert explained.found.counters.expanded == len(found)
    assert explained.found.counters.untried == sum(legal(board) - tried(node) for board, node in found)


@settings(max_examples=20)
@given(position=positions((STANDARD, SMALL)), seed=st.integers(0, 99))
def test_a_random_order_is_the_same_for_the_same_seed_and_shuffled_at_each_position(
    noise: Ready, position: Position, seed: int
) -> None:
    how = Settings(3, order="random", order_seed=seed)
    one, again = (explain(position, noise(position.rules), how, MOST_DEPTH) for _ in range(2))
    assert one.tree.to_json() == again.tree.to_json()
    assert one.found.counters == again.found.counters


@pytest.mark.needs_jit
def test_random_orders_try_every_move_first_about_equally_often(noise: Ready) -> None:
    position = Position(STANDARD)
    seeds = range(140)
    first: dict[str | None, int] = {}
    of_one: set[str] = set()  # orders at the positions below, for one seed
    for seed in seeds:
        tree = explain(position, noise(STANDARD), Settings(2, "minimax", "random", order_seed=seed), 2).tree
        first[tree.children[0].move] = first.get(tree.children[0].move, 0) + 1
        if seed == 1:
            of_one = {"".join(str(child.move) for child in below.children) for below in tree.children}
    assert len(of_one) > 5
    assert set(first) == set("1234567")
    assert all(8 <= times <= 36 for times in first.values()), first  # 20 each; four standard deviations


def test_a_random_order_counts_what_is_written_down_here(noise: Ready) -> None:
    """The same seed searches the same nodes on every machine and in every version."""
    counters = search(Position(STANDARD), noise(STANDARD), Settings(3, order="random", order_seed=3)).counters
    assert (counters.expanded, counters.generated, counters.untried) == (41, 198, 89), "41 times seven moves are 287"
