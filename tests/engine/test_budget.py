"""Budgets instead of depths: nodes repeat to the digit, seconds play, and the tables say how deep they went."""

import json
import re
from pathlib import Path
from typing import Any

import folders
import pytest
from folders import write
from played import moves_of
from tables import tables_of

import tournament
from tournament.engine.result import COUNTERS
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, column_digit, play_moves
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.compiled import Scorer
from tournament.runs.runner import NullObserver, Stopped, run
from tournament.store import Store

NODES = 2000
CONFIG = f"players: [windows, squares, runs]\nbudget: {{nodes: {NODES}}}\nopenings: ['4', '1']\n"  # 12 games
GAMES = 12
# Depths and budgets together, not in the order in which they are to be told
MIXED = "players: [windows, runs]\ndepths: [4, 2]\nbudget: [{seconds: 0.001}, {nodes: 3000}, {nodes: 200}]\n"
LEVELS = ["depth 2", "depth 4", "200 nodes", "3,000 nodes", "0.001 s"]

pytestmark = pytest.mark.needs_jit  # 2,000 nodes a move are many in plain Python

COUNTED = ("generated", "expanded", "evaluated", "cutoffs")


def played_rows(folder: Path) -> list[folders.Row]:
    """games.csv without times."""
    return folders.without_seconds(folders.rows(folder))


def moves(folder: Path) -> list[tuple[Any, ...]]:
    """Every move of every game, without times."""
    names = ("ply", "chosen", "landed", "score", "depth", "deepest", *COUNTED)
    return [(id, *(getattr(move, name) for name in names)) for id, moves in moves_of(folder).items() for move in moves]


