"""Whole games in compiled code: the same, to the digit, as those that the referee asks for move by move."""

import math
import pickle
import time
from dataclasses import replace

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NARROW, NOISE, SMALL, STANDARD, WIDE

from tournament.engine.jit.clocks import cpu_clock, wall_clock
from tournament.engine.packed import generated
from tournament.engine.settings import settings_for
from tournament.errors import TourneyError
from tournament.games.connect4 import Position, play_moves
from tournament.isolation.limits import Limits
from tournament.match.journal import REFEREEING, THINKING, Journal
from tournament.match.referee import play
from tournament.match.side import LocalSide
from tournament.plugins.player import Player

pytestmark = pytest.mark.needs_jit

BOARDS = (
    STANDARD,
    SMALL,
    NARROW,
    WIDE,
    replace(SMALL, objective="most-lines"),
    replace(SMALL, drift=0.6),
    replace(NARROW, drift=0.3, drift_players="first"),
    replace(SMALL, objective="most-lines", drift=0.7, drift_players="second"),
)
LIMITED = (
    {"depth": 1},
    {"depth": 3},
    {"depth": 3, "order": "centre"},
    {"depth": 3, "order": "killers", "table": 8},
    {"depth": 4, "order": "history", "table": 8, "iterative": True},
    {"nodes": 60},
    {"nodes": 200, "table": 10, "aspiration": 3.0},
)


class OneByOne:
    """A side that the referee has to ask for every move."""

    def __init__(self, side: LocalSide) -> None:
        self._side = side
        self.output = ""

    is_agent = False

    def move(self, position, time_left):
        return self._side.move(position, time_left)


@pytest.fixture(scope="module")
def noise(write_evaluator):
    return write_evaluator(NOISE, "noise")


def without_times(game):
    found = [each._replace(seconds=0.0, cpu_seconds=0.0) for each in game.found]
    return (game.opening, found, game.landed, game.result, game.reason, game.fault, game.begun, game.fault_kind)


@given(
    rules=st.sampled_from(BOARDS),
    how=st.tuples(st.sampled_from(LIMITED), st.sampled_from(LIMITED)),
    seed=st.integers(0, 9),
    opening=st.text("12", max_size=4),
)
def test_a_game_is_the_same_in_one_call_and_move_by_move(noise, rules, how, seed, opening):
    try:
        if play_moves(Position(rules), opening).result is not None:
            return
    except TourneyError:
        return
    players = [Player(name, noise, settings_for(rules, one)) for name, one in zip("ab", how, strict=True)]
    sides = [LocalSide(player, rules, seed) for player in players]
    assert all(side.compiled for side in sides)
    whole = play(*sides, opening, seed, rules=rules)
    asked = play(*map(OneByOne, sides), opening, seed, rules=rules)
    assert without_times(whole) == without_times(asked)
    assert all(each.seconds >= 0 and each.cpu_seconds >= 0 for each in whole.found)


RAISES = """
    '''Raises: where a disc lies in the corner.'''

    def evaluate(board):
        if board[0, 0] != 0:
            raise ValueError("no corner")
        return board[0, 1] + 2 * board[0, 3]
"""
PRINTS = """
    '''Prints: what it is doing.'''

    def evaluate(board):
        print("looking")
        return 0
"""


def sides_of(evaluator, rules=STANDARD, **how):
    return [LocalSide(Player(name, evaluator, settings_for(rules, how)), rules, 1) for name in "ab"]


def test_a_fault_is_the_same_in_one_call_and_comes_after_the_same_moves(write_evaluator):
    sides = sides_of(write_evaluator(RAISES), depth=2)
    for opening in ("", "2"):
        whole, asked = play(*sides, opening), play(*map(OneByOne, sides), opening)
        assert without_times(whole) == without_times(asked)
        assert (whole.reason, whole.fault_kind) == ("forfeit", "raised")
        assert "no corner" in whole.fault
        assert "mine.py:5" in whole.fault
        assert whole.traceback == asked.traceback
        assert whole.forfeit_seconds is not None
        assert whole.forfeit_seconds > 0


def test_a_fault_is_the_same_in_the_middle_of_a_game(write_evaluator):
    late = RAISES.replace("board[0, 0] != 0", "board[2, 5] != 0")
    sides = sides_of(write_evaluator(late), depth=1)
    whole, asked = play(*sides), play(*map(OneByOne, sides))
    assert without_times(whole) == without_times(asked)
    assert whole.reason == "forfeit"
    assert len(whole.found) > 2


@pytest.mark.parametrize(
    ("limits", "kind"),
    [(Limits(move_seconds=1e-9), "move time"), (Limits(move_seconds=2.0, game_seconds=1e-9), "game time")],
)
def test_who_takes_longer_than_allowed_forfeits(noise, limits, kind):
    journal = Journal()
    journal.begins(0)
    game = play(*sides_of(noise, depth=2), limits=limits, journal=journal)
    assert (game.result, game.reason, game.fault_kind, len(game.found)) == ("second", "forfeit", kind, 0)
    entry = journal.entry()
    assert (entry.doing, entry.seat, entry.by_game) == (THINKING, "first", kind == "game time")
    assert entry.deadline < time.monotonic()
    journal.close()


def test_the_journal_has_every_move_of_the_game_and_nobody_is_on_the_clock_at_its_end(noise):
    journal = Journal()
    journal.begins(3)
    game = play(*sides_of(noise, depth=2), journal=journal, limits=Limits())
    assert [found for found, _ in journal.moves()] == list(game.found)
    assert tuple(landed for _, landed in journal.moves()) == game.landed
    entry = journal.entry()
    assert (entry.doing, entry.task, entry.deadline) == (REFEREEING, 3, math.inf)
    journal.begins(4)
    assert journal.moves() == []
    journal.close()


def test_moves_travel_packed_and_are_the_same_when_they_are_looked_at(noise):
    game = play(*sides_of(noise, depth=2))
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.found[0] == game.found[0] == next(iter(game.found))
    assert again.found[-1:] == tuple(game.found)[-1:]
    assert generated(game.found) == sum(each.counters.generated for each in game.found) == generated(tuple(game.found))


def test_who_prints_is_asked_for_every_move_so_that_it_is_known_who_printed(write_evaluator):
    assert not any(side.compiled for side in sides_of(write_evaluator(PRINTS), depth=1))


def test_who_thinks_by_the_clock_is_asked_for_every_move(noise):
    assert not any(side.compiled for side in sides_of(noise, seconds=0.01))


def test_a_table_that_runs_out_of_numbers_is_emptied_before_the_game(noise):
    sides = sides_of(noise, depth=3, table=8)
    expected = without_times(play(*sides))
    for side in sides:
        side.compiled.table.age = np.iinfo(np.int32).max - 5
    assert without_times(play(*sides)) == expected
    assert 0 < sides[0].compiled.table.age < 200


def test_compiled_clocks_are_those_of_python():
    clocks = numba.njit(lambda: (wall_clock(), cpu_clock()))
    clocks()
    before = time.monotonic(), time.thread_time()
    told = clocks()
    after = time.monotonic(), time.thread_time()
    for low, value, high in zip(before, told, after, strict=True):
        assert low - 1e-6 <= value <= high + 1e-6
