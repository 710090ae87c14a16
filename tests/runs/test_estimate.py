"""How long a run will take, from what one move of each player takes."""

import pytest

from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Rules
from tournament.plan.tasks import Plan
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.player import Player
from tournament.report.more import MOST_GAMES_A_SECOND
from tournament.runs import estimate as estimate_module

PLAYERS = (Player("a", Catalogue().load("windows"), Settings(1)), Player("b", Catalogue().load("windows"), Settings(3)))


@pytest.mark.parametrize(
    ("rules", "moves"), [(STANDARD, 0.75 * 21), (Rules(objective="most-lines"), 21)], ids=["first line", "most lines"]
)
def test_the_time_of_all_games_is_shared_among_the_jobs(monkeypatch, rules, moves):
    monkeypatch.setattr(estimate_module, "seconds_per_move", lambda searcher: float(searcher.settings.depth))
    plan = Plan(lambda: iter([PLAYERS]), rules, "both", 1, ["44", "12", "13"])
    kept = 6 / MOST_GAMES_A_SECOND
    assert estimate_module._estimate(plan, 1).seconds == pytest.approx(6 * moves * (1 + 3) + kept)
    assert estimate_module._estimate(plan, 4).seconds == pytest.approx(6 * moves + kept)
