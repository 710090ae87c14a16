"""Good configs: the games they plan, who plays them with which settings, and what their ids depend on."""

from pathlib import Path

import pytest
from folders import CONFIGS

from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Rules, every_opening
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config

TWO = "players: [windows, runs]\ndepths: [2]\n"

Planned = tuple[str, int | str, str, int | str]


def player(settings: str, rest: str = "depths: [2]") -> str:
    """A config whose first player has these settings."""
    return f"players:\n  a: {{evaluator: windows, {settings}}}\n  b: runs\n{rest}\n"


def planned(folder: Path, text: str) -> list[Planned]:
    """The games that a config plans: first, its depth or budget, second, its depth or budget."""
    path = folder / "good.yaml"
    path.write_text(text)
    plan = make_plan(read_config(path))
    games = list(plan.games())
    assert len({game.id for game in games}) == len(games), "games of a plan have ids of their own"
    seats = [(side.name, side.settings) for game in games for side in (game.first, game.second)]
    sides = [(name, settings.depth or settings.limit) for name, settings in seats]
    return [(*first, *second) for first, second in zip(sides[::2], sides[1::2], strict=True)]


def test_a_list_of_evaluators_plays_everybody_against_everybody_in_both_seats(tmp_path):
    assert planned(tmp_path, "players: [windows, squares, runs]\ndepths: [2, 4]\n") == [
        (first, depth, second, depth)
        for depth in (2, 4)
        for pair in (("windows", "squares"), ("windows", "runs"), ("squares", "runs"))
        for first, second in (pair, pair[::-1])
    ]


def test_the_mapping_gives_players_names_and_the_long_form_their_settings(tmp_path):
    text = """
players:
  john: squares
  brittany: {evaluator: runs, order: centre, algorithm: minimax}
depths: [2]
"""
    assert planned(tmp_path, text) == [("john", 2, "brittany", 2), ("brittany", 2, "john", 2)]
    john, brittany = make_plan(read_config(tmp_path / "good.yaml")).players().values()
    assert (john.evaluator.name, john.settings.algorithm, john.settings.order) == ("squares", "alphabeta", "left")
    assert (brittany.evaluator.name, brittany.settings.algorithm, brittany.settings.order) == (
        "runs",
        "minimax",
        "centre",
    )


def test_a_gauntlet_is_one_against_all_others(tmp_path):
    text = "players: [windows, squares, runs]\ndepths: [3]\npairings: {gauntlet: squares}\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("squares", 3, "windows", 3), ("squares", 3, "runs", 3)]


def test_an_explicit_list_takes_all_forms(tmp_path):
    text = """
players: {robert: windows, john: squares, brittany: runs}
depths: [2, 4]
seats: as-listed
pairings:
  - [robert, john]
  - {first: john, second: brittany, depth: 5}
  - {first: {player: john, depth: 1}, second: {player: robert, depth: 8}}
  - {first: brittany, second: {player: robert, depth: 3}}
  - {first: {player: john, depth: 6}, second: brittany, depth: 7}
"""
    assert planned(tmp_path, text) == [
        ("robert", 2, "john", 2),
        ("john", 5, "brittany", 5),
        ("john", 1, "robert", 8),
        ("brittany", 2, "robert", 3),
        ("john", 6, "brittany", 7),
        # at the second of the depths, those that leave it open
        ("robert", 4, "john", 4),
        ("brittany", 4, "robert", 3),
    ]


def test_pairings_that_say_how_deep_need_no_depths(tmp_path):
    text = "players: [windows, runs]\npairings:\n  - {first: windows, second: runs, depth: 3}\n"
    assert planned(tmp_path, text) == [("windows", 3, "runs", 3), ("runs", 3, "windows", 3)]


def test_a_depth_or_a_budget_that_is_listed_twice_is_played_once(tmp_path):
    budgets = "budget: [{nodes: 500}, {nodes: 500}]\n"
    twice = planned(tmp_path, f"players: [windows, runs]\ndepths: [2, 2, 4]\n{budgets}")
    assert twice == planned(tmp_path, f"players: [windows, runs]\ndepths: [2, 4]\n{budgets}")
    assert len(twice) == len(set(twice)) == 6


def test_a_depth_of_a_player_stands_above_the_depths_of_all(tmp_path):
    text = "players:\n  deep: {evaluator: windows, depth: 6}\n  john: squares\ndepths: [2, 4]\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("deep", 6, "john", 2), ("deep", 6, "john", 4)]


def test_players_that_all_have_a_depth_play_once_and_need_no_depths(tmp_path):
    players = (
        "players:\n  deep: {evaluator: windows, depth: 6}\n  flat: {evaluator: windows, depth: 1}\nseats: as-listed\n"
    )
    assert planned(tmp_path, players) == [("deep", 6, "flat", 1)]
    assert planned(tmp_path, f"{players}depths: [2, 4]\n") == [("deep", 6, "flat", 1)]


