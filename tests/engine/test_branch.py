"""One branch of a search's tree: it is the branch that the whole tree has, however it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NOISE, Ready, once_per_rules
from test_tree import WHOLE, searches

from tournament.engine.branch import follow_branch
from tournament.engine.settings import Settings
from tournament.engine.tree import Explained, Node, explain
from tournament.errors import PositionError
from tournament.games.connect4 import STANDARD, Position, Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

Bundled = Callable[[str, Rules], Scorer]


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


def flat(node: Node) -> dict[str, Any]:
    return node.to_json() | {"children": len(node.children)}


@given(drawn_search=searches(), choices=st.lists(st.integers(0, 8), max_size=6))
def test_a_branch_has_the_nodes_and_children_that_the_whole_tree_has(
    noise: Ready, drawn_search: tuple[Position, Settings], choices: list[int]
) -> None:
    position, settings = drawn_search
    scorer = noise(position.rules)
    whole: Explained = explain(position, scorer, settings, WHOLE)
    node, path = whole.tree, []
    expected = [node]
    for choice in choices:
        if node.children:
            path.append(choice % len(node.children))
            node = node.children[path[-1]]
            expected.append(node)
    branch = follow_branch(position, scorer, settings, path)
    assert [flat(node) for node in branch.nodes] == [flat(node) for node in expected]
    for kept, known in zip(branch.nodes, expected, strict=True):
        theirs = [flat(child) | {"children": None} for child in known.children]
        assert [flat(child) | {"children": None} for child in kept.children] == theirs
    assert (branch.earlier, branch.unfinished) == (len(whole.earlier), len(whole.unfinished))


@given(drawn_search=searches())
def test_the_best_child_of_each_node_is_the_chosen_line(noise: Ready, drawn_search: tuple[Position, Settings]) -> None:
    position, settings = drawn_search
    scorer = noise(position.rules)
    line = explain(position, scorer, settings, WHOLE).line()
    path: list[int] = []
    for below in line[1:]:
        branch = follow_branch(position, scorer, settings, path)
        best = branch.best(branch.nodes[-1])
        assert best is not None
        assert (best.move, best.value) == (below.move, below.value)
        path.append(next(place for place, child in enumerate(branch.nodes[-1].children) if child is best))
    last = follow_branch(position, scorer, settings, path)
    assert last.nodes[-1].kind == "CHANCE" or last.best(last.nodes[-1]) is None


def test_a_search_that_a_clock_ended_can_be_followed_by_the_nodes_it_took(bundled: Bundled) -> None:
    scorer = bundled("windows", STANDARD)
    position = read_position("44")
    branch = follow_branch(position, scorer, Settings(seconds=0.02))
    assert branch.settings.seconds is None
    again = follow_branch(position, scorer, branch.settings, [0])
    assert again.found.counters == branch.found.counters
    assert again.nodes[0].to_json() | {"children": None} == branch.nodes[0].to_json() | {"children": None}


@pytest.mark.parametrize("path", [[7], [-1], [0, 0, 0]])
def test_a_branch_that_is_not_there_is_a_message(bundled: Bundled, path: list[int]) -> None:
    with pytest.raises(PositionError, match="has no branch"):
        follow_branch(read_position("44"), bundled("windows", STANDARD), Settings(2), path)
