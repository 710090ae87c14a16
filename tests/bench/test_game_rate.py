"""Games a second: the games that were played, their searches alone, and what is told of both."""

import json

import pytest

from tournament.bench import game_rate
from tournament.bench.game_rate import GameRate, game_rates
from tournament.engine.playing import search_all
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, read_position
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.player import Player

pytestmark = pytest.mark.needs_jit


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr(game_rate, "PLAYERS", ("windows", "runs"))
    monkeypatch.setattr(game_rate, "OPENINGS", {1: 2, 2: 1})
    monkeypatch.setattr(game_rate, "ROUNDS", 1)


def test_rates_are_told_of_all_jobs_together():
    one = GameRate(2, jobs=2, games=100, nodes=10, seconds=2.0, searching=1.0, alone=0.5)
    assert (one.per_second, one.share, one.times_alone) == (50, 0.25, 8)


def test_the_same_games_are_played_by_one_job_and_by_two(few_games):
    found = list(game_rates(Catalogue()))
    assert [(one.depth, one.jobs, one.games) for one in found] == [(1, 1, 4), (1, 2, 4), (2, 1, 2), (2, 2, 2)]
    assert found[0].nodes == found[1].nodes > 0
    assert all(one.searching > 0 and one.alone > 0 for one in found)


def test_searches_alone_are_those_that_a_player_makes():
    searcher = Player("windows", Catalogue().load("windows"), Settings(4)).ready(STANDARD)
    positions = [read_position(moves) for moves in ("empty", "44", "4435")]
    boards = game_rate.boards_of([(position.mover, position.occupied) for position in positions])
    assert search_all(searcher, *boards) == sum(searcher.search(one).counters.generated for one in positions)


def test_the_command_prints_a_table_or_json(few_games, tourney):
    code, out, _ = tourney("bench", "--games")
    assert (code, "games/s" in out) == (0, True)
    told = json.loads(tourney("bench", "--games", "--json")[1])
    assert {"depth", "jobs", "per_second", "share", "times_alone"} <= set(told["rates"][0])
