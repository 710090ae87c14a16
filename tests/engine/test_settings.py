"""Settings and rules: what is refused, and the one sentence that says so."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from strategies import STANDARD

from tournament.engine import settings as settings_module
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Effort, Settings, check_memory
from tournament.engine.transpositions import Transpositions
from tournament.errors import RulesError, TourneyError
from tournament.games.connect4 import Rules
from tournament.plugins.compiled import Scorer

ALGORITHMS = "Known are alphabeta, minimax, pvs, expectiminimax, star1, star2."
ORDERS = "Known are left, centre, killers, history, random."
EITHER = "a search has either a depth, or a budget of nodes or of seconds."
PROBABILITY = "the probability that a disc lands in the chosen column is more than 0 and at most 1."

Bundled = Callable[[str, Rules], Scorer]


# ── settings ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, f"no limit is given: {EITHER}"),
        ({"depth": 3, "nodes": 500}, f"depth 3 and nodes 500 are given: {EITHER}"),
        ({"depth": 3, "seconds": 0.5}, f"depth 3 and seconds 0.5 are given: {EITHER}"),
        ({"nodes": 500, "seconds": 0.5}, f"nodes 500 and seconds 0.5 are given: {EITHER}"),
        ({"depth": 0}, "depth is 0: a search looks 1 to 128 plies ahead."),
        ({"depth": -3}, "depth is -3: a search looks 1 to 128 plies ahead."),
        ({"depth": 129}, "depth is 129: a search looks 1 to 128 plies ahead."),
        ({"nodes": 0}, "nodes is 0: a budget is at least 1 node."),
        ({"nodes": -1}, "nodes is -1: a budget is at least 1 node."),
        ({"seconds": 0}, "seconds is 0: a budget is a positive number of seconds."),
        ({"seconds": -1.0}, "seconds is -1.0: a budget is a positive number of seconds."),
        ({"seconds": math.nan}, "seconds is nan: a budget is a positive number of seconds."),
        ({"seconds": math.inf}, "seconds is inf: a budget is a positive number of seconds."),
        (
            {"depth": 2, "algorithm": "minmax"},
            f"algorithm `minmax` is not known; did you mean `minimax`? {ALGORITHMS}",
        ),
        ({"depth": 2, "algorithm": "star3"}, f"algorithm `star3` is not known; did you mean `star2`? {ALGORITHMS}"),
        ({"depth": 2, "algorithm": "mcts"}, f"algorithm `mcts` is not known. {ALGORITHMS}"),
        ({"depth": 2, "order": "center"}, f"order `center` is not known; did you mean `centre`? {ORDERS}"),
        ({"depth": 2, "order": "killer"}, f"order `killer` is not known; did you mean `killers`? {ORDERS}"),
        ({"depth": 2, "order_seed": 2}, "order_seed is 2: only the order `random` is drawn from a seed."),
        ({"depth": 2, "order": "random", "order_seed": -1}, "order_seed is -1: a seed is 0 to 2,147,483,647."),
        ({"depth": 2, "order": "zigzag"}, f"order `zigzag` is not known. {ORDERS}"),
        (
            {"depth": 2, "table": -1},
            "table is -1: it is the power of two of its positions, 1 to 36, or 0 for none.",
        ),
        (
            {"depth": 2, "table": 99},
            "table is 99: it is the power of two of its positions, 1 to 36, or 0 for none.",
        ),
        (
            {"depth": 2, "iterative": True, "aspiration": -1.0},
            "aspiration is -1.0: half the width of a window is a positive number.",
        ),
        (
            {"depth": 2, "iterative": True, "aspiration": math.nan},
            "aspiration is nan: half the width of a window is a positive number.",
        ),
        (
            {"depth": 2, "iterative": True, "aspiration": math.inf},
            "aspiration is inf: half the width of a window is a positive number.",
        ),
        (
            {"depth": 2, "aspiration": 10.0},
            "aspiration needs `iterative`: its window stands around the score of the depth before.",
        ),
        (
            {"depth": 2, "algorithm": "minimax", "iterative": True, "aspiration": 10.0},
            "aspiration has no use in minimax, which prunes nothing.",
        ),
        (
            {"nodes": 20, "algorithm": "expectiminimax", "aspiration": 10.0},
            "aspiration has no use in expectiminimax, which prunes nothing.",
        ),
    ],
    ids=str,
)
def test_bad_settings_get_one_sentence_with_the_nearest_name(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TourneyError) as caught:
        Settings(**wrong)
    assert str(caught.value) == sentence


def test_a_budget_deepens_by_itself_so_that_aspiration_needs_no_more() -> None:
    assert Settings(nodes=500, aspiration=10.0).deepens
    assert Settings(seconds=0.05, aspiration=10.0).deepens
    assert not Settings(4).deepens


def test_what_is_told_of_settings_makes_the_same_again() -> None:
    for settings in (
        Settings(4),
        Settings(nodes=20_000, algorithm="pvs", order="history", table=20, aspiration=5.0),
        Settings(seconds=0.05, algorithm="star2", iterative=True),
    ):
        assert Settings(**settings.non_defaults()) == settings
    assert Settings(4).non_defaults() == {"depth": 4}


@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        (Settings(8), "8"),
        (Settings(nodes=1), "1 node"),
        (Settings(nodes=20_000), "20,000 nodes"),
        (Settings(seconds=0.05), "0.05 s"),
    ],
)
def test_a_limit_is_shown_as_depth_nodes_or_seconds(settings: Settings, limit: str) -> None:
    assert settings.limit == settings.effort.text == limit


def test_efforts_are_the_same_for_the_same_limit_and_sort_by_kind_then_size() -> None:
    assert Settings(8).effort == Settings(8, "pvs", table=10).effort == Effort("depth", 8)
    efforts = [Settings(seconds=0.05), Settings(nodes=300), Settings(10), Settings(nodes=20), Settings(9)]
    in_order = sorted((settings.effort for settings in efforts), key=lambda effort: effort.order)
    assert [effort.sentence for effort in in_order] == ["depth 9", "depth 10", "20 nodes", "300 nodes", "0.05 s"]


# ── algorithms and boards ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("algorithm", ["alphabeta", "minimax", "pvs"])
def test_an_algorithm_without_chance_is_refused_where_discs_drift(bundled: Bundled, algorithm: Any) -> None:
    with pytest.raises(TourneyError) as caught:
        Searcher(bundled("windows", Rules(drift=0.6)), Settings(2, algorithm))
    assert str(caught.value) == (
        f"{algorithm} knows no chance, and discs drift on this board: use expectiminimax, star1, star2."
    )


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1", "star2"])
def test_an_algorithm_with_chance_is_refused_where_none_drifts(bundled: Bundled, algorithm: Any) -> None:
    with pytest.raises(TourneyError) as caught:
        Searcher(bundled("windows", STANDARD), Settings(2, algorithm))
    assert str(caught.value) == (
        f"{algorithm} is for boards on which discs drift, and on this one none does: "
        "use alphabeta, minimax, pvs, or let discs drift."
    )


def test_on_a_board_of_one_column_no_disc_can_drift() -> None:
    rules = Rules(5, 1, 3, drift=0.5)
    assert not rules.drifts
    Settings(2).suit(rules)
    with pytest.raises(TourneyError, match=r"^star1 is for boards on which discs drift"):
        Settings(2, "star1").suit(rules)


# ── tables and memory ────────────────────────────────────────────────────────────────────────────


def test_a_table_that_does_not_fit_into_memory_is_refused_with_the_largest_that_does(
    bundled: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings_module, "memory_available", lambda: 3 << 30)
    with pytest.raises(TourneyError) as caught:
        Searcher(bundled("windows", STANDARD), Settings(2, table=30))
    assert str(caught.value) == (
        "a table of 2^30 positions takes 32.0 GB and 3.0 GB are free: use a table of at most 26."
    )


def test_the_memory_of_many_processes_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "memory_available", lambda: 3 << 30)
    check_memory(26)
    check_memory(24, copies=6)
    with pytest.raises(TourneyError) as caught:
        check_memory(24, copies=7)
    assert str(caught.value) == (
        "a table of 2^24 positions in each of 7 processes takes 3.5 GB and 3.0 GB are free: use a table of at most 23."
    )


@pytest.mark.parametrize("free", [31, 32, 1000, 1 << 20, (1 << 20) - 1])
def test_a_table_of_the_size_advised_fits_and_the_next_does_not(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(settings_module, "memory_available", lambda: free)
    with pytest.raises(TourneyError) as caught:
        Transpositions(20)
    advised = int(str(caught.value).removesuffix(".").split()[-1])
    if advised > 0:  # 0 is no table at all
        assert len(Transpositions(advised).entries) == 1 << advised
    with pytest.raises(TourneyError, match="are free"):
        Transpositions(advised + 1)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"drift": 0.0}, f"drift is 0: {PROBABILITY}"),
        ({"drift": 1.2}, f"drift is 1.2: {PROBABILITY}"),
        ({"drift": -0.1}, f"drift is -0.1: {PROBABILITY}"),
        ({"drift": math.nan}, f"drift is nan: {PROBABILITY}"),
        ({"drift": math.inf}, f"drift is inf: {PROBABILITY}"),
        (
            {"objective": "most-line"},
            "objective is `most-line`; did you mean `most-lines`? Known are first-line, most-lines.",
        ),
        ({"objective": "xyz"}, "objective is `xyz`. Known are first-line, most-lines."),
        (
            {"drift_players": "fist"},
            "drift-players is `fist`; did you mean `first`? Known are both, first, second.",
        ),
        ({"drift_players": "X"}, "drift-players is `X`. Known are both, first, second."),
        (
            {"rows": 3, "columns": 4, "connect": 5},
            "connect is 5, but no line of a board of 3×4 is longer than 4: choose a smaller connect or a larger board.",
        ),
        ({"connect": 1}, "connect is 1: a line has at least 2 discs."),
    ],
    ids=str,
)
def test_bad_rules_get_one_sentence_with_the_nearest_name(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**wrong)
    assert str(caught.value) == sentence