def test_an_agent_stands_at_the_depth_of_whom_it_plays(tmp_path):
    (tmp_path / "agent.py").write_text("def agent(observation, configuration):\n    return 0\n")
    players = "players:\n  wild: {connectx: agent.py}\n  deep: {evaluator: windows, depth: 6}\n  john: squares\n"
    pairings = "pairings: [[wild, deep], [deep, wild], [wild, john]]\nseats: as-listed\ndepths: [2, 4]\n"
    assert planned(tmp_path, players + pairings) == [
        *(("wild", 6, "deep", 6), ("deep", 6, "wild", 6)),
        *(("wild", 2, "john", 2), ("wild", 4, "john", 4)),
    ]


def test_budgets_come_after_depths_one_or_several(tmp_path):
    text = "players: [windows, runs]\nseats: as-listed\nbudget: {}\n"
    assert planned(tmp_path, text.format("{nodes: 2000}")) == [("windows", "2,000 nodes", "runs", "2,000 nodes")]
    budgets = "[{seconds: 0.05}, {nodes: 100}]\ndepths: [3]"
    assert [game[1] for game in planned(tmp_path, text.format(budgets))] == [3, "0.05 s", "100 nodes"]


def test_a_budget_stands_wherever_a_depth_does(tmp_path):
    text = """
players:
  rich: {evaluator: windows, budget: {nodes: 5000}}
  john: squares
  runs: runs
depths: [2]
budget: {nodes: 100}
seats: as-listed
pairings:
  - [rich, john]
  - {first: john, second: runs, budget: {seconds: 1}}
  - {first: {player: rich, depth: 3}, second: {player: john, budget: {nodes: 7}}}
  - {first: {player: john, depth: 6}, second: runs, budget: {nodes: 8}}
"""
    assert planned(tmp_path, text) == [
        ("rich", "5,000 nodes", "john", 2),
        ("john", "1 s", "runs", "1 s"),
        ("rich", 3, "john", "7 nodes"),
        ("john", 6, "runs", "8 nodes"),
        ("rich", "5,000 nodes", "john", "100 nodes"),
    ]


def test_a_player_may_play_itself_at_a_depth_and_within_a_budget(tmp_path):
    one, other = "{player: windows, depth: 2}", "{player: windows, budget: {nodes: 9}}"
    text = f"players: [windows]\npairings:\n  - {{first: {one}, second: {other}}}\n"
    assert planned(tmp_path, text) == [("windows", 2, "windows", "9 nodes"), ("windows", "9 nodes", "windows", 2)]


def test_options_reach_the_players(tmp_path):
    options = "algorithm: pvs, order: history, table: 12, iterative: true, aspiration: 7.5"
    (tmp_path / "good.yaml").write_text(player(options))
    a, b = make_plan(read_config(tmp_path / "good.yaml")).players().values()
    assert a.settings == Settings(2, "pvs", "history", table=12, iterative=True, aspiration=7.5)
    assert b.settings == Settings(2)


@pytest.mark.parametrize("budget", ["budget: {nodes: 200}", "budget: {seconds: 0.1}"])
def test_aspiration_goes_with_a_budget_which_deepens_by_itself(tmp_path, budget):
    assert planned(tmp_path, player("aspiration: 20", budget))
    assert planned(tmp_path, player(f"aspiration: 20, {budget}"))
    pairing = f"pairings:\n  - {{first: a, second: b, {budget}}}"
    assert planned(tmp_path, player("aspiration: 20", pairing))


def test_the_algorithm_is_star1_where_discs_drift_unless_told_otherwise(tmp_path):
    rules = "depths: [2]\nrules: {drift: {chosen: 0.6, players: second}, objective: most-lines}"
    (tmp_path / "good.yaml").write_text(player("algorithm: star2", rules))
    plan = make_plan(read_config(tmp_path / "good.yaml"))
    assert plan.rules == Rules(objective="most-lines", drift=0.6, drift_players="second")
    assert [each.settings.algorithm for each in plan.players().values()] == ["star2", "star1"]


def test_a_drift_of_1_is_none(tmp_path):
    (tmp_path / "good.yaml").write_text(f"{TWO}rules: {{drift: {{chosen: 1}}}}\n")
    plan = make_plan(read_config(tmp_path / "good.yaml"))
    assert {each.settings.algorithm for each in plan.players().values()} == {"alphabeta"}


def test_a_player_may_play_itself_at_another_depth(tmp_path):
    text = """
players: [windows]
pairings:
  - {first: {player: windows, depth: 1}, second: {player: windows, depth: 3}}
"""
    assert planned(tmp_path, text) == [("windows", 1, "windows", 3), ("windows", 3, "windows", 1)]


def test_seats_as_listed_are_one_game_a_pairing(tmp_path):
    text = "players: [windows, runs]\ndepths: [2]\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("windows", 2, "runs", 2)]


