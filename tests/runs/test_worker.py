"""What comes of a game whose worker was lost: who is to blame, for what, and what is kept of it."""

import math

import pytest

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.engine.result import Counters, SearchResult
from tournament.games.connect4 import STANDARD
from tournament.isolation.ending import Ending
from tournament.isolation.limits import Limits
from tournament.match.journal import LOADING, REFEREEING, THINKING, JournalEntry
from tournament.runs.pool import WorkerDeath
from tournament.runs.worker import GRACE, GameRecipe
from tournament.store import GameTask, SearchTask

GAME = GameTask("g", "one", "two", "44", "depth 2")
SEARCH = SearchTask("s", "one", STANDARD, "44", "depth 2", "", "early")
MOVES = [(SearchResult(column, 0.0, Counters(), 0.1, 0.1, 0, 2, 2), column) for column in (2, 3)]
LIMITS = Limits(move_seconds=2, game_seconds=9)


def death(seat, doing=THINKING, *, late=False, by_game=False) -> WorkerDeath:
    entry = JournalEntry(doing, 0, seat, 100.0, math.inf, by_game)
    return WorkerDeath(Ending(9, 0), late, entry, MOVES, "its last words", noticed=101.5)


@pytest.mark.parametrize(
    ("seat", "result", "output"),
    [("first", "second", ("its last words", "")), ("second", "first", ("", "its last words"))],
)
def test_whoever_was_to_move_has_lost_and_the_last_words_are_its_own(seat, result, output):
    game = GameRecipe({}).lost(GAME, death(seat))
    assert isinstance(game, Game)
    assert (game.result, game.reason, game.moves, game.begun) == (result, "forfeit", "4434", 2)
    assert (game.fault, game.fault_kind) == ("its process ended with signal 9 (SIGKILL).", "signal")
    assert game.output == output


@pytest.mark.parametrize(
    ("loss", "kind", "told"),
    [
        (death("first", late=True), "move time", "more than 2 seconds about one move"),
        (death("first", late=True, by_game=True), "game time", "more than 9 seconds in this game"),
        (death("first", LOADING, late=True), "load", "its file could not be loaded within 60 seconds"),
        (death("first", LOADING), "load", "while its file was being loaded, its process ended with signal 9"),
    ],
)
def test_what_it_did_wrong_is_told_by_what_it_was_doing(loss, kind, told):
    game = GameRecipe({}, limits=LIMITS).lost(GAME, loss)
    assert game is not None
    assert (game.fault_kind, told in (game.fault or "")) == (kind, True)


@pytest.mark.parametrize(
    ("loss", "seconds"),
    [
        (death("first"), 1.5),
        (death("first")._replace(noticed=190.0), 9),  # as long as it may think in all
        (death("first", LOADING), None),  # no move
    ],
)
def test_a_move_that_was_never_made_costs_what_it_took(loss, seconds):
    game = GameRecipe({}, limits=LIMITS).lost(GAME, loss)
    assert isinstance(game, Game)
    assert game.forfeit_seconds == seconds


@pytest.mark.parametrize("written", [math.nan, math.inf, -math.inf])
def test_what_a_player_writes_over_the_clock_is_bounded(written):
    loss = death("first")
    game = GameRecipe({}, limits=LIMITS).lost(GAME, loss._replace(entry=loss.entry._replace(began=written)))
    assert isinstance(game, Game)
    assert game.forfeit_seconds is not None
    assert 0 <= game.forfeit_seconds <= 9


def test_a_death_that_is_nobodys_is_tried_again():
    assert GameRecipe({}).lost(GAME, death(None, REFEREEING)) is None
    assert GameRecipe({}, isolation="player").lost(GAME, death("first")) is None  # the referee's, not the player's
    assert GameRecipe({}, isolation="player").lost(GAME, death("first", late=True)) is not None


def test_a_search_that_was_lost_is_a_fault_without_findings():
    done = GameRecipe({}).lost(SEARCH, death("first"))
    assert isinstance(done, Measured)
    assert (done.found, done.fault_kind) == ((), "signal")


def test_only_a_referee_of_players_apart_is_given_more_time_than_its_players():
    assert [GameRecipe({}, isolation=way).grace for way in ("game", "player", "sandbox")] == [0, GRACE, GRACE]
