"""Whole games: the four that were checked by an independent program, to the digit."""

import pytest

from tournament.catalogue import Catalogue
from tournament.errors import PositionError
from tournament.players import Player
from tournament.referee import play
from tournament.rules import STANDARD, Rules
from tournament.search import Counters, Settings

# depth, first, second, moves, result, then (generated, expanded, evaluated) of first and second (R5)
CHECKED = [
    (2, "windows", "squares", "444444222222315", "first", (219, 56, 169), (211, 51, 162)),
    (2, "squares", "windows", "222225355333563655636266114", "first", (433, 97, 343), (388, 94, 297)),
    (
        4,
        "windows",
        "squares",
        "44442333321467636662242311126777511",
        "first",
        (7_037, 1_972, 4_870),
        (8_782, 2_312, 6_031),
    ),
    (
        4,
        "squares",
        "windows",
        "4444433331346763666226211111222777555",
        "first",
        (5_960, 1_704, 4_071),
        (4_689, 1_474, 2_995),
    ),
]


def ready(name: str, depth: int, rules: Rules = STANDARD):
    return Player(name, Catalogue().load(name), Settings(depth)).ready(rules)


def figures(counters: Counters) -> tuple[int, int, int]:
    return (counters.generated, counters.expanded, counters.evaluated)


@pytest.mark.parametrize(("depth", "first", "second", "moves", "result", "of_first", "of_second"), CHECKED)
def test_the_checked_games_come_out_to_the_digit(depth, first, second, moves, result, of_first, of_second):
    game = play(ready(first, depth), ready(second, depth))
    assert (game.moves, game.result, game.reason) == (moves, result, "line")
    assert (figures(game.counters("first")), figures(game.counters("second"))) == (of_first, of_second)


def test_an_opening_is_played_before_anybody_thinks():
    game = play(ready("windows", 2), ready("squares", 2), opening="445")
    assert game.moves.startswith("445")
    assert len(game.found) == len(game.moves) - 3
    searched = game.counters("first").expanded + game.counters("second").expanded
    assert searched == sum(found.counters.expanded for found in game.found)
    assert game.counters("second") != game.counters("first")


def test_the_side_after_an_odd_opening_is_the_second():
    game = play(ready("windows", 1), ready("squares", 1), opening="4")
    assert game.counters("second").expanded == (len(game.found) + 1) // 2  # depth 1 expands only the root


def test_a_full_board_is_a_draw():
    rules = Rules(2, 3, 3)
    game = play(ready("windows", 6, rules), ready("windows", 6, rules))
    assert (game.result, game.reason, len(game.moves)) == ("draw", "full board", 6)


@pytest.mark.parametrize("opening", ["1212121", "8", "12121214"])
def test_an_opening_that_can_not_be_played_on_is_refused(opening):
    with pytest.raises(PositionError):
        play(ready("windows", 1), ready("windows", 1), opening=opening)