def test_random_seats_follow_the_seed(tmp_path):
    text = "players: [balanced, lines, points, room, runs, squares, windows]\ndepths: [2, 4]\nseats: random\nseed: {}\n"
    once, again, other = (planned(tmp_path, text.format(seed)) for seed in (1, 1, 2))
    listed = planned(tmp_path, text.format(1).replace("random", "as-listed"))
    assert once == again
    assert once != other
    assert len(once) == len(listed) == 42
    swapped = [drawn != given for drawn, given in zip(once, listed, strict=True)]
    assert 0 < sum(swapped) < 42
    assert [
        drawn if not swap else (*drawn[2:], *drawn[:2]) for drawn, swap in zip(once, swapped, strict=True)
    ] == listed


def test_random_seats_of_a_pairing_do_not_depend_on_who_else_plays(tmp_path):
    text = "players: [{}]\ndepths: [2]\nseats: random\n"
    few = planned(tmp_path, text.format("lines, points, room, runs"))
    more = planned(tmp_path, text.format("balanced, lines, points, room, runs, squares"))
    assert set(few) < set(more)


def test_evaluators_are_found_beside_the_config_wherever_one_stands(tmp_path, monkeypatch):
    (tmp_path / "configs").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "alice.py").write_text("def evaluate(board):\n    return 0\n")
    (tmp_path / "bob.py").write_text("def evaluate(board):\n    return 1\n")
    monkeypatch.chdir("/")
    text = "players: [alice, bob]\ndepths: [1]\nseats: as-listed\nevaluators: [../mine, ../bob.py]\n"
    assert planned(tmp_path / "configs", text) == [("alice", 1, "bob", 1)]


def test_other_rules_reach_the_plan_and_the_ids(tmp_path):
    ids = set()
    variants = ("{objective: most-lines}", "{drift: {chosen: 0.6}}", "{drift: {chosen: 0.6, players: first}}")
    for rules in ("{}", "{rows: 5}", "{columns: 6}", *variants, "{connect: 3}"):
        (tmp_path / "good.yaml").write_text(f"{TWO}rules: {rules}\nseats: as-listed\n")
        plan = make_plan(read_config(tmp_path / "good.yaml"))
        ids |= {game.id for game in plan.games()}
    assert (plan.rules.rows, plan.rules.columns, plan.rules.connect) == (6, 7, 3)
    assert len(ids) == 7


ID_CHANGES = {
    "the seed": f"{TWO}seed: 2\n",
    "the name of a player": "players: {windows: windows, rolf: runs}\ndepths: [2]\n",
    "the evaluator": "players: {windows: windows, runs: lines}\ndepths: [2]\n",
    "the depth": "players: [windows, runs]\ndepths: [3]\n",
    "the order": "players: {windows: windows, runs: {evaluator: runs, order: centre}}\ndepths: [2]\n",
    "the algorithm": "players: {windows: windows, runs: {evaluator: runs, algorithm: minimax}}\ndepths: [2]\n",
    "the table": "players: {windows: windows, runs: {evaluator: runs, table: 8}}\ndepths: [2]\n",
    "iterative": "players: {windows: windows, runs: {evaluator: runs, iterative: true}}\ndepths: [2]\n",
    "a budget": "players: [windows, runs]\nbudget: {nodes: 2}\n",
}
ID_STAYS = {
    "the title": f"{TWO}title: x\n",
    "the form": "players: {windows: windows, runs: {evaluator: runs}}\npairings: {gauntlet: runs}\ndepths: [2]\n",
    "more players and depths": "players: [lines, windows, runs]\ndepths: [1, 2]\n",
}


def ids(folder: Path, text: str) -> set[str]:
    (folder / "good.yaml").write_text(text)
    return {game.id for game in make_plan(read_config(folder / "good.yaml")).games()}


@pytest.mark.parametrize("changed", ID_CHANGES)
def test_what_decides_a_game_changes_its_id(tmp_path, changed):
    assert not ids(tmp_path, TWO) & ids(tmp_path, ID_CHANGES[changed])


@pytest.mark.parametrize("changed", ID_STAYS)
def test_what_does_not_decide_a_game_leaves_its_id(tmp_path, changed):
    assert ids(tmp_path, TWO) <= ids(tmp_path, ID_STAYS[changed])


def test_the_shipped_configs_plan_what_they_say():
    depths = make_plan(read_config(CONFIGS / "depths.yaml"))
    first_player = make_plan(read_config(CONFIGS / "first_player.yaml"))
    assert sum(1 for _ in depths.games()) == 18
    assert {player.name for player in depths.players().values()} == {"robert", "john", "brittany"}
    assert {player.settings.depth for player in depths.players().values()} == {2, 4, 8}
    entrants = {player.evaluator.name for player in first_player.players().values()}
    assert entrants == {path.stem for path in CONFIGS.with_name("evaluators").glob("*.py")}
    assert {player.settings.depth for player in first_player.players().values()} == {1, 2, 3, 4, 5, 6}
    assert first_player.openings == ["", *every_opening(STANDARD, 2)]
    assert sum(1 for _ in first_player.games()) == len(entrants) * (len(entrants) - 1) * 6 * 26 == 6552
