"""The tables of algorithms and move orders: complete, and in the words that the search knows."""

from typing import get_args

import pytest
from strategies import STANDARD

from tournament.engine.algorithms import (
    ALGORITHMS,
    DYNAMIC,
    ORDERS,
    UNPRUNED,
    WITH_CHANCE,
    Algorithm,
    Order,
    algorithms_for,
    usual_algorithm,
)
from tournament.engine.searcher import column_order, state_for
from tournament.engine.settings import Settings
from tournament.engine.state import STATE
from tournament.games.connect4 import Rules

DRIFTING = Rules(drift=0.6)


def test_every_name_that_types_know_is_in_its_table_and_in_the_same_order():
    assert tuple(ALGORITHMS) == get_args(Algorithm)
    assert tuple(ORDERS) == get_args(Order)


def test_what_each_can_do():
    assert WITH_CHANCE == ("expectiminimax", "star1", "star2")
    assert UNPRUNED == ("minimax", "expectiminimax")
    assert DYNAMIC == ("killers", "history")


@pytest.mark.parametrize("rules", [STANDARD, DRIFTING], ids=str)
def test_the_usual_algorithm_prunes_and_suits_the_rules(rules):
    usual = usual_algorithm(rules)
    assert usual in algorithms_for(rules)
    assert ALGORITHMS[usual].prunes


@pytest.mark.parametrize(("table", "name"), [(t, n) for t in (ALGORITHMS, ORDERS) for n in t])
def test_each_says_what_it_is_and_switches_on_what_the_state_has(table, name):
    assert table[name].help.endswith(".")
    assert set(table[name].switches) <= set(STATE.names)


@pytest.mark.parametrize(
    ("settings", "on"),
    [
        (Settings(2), {"use_pruning"}),
        (Settings(2, "minimax"), set()),
        (Settings(2, "pvs"), {"use_pruning", "use_scouts"}),
        (Settings(2, "pvs", "killers"), {"use_pruning", "use_scouts", "use_killers"}),
        (Settings(2, order="history"), {"use_pruning", "use_history"}),
        (Settings(2, order="centre"), {"use_pruning"}),
        (Settings(2, order="random"), {"use_pruning", "use_shuffle"}),
        (Settings(2, "expectiminimax"), set()),
        (Settings(2, "star1"), {"use_pruning"}),
        (Settings(2, "star2", "history"), {"use_pruning", "use_probes", "use_history"}),
    ],
    ids=lambda value: value.described if isinstance(value, Settings) else "",
)
def test_a_search_has_switched_on_what_its_algorithm_and_order_say(settings, on):
    state = state_for(STANDARD, settings, column_order(settings.order, STANDARD.columns))
    assert {
        name for name in ("use_pruning", "use_scouts", "use_probes", "use_killers", "use_history") if state[name]
    } == on


@pytest.mark.parametrize(
    ("settings", "extended"),
    [
        (Settings(2), False),
        (Settings(2, "minimax", "centre"), False),
        (Settings(2, "star2"), False),
        (Settings(2, "pvs"), True),
        (Settings(2, order="killers"), True),
        (Settings(2, table=8), True),
        (Settings(2, iterative=True), True),
        (Settings(nodes=9), True),
    ],
    ids=lambda value: value.described if isinstance(value, Settings) else "",
)
def test_what_is_plain_is_compiled_without_the_rest(settings, extended):
    assert settings.extended == extended
