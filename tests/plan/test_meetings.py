"""A pool: everybody at every depth and budget, all of whom meet, or a sample that keeps them connected."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tournament.plan.pairings import MOST_MEETINGS, USUAL_OPPONENTS, meetings, round_robin
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.plan.tasks import Plan


def plan_of(text: str, folder) -> Plan:
    (folder / "c.yaml").write_text(text)
    plan = make_plan(read_config(folder / "c.yaml"))
    assert isinstance(plan, Plan)
    return plan


def members(plan: Plan) -> list[tuple[str, str]]:
    return sorted({(player.name, player.settings.limit) for player in plan.players().values()})


@given(st.integers(2, 80), st.integers(2, 80), st.integers(0, 1000))
def test_a_sample_is_connected_and_everybody_meets_as_many_as_were_asked_for(number, opponents, seed):
    pairs = meetings(range(number), opponents, seed)
    assert pairs == meetings(range(number), opponents, seed)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert all(one < other for one, other in pairs)
    met = Counter(player for pair in pairs for player in pair)
    assert min(met.values()) == max(met.values()) >= min(opponents, number - 1)
    assert max(met.values()) <= opponents + 1 or len(pairs) == number * (number - 1) // 2
    graph = coo_array(([1] * len(pairs), tuple(zip(*pairs, strict=True))), shape=(number, number))
    assert connected_components(graph)[0] == 1


def test_another_seed_draws_another_sample_and_all_meet_where_they_are_few():
    assert meetings(range(30), 4, 1) != meetings(range(30), 4, 2)
    assert meetings("abc", None, 1) == list(round_robin("abc"))
    assert len(meetings(range(63), None, 1)) == 63 * 62 // 2 <= MOST_MEETINGS
    assert len(meetings(range(64), None, 1)) == 64 * USUAL_OPPONENTS // 2


def test_everybody_meets_at_every_depth_and_budget(tmp_path):
    plan = plan_of(
        "players: {a: windows, b: {evaluator: runs, depth: 5}}\ndepths: [2, 3]\nbudget: {nodes: 50}\npool: true\n",
        tmp_path,
    )
    assert members(plan) == [("a", "2"), ("a", "3"), ("a", "50 nodes"), ("b", "5")]
    assert len(list(plan.pairings())) == 6
    assert len(list(plan.games())) == 12
    assert plan.note == ""


def test_one_player_at_several_depths_is_a_pool(tmp_path):
    plan = plan_of("players: [windows]\ndepths: [1, 2, 3]\npool: true\n", tmp_path)
    assert len(list(plan.pairings())) == 3


def test_who_plays_by_itself_is_in_a_pool_once(tmp_path):
    (tmp_path / "agent.py").write_text("def agent(observation, configuration):\n    return 0\n")
    for by_itself in ("connectx: agent.py", "oracle: true"):
        plan = plan_of(f"players: {{a: windows, b: {{{by_itself}}}}}\ndepths: [2, 3]\npool: true\n", tmp_path)
        assert len(members(plan)) == 3
        assert len(list(plan.pairings())) == 3


def test_a_sampled_pool_says_so_and_is_the_same_for_the_same_seed(tmp_path):
    text = "players: [windows, runs, squares]\ndepths: [1, 2, 3]\npool: {opponents: 4}\n"
    plan = plan_of(text, tmp_path)
    assert plan.note == "of 36 pairings of the pool 18 are played: each meets 4 others, drawn from the seed"
    ids = [game.id for game in plan.games()]
    assert ids == [game.id for game in plan_of(text, tmp_path).games()]
    assert ids != [game.id for game in plan_of(f"{text}seed: 2\n", tmp_path).games()]


def test_games_of_a_pool_are_those_of_a_tournament(tmp_path):
    """So that a run that was no pool goes on as one, with nothing played again."""
    text = "players: [windows, runs]\ndepths: [1, 2]\nopenings: {plies: 1}\n"
    alone, pool = (
        {game.id for game in plan_of(text + more, tmp_path).games()} for more in ("pool: false\n", "pool: true\n")
    )
    assert alone < pool


@pytest.mark.parametrize("seed", range(3))
def test_a_circle_is_drawn_and_not_the_order_of_the_list(seed):
    """Neighbours in the list, which are one player at two depths, need not meet."""
    apart = [abs(one - other) for one, other in meetings(range(100), 2, seed)]
    assert sum(apart) > 1000