def tables(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """results.json: the rows of each table, by their headings."""
    read = json.loads((folder / "results.json").read_text())
    del read["summary"]
    return {title: [dict(zip(t["columns"], row, strict=True)) for row in t["rows"]] for title, t in read.items()}


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    return write(tmp_path_factory.mktemp("budget") / "c.yaml", CONFIG)


@pytest.fixture(scope="module")
def once(config):
    """The folder that a run of CONFIG leaves."""
    tournament.run(config, out=config.parent / "once", jobs=1)
    return config.parent / "once"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """The folder that a run of MIXED leaves."""
    folder = tmp_path_factory.mktemp("mixed")
    tournament.run(write(folder / "c.yaml", MIXED), out=folder / "out", jobs=2)
    return folder / "out"


# ── the same to the digit ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_of_nodes_repeats_to_the_digit_for_any_number_of_jobs(config, once, tmp_path, jobs):
    tournament.run(config, out=tmp_path, jobs=jobs)
    assert len(played_rows(tmp_path)) == GAMES
    assert played_rows(tmp_path) == played_rows(once)
    assert moves(tmp_path) == moves(once)


class Impatient(NullObserver):
    """Presses Ctrl-C after so many games."""

    def __init__(self, patience: int) -> None:
        self.patience = patience

    def finished(self, *_: object) -> None:
        self.patience -= 1
        if not self.patience:
            raise KeyboardInterrupt


def test_a_budget_of_nodes_repeats_to_the_digit_when_the_run_is_stopped_and_goes_on(config, once, tmp_path):
    for patience in (1, 5):
        with pytest.raises(Stopped):
            run(config, out=tmp_path, jobs=2, observer=Impatient(patience))
    assert 0 < len({move[0] for move in moves(tmp_path)}) < GAMES
    tournament.run(config, out=tmp_path, jobs=2)
    assert played_rows(tmp_path) == played_rows(once)
    assert moves(tmp_path) == moves(once)


# ── what a budget buys ───────────────────────────────────────────────────────────────────────────


def test_searches_take_about_as_many_nodes_as_their_budget(once):
    """To the node it is held in test_options."""
    taken = [dict(zip(COUNTED, move[7:], strict=True))["generated"] for move in moves(once)]
    assert 0.99 * NODES < max(taken) < 1.01 * NODES


def test_a_budget_that_is_too_small_for_anything_is_a_search_to_depth_1(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", CONFIG.replace(str(NODES), "1")), out=tmp_path / "out")
    assert {move[5] for move in moves(tmp_path / "out")} == {1}
    depth = CONFIG.replace(f"budget: {{nodes: {NODES}}}", "depths: [1]")
    tournament.run(write(tmp_path / "c.yaml", depth), out=tmp_path / "depth")
    assert [game["moves"] for game in played_rows(tmp_path / "out")] == [
        game["moves"] for game in played_rows(tmp_path / "depth")
    ]


def test_a_move_is_the_one_that_a_search_to_the_reached_depth_would_choose(once):
    scorers = {name: Scorer(Catalogue().load(name), STANDARD) for name in ("windows", "squares", "runs")}
    played = {game["game"]: game for game in played_rows(once)}
    compared = set()
    for id, ply, chosen, column, score, depth, *_ in moves(once)[::5]:
        game = played[id]
        position = play_moves(Position(), game["moves"][:ply])
        scorer = scorers[game[position.to_move]]
        found = search(position, scorer, Settings(depth))
        assert (found.chosen, found.score) == (chosen, score)
        assert column_digit(column) == game["moves"][ply]
        compared.add(depth)
    assert len(compared) > 3


def test_the_reached_depth_is_kept_for_every_move_and_told_on_average(once):
    reached: dict[str, list[int]] = {}
    played = {game["game"]: game for game in played_rows(once)}
    for id, ply, _, _, _, depth, *_ in moves(once):
        reached.setdefault(played[id]["first" if ply % 2 == 0 else "second"], []).append(depth)
    told = {row["player"]: row for row in tables(once)["Cost per move"]}
    assert {row["depth"] for row in told.values()} == {"2,000 nodes"}
    for name, depths in reached.items():
        assert told[name]["reached"] == pytest.approx(sum(depths) / len(depths))
        assert told[name]["EBF"] is None, "what was generated belongs to several depths, the last one unfinished"
    assert len(set(reached["windows"])) > 3
    report = (once / "report.md").read_text()
    assert "Reached: the depth that was finished within the budget, on average." in report
    with Store(once) as store:
        depths = [cost.depths for game in store.games() for cost in (game.first_cost, game.second_cost)]
    assert sum(depths) == sum(map(sum, reached.values()))


def test_the_same_budget_is_spent_on_other_algorithms_and_options_too(tmp_path):
    text = (
        "players:\n  plain: windows\n  whole: {evaluator: windows, algorithm: minimax}\n"
        "  clever: {evaluator: windows, algorithm: pvs, order: killers, table: 12, aspiration: 10}\n"
        "budget: {nodes: 5000}\n"
    )
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    reached = {row["player"]: row["reached"] for row in tables(tmp_path / "out")["Cost per move"]}
    assert reached["whole"] < reached["plain"] < reached["clever"]
    assert 4950 < max(move[7] for move in moves(tmp_path / "out")) < 5050
    told = {name: value for name, value in map(tuple, tables_of(results)[-1].rows)}
    assert told["clever"].startswith("windows, pvs, killers, table 12, aspiration 10, compiled")


# ── depths, nodes and seconds in one tournament ──────────────────────────────────────────────────


def test_standings_are_told_over_all_then_by_depths_then_nodes_then_seconds(mixed):
    titles = [title.removeprefix("Standings, ") for title in tables(mixed) if title.startswith("Standings")]
    assert titles == ["all depths", *LEVELS]
    assert all(
        {row["player"] for row in tables(mixed)[f"Standings, {level}"]} == {"windows", "runs"} for level in titles
    )
    assert [row["played"] for row in tables(mixed)["Standings, all depths"]] == [10, 10]


def test_the_other_tables_keep_that_order_and_tell_players_apart_by_what_they_may_take(mixed):
    told = tables(mixed)
    limits = [level.removeprefix("depth ") for level in LEVELS]
    for title in ("Cost in all", "Cost per move"):
        assert [row["depth"] for row in told[title]] == [limit for limit in limits for _ in range(2)]
    assert [row["games of"] for row in told["First-player advantage"]] == [*LEVELS, "all", "runs", "windows"]
    assert [row["player"] for row in told["Verdicts"]] == [f"windows ({limit})" for limit in limits]
    reached = {row["depth"]: row["reached"] for row in told["Cost per move"] if row["player"] == "windows"}
    assert (reached["2"], reached["4"]) == (2, 4)
    assert 1 <= reached["200 nodes"] < reached["3,000 nodes"]


def test_games_csv_has_a_depth_as_a_number_and_a_budget_with_its_unit(mixed):
    games = played_rows(mixed)
    assert list(dict.fromkeys(game["first_depth"] for game in games)) == [
        "4",
        "2",
        "0.001 s",
        "3000 nodes",
        "200 nodes",
    ]
    assert all(game["first_depth"] == game["second_depth"] for game in games)


def test_seconds_are_played_to_the_end_and_their_depth_is_kept(mixed):
    games = {game["game"]: game for game in played_rows(mixed) if game["first_depth"] == "0.001 s"}
    assert len(games) == 2
    for game in games.values():
        assert game["reason"] in ("line", "full board")
        assert play_moves(Position(), game["moves"]).result == game["result"]
    depths = [move[5] for move in moves(mixed) if move[0] in games]
    assert min(depths) >= 1
    assert max(depths) > 2


def test_the_store_counts_what_is_done_by_level(mixed, tmp_path):
    with Store(mixed) as store:
        assert list(store.progress().items()) == [(level, (2, 2)) for level in LEVELS]
        kept = {player.settings for player in store.players().values()}
    limits = [{"depth": 2}, {"depth": 4}, {"nodes": 200}, {"nodes": 3000}, {"seconds": 0.001}]
    assert kept == {Settings(**limit) for limit in limits}


def test_what_is_dear_is_played_first():
    """The weight of a limit: the games of the greatest are begun first, so that none is left to the end."""
    rising = [{"depth": 2}, {"nodes": 100}, {"depth": 8}, {"nodes": 10**6}, {"seconds": 0.5}, {"seconds": 60}]
    weights = [Settings(**limit).weight for limit in rising]
    assert weights == sorted(weights)


def test_a_depth_against_a_budget_is_a_level_of_its_own(tmp_path):
    sides = "{first: {player: windows, depth: 2}, second: {player: windows, budget: {nodes: 500}}}"
    text = f"players: [windows, runs]\ndepths: [3]\npairings:\n  - [windows, runs]\n  - {sides}\n"
    tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out")
    told = tables(tmp_path / "out")
    titles = [title for title in told if title.startswith("Standings")]
    assert titles == ["Standings, all depths", "Standings, 2 v 500 nodes", "Standings, depth 3"]
    assert {row["player"] for row in told[titles[1]]} == {"windows (2)", "windows (500 nodes)"}
    games = [(game["first_depth"], game["second_depth"]) for game in played_rows(tmp_path / "out")]
    assert games == [("3", "3"), ("3", "3"), ("2", "500 nodes"), ("500 nodes", "2")]


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_names_the_budgets(tmp_path, tourney):
    write(tmp_path / "c.yaml", MIXED)
    code, out, _ = tourney("run", "c.yaml", "--dry-run")
    assert code == 0
    for limit in ("2", "3,000 nodes", "0.001 s"):
        assert re.search(rf"│ {re.escape(limit)} +│ windows – runs", out)
    assert "5 pairings, 10 games" in out
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]


def test_show_tells_the_budget_and_how_deep_each_move_went(once, tourney):
    game = played_rows(once)[0]
    code, out, _ = tourney("show", str(once), game["game"])
    assert code == 0
    assert out.splitlines()[0].endswith("windows, 2,000 nodes")
    depths = [move[5] for move in moves(once) if move[0] == game["game"]]
    assert [int(depth) for depth in re.findall(r"depth +(\d+)", out)] == depths
    assert len(set(depths)) > 1


def test_budgets_of_nodes_have_ids_of_their_own(tmp_path):
    ids = {
        game.id
        for nodes in (2000, 2001)
        for game in make_plan(read_config(write(tmp_path / "c.yaml", CONFIG.replace("2000", str(nodes))))).games()
    }
    assert len(ids) == 2 * GAMES


def test_a_budget_counts_what_a_search_to_a_depth_counts(bundled):
    """The counters of a budget are those of all depths together, the one that was not finished included."""
    position = Position()
    within = search(position, bundled("windows", STANDARD), Settings(nodes=NODES))
    deepening = search(position, bundled("windows", STANDARD), Settings(within.depth, iterative=True))
    for name in COUNTERS:
        assert getattr(within.counters, name) >= getattr(deepening.counters, name)
    assert (within.chosen, within.score) == (deepening.chosen, deepening.score)


@pytest.mark.parametrize("threads", [1, 2])
def test_compiled_code_looks_at_the_clock_itself(threads, bundled, monkeypatch):
    """Another thread that ends a search comes late where the cores are busy: 4 ms in place of 0.3."""
    monkeypatch.setattr("threading.Timer", None)
    found = search(Position(), bundled("windows", STANDARD), Settings(seconds=0.02, threads=threads))
    assert 1 <= found.depth < 42
    assert found.counters.generated > 0
