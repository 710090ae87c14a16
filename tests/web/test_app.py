"""The page's addresses: what they answer, whom they refuse, and one clear message for whatever is wrong."""

from __future__ import annotations

import asyncio
import html
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tournament.bench.page_latency import move_seconds
from tournament.games.connect4 import Position, Rules, play_moves, read_position, told_position
from tournament.match.luck import drifted, luck_of
from tournament.report.results import Results
from tournament.report.tables import standings_tables
from tournament.report.write import write_reports
from tournament.runs.runner import run
from tournament.store import Store
from tournament.web import thinker_pool as thinkers_module
from tournament.web.app import make_app
from tournament.web.pages import live, replay
from tournament.web.pages.live import Watch
from tournament.web.site import named
from tournament.web.thinker_pool import Thinkers, TooMany

BASE = "http://127.0.0.1:8765"
SECONDS = 20.0  # a search of these tests, on the slowest machine
BAD = {
    "raises": "def evaluate(board):\n    return 1 // (board[0, 0] * 0)\n",
    "exits": "import os\n\n\ndef evaluate(board):\n    os._exit(3)\n",
    "loops": "def evaluate(board):\n    while True:\n        pass\n",
    "sleeps": "import time\n\n\ndef evaluate(board):\n    time.sleep(1000)\n    return 0\n",
    "prints": "class Score(int):\n    pass\n\n\ndef evaluate(board):\n    print('hello')\n    return Score(1)\n",
    "broken": "def evaluate(bord):\n    return 1\n",
    "quits": "import sys\n\nsys.exit(4)\n",
}


@pytest.fixture(scope="module")
def extra(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    for name, text in BAD.items():
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def client(extra: Path) -> Iterator[TestClient]:
    app = make_app([], [extra], thinkers=Thinkers([extra], seconds=SECONDS))
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def ask(client: TestClient, address: str, **values: Any) -> Any:
    response = client.post(address, json=values)
    assert response.status_code == 200, response.text
    return response.json()


def refused(client: TestClient, address: str, status: int = 400, **values: Any) -> str:
    response = client.post(address, json=values)
    assert response.status_code == status, response.text
    message: str = response.json()["error"]
    assert "Traceback" not in message
    return message


# ── play ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_page_of_a_game_draws_what_its_address_says(client):
    page = client.get("/play?moves=4435&second=runs&second_depth=3")
    assert page.status_code == 200
    assert page.text.count("X, first player") == 2
    assert 'aria-label="column 5, row 1, O, second player"' in page.text
    assert 'aria-label="column 1, row 6, empty"' in page.text
    assert "depth 3, alphabeta" in page.text
    assert client.get("/", follow_redirects=False).headers["location"] == "/play"


def test_a_disc_is_dropped_and_the_machine_answers_as_the_engine_does(client):
    dropped = ask(client, "/api/drop", moves="443", column=5)
    assert (dropped["state"]["moves"], dropped["landed"], dropped["state"]["to_move"]) == ("4435", 4, "first")
    moved = ask(client, "/api/move", moves="", evaluator="windows", depth=8)
    assert (moved["state"]["moves"], moved["found"]["score"], moved["found"]["generated"]) == ("4", 25.0, 134622)


def test_a_win_is_told_with_its_line(client):
    state = ask(client, "/api/drop", moves="121212", column=1)["state"]
    assert (state["result"], state["line"], state["open"]) == ("first", [[0, 0], [1, 0], [2, 0], [3, 0]], [])


def test_every_cell_of_every_line_is_marked():
    five = read_position("X....../XX...../XXX..../XXXX... O", Rules(4, 7, 4))
    assert told_position(five)["line"] == [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (2, 1), (0, 2), (1, 2), (0, 3)]


def test_lines_are_counted_where_most_lines_win(client):
    state = ask(client, "/api/state", moves="1212121", objective="most-lines")
    assert (state["result"], state["lines"]) == (None, {"first": 1, "second": 0})
    assert state["line"] == [[0, 0], [1, 0], [2, 0], [3, 0]], "the cells of the line that counts"


def test_luck_is_that_of_the_referee_and_the_same_on_every_reload():
    import random

    rules = Rules(drift=0.5)
    luck = random.Random("7 ")
    position = Position(rules)
    moves = ""
    for ply in range(8):
        expected = drifted(position, 3, luck)
        assert drifted(position, 3, luck_of(7, plies=ply)) == expected
        position, moves = position.play(expected), f"{moves}{expected + 1}"
    assert play_moves(Position(rules), moves) == position


def test_a_game_with_drift_gets_a_seed_of_its_own_in_its_address(client):
    response = client.get("/play?drift=0.6", follow_redirects=False)
    assert response.status_code == 303
    assert "seed=" in response.headers["location"]
    assert client.get(response.headers["location"]).status_code == 200


def test_a_disc_drifts_by_the_seed_of_its_game(client):
    rules = Rules(drift=0.9)
    landed = [ask(client, "/api/drop", moves="44", column=4, drift=0.9, seed=seed)["landed"] for seed in range(1, 9)]
    position = play_moves(Position(rules), "44")
    assert landed == [drifted(position, 3, luck_of(seed, plies=2)) for seed in range(1, 9)]
    assert len(set(landed)) > 1


def test_a_limit_of_one_seat_replaces_that_of_both(client):
    page = client.get("/play?first=runs&nodes=500&second_depth=3")
    assert page.status_code == 200
    assert "500 nodes, alphabeta" in page.text
    assert "depth 3, alphabeta" in page.text


# ── explain ──────────────────────────────────────────────────────────────────────────────────────


def test_a_tree_is_walked_to_a_pruned_branch_node_by_node(client):
    search = {"position": "44", "evaluator": "windows", "depth": 6}
    root = ask(client, "/api/tree", **search)
    assert [child["kind"] for child in root["children"]] == ["MIN"] * 7
    assert [child["best"] for child in root["children"]].count(True) == 1
    path, answer = [], root
    while not any(child["kind"] == "PRUNED" for child in answer["children"]):
        path.append(len(answer["children"]) - 1)
        answer = ask(client, "/api/tree", **search, path="-".join(map(str, path)))
    pruned = next(place for place, child in enumerate(answer["children"]) if child["kind"] == "PRUNED")
    last = ask(client, "/api/tree", **search, path="-".join(map(str, [*path, pruned])))
    assert (last["nodes"][-1]["kind"], last["nodes"][-1]["value"], last["children"]) == ("PRUNED", None, [])
    assert len(last["nodes"]) == len(path) + 2


def test_a_large_tree_is_never_sent_whole(client):
    response = client.post("/api/tree", json={"position": "empty", "evaluator": "windows", "depth": 8})
    assert response.json()["nodes"][0]["generated"] == 134622
    assert len(response.content) < 10_000


def test_where_discs_drift_the_tree_has_chance_nodes_and_outcomes(client):
    search = {"drift": 0.6, "objective": "most-lines", "position": "44", "evaluator": "lines", "depth": 2}
    root = ask(client, "/api/tree", **search)
    assert {child["kind"] for child in root["children"]} == {"CHANCE"}
    assert {child["board"] for child in root["children"]} == {root["nodes"][0]["board"]}
    outcomes = ask(client, "/api/tree", **search, path="1")["children"]
    assert [child["move"] for child in outcomes] == ["2", "1", "3"]
    assert sum(child["probability"] for child in outcomes) == pytest.approx(1)


def test_the_same_search_by_other_algorithms_finds_the_same(client):
    found = {name: ask(client, "/api/search", position="44", depth=5, algorithm=name) for name in ("minimax", "pvs")}
    assert found["minimax"]["score"] == found["pvs"]["score"]
    assert found["minimax"]["generated"] > found["pvs"]["generated"]
    assert found["minimax"]["cutoffs"] == 0


def test_explain_says_where_an_evaluator_has_been_edited_since(client):
    assert "has been edited" in client.get("/explain?moves=44&evaluator=windows&source=0123").text
    assert "has been edited" not in client.get("/explain?moves=44&evaluator=windows").text


def test_explain_leads_back_to_a_game_of_this_page_and_nowhere_else(client):
    assert 'href="/t/games/games/01?ply=3"' in client.get("/explain?moves=44&back=/t/games/games/01?ply=3").text
    for foreign in ("javascript:alert(1)", "//example.com/t/", "http://example.com/t/"):
        page = client.get("/explain", params={"moves": "44", "back": foreign})
        assert (page.status_code, "Back to the game" in page.text) == (200, False)


# ── compare ──────────────────────────────────────────────────────────────────────────────────────


def test_compare_takes_digits_and_diagrams_and_scores_for_both_sides(client):
    for text in ("443", "......./......./......./......./...O.../..XX..."):
        page = client.get("/compare", params={"position": text})
        assert page.status_code == 200
        assert page.text.count("X, first player") == 2
    scores = ask(client, "/api/scores", position="443", evaluator="windows")["scores"]
    assert scores["first"] != scores["second"]


def test_compare_keeps_what_was_typed_wrong(client):
    page = client.get("/compare", params={"position": "44x<b>"})
    assert page.status_code == 400
    assert "does not exist" in page.text
    assert "44x&lt;b&gt;" in page.text


# ── tournaments ──────────────────────────────────────────────────────────────────────────────────

CONFIG = """
title: Three <evaluators>
players: [windows, squares, leftmost]
depths: [1, 2]
openings: [44, 12]
evaluators: [leftmost.py]
"""
LEFTMOST = "def evaluate(board):\n    return 0\n"
STUDY = "study: {positions: {early: '33'}, evaluators: [windows], algorithms: [minimax], depths: [2]}\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / "leftmost.py").write_text(LEFTMOST)
    for name, text in {"games": CONFIG, "study": STUDY}.items():
        (folder / f"{name}.yaml").write_text(text)
        run(folder / f"{name}.yaml", out=folder / name, jobs=1)
    return folder


@pytest.fixture(scope="module")
def tournaments(played: Path) -> Iterator[TestClient]:
    folders = [played / name for name in ("games", "study", "later")]
    with TestClient(make_app(folders, thinkers=Thinkers(count=1)), base_url=BASE) as client:
        yield client


def games_of(page: str) -> list[str]:
    return re.findall(r'href="(/t/games/games/[0-9a-f]+)"', page)


def test_every_game_is_listed_and_can_be_filtered(tournaments):
    everything = tournaments.get("/t/games/games").text
    assert len(games_of(everything)) == 24
    assert "Three &lt;evaluators&gt;" in everything
    assert len(games_of(tournaments.get("/t/games/games?player=windows&depth=depth+2").text)) == 8
    won, lost, drawn = (
        len(games_of(tournaments.get(f"/t/games/games?player=windows&result={result}").text))
        for result in ("won", "lost", "draw")
    )
    assert 0 < won <= won + lost + drawn
    of_windows = len(games_of(tournaments.get("/t/games/games?player=windows").text))
    assert of_windows == 16
    assert len(games_of(tournaments.get("/t/games/games?result=forfeit").text)) == 0
    assert tournaments.get("/t/games/games?result=maybe").status_code == 404
    assert "0 games" in tournaments.get("/t/games/games?player=nobody").text


def test_a_list_says_who_won_and_shows_the_games_that_a_player_won_or_lost(tournaments, played):
    with Store(played / "games") as store:
        games = {game.id: game for game in store.games()}
    row = re.compile(r'games/([0-9a-f]+)".*?<strong>(.*?)</strong>')
    winners = {
        id: {"first": game.first.name, "second": game.second.name}.get(game.result, "draw")
        for id, game in games.items()
    }
    assert dict(row.findall(tournaments.get("/t/games/games").text)) == winners
    assert set(winners.values()) >= {"windows", "squares"}
    for result in ("won", "lost"):
        own = {id for id, game in games.items() if "windows" in (game.first.name, game.second.name)}
        expected = {id for id in own if winners[id] != "draw" and (winners[id] == "windows") == (result == "won")}
        found = row.findall(tournaments.get(f"/t/games/games?player=windows&result={result}").text)
        assert {id for id, _ in found} == expected


def test_a_long_list_has_pages(tournaments, monkeypatch):
    monkeypatch.setattr(replay, "ON_A_PAGE", 10)
    pages = [games_of(tournaments.get(f"/t/games/games?page={number}").text) for number in (1, 2, 3, 4)]
    assert [len(page) for page in pages] == [10, 10, 4, 0]
    assert len({game for page in pages for game in page}) == 24


def test_a_game_is_told_move_by_move_with_its_cost_and_an_explanation(tournaments, played):
    address = games_of(tournaments.get("/t/games/games?player=windows&depth=depth+2").text)[0]
    page = tournaments.get(address).text
    with Store(played / "games") as store:
        game, moves = store.game(address.rpartition("/")[2])
    assert page.count("<tr data-ply=") == len(moves) == game.plies - 2
    assert f"after {game.plies} plies: {game.moves}" in page
    links = [html.unescape(link) for link in re.findall(r'href="(/explain[^"]+)"', page)]
    own = next(link for link in links if "evaluator=windows" in link)
    explained = tournaments.get(own)
    assert explained.status_code == 200
    assert "has been edited" not in explained.text
    assert "There is no evaluator leftmost here" in "".join(
        tournaments.get(address).text for address in games_of(tournaments.get("/t/games/games?player=leftmost").text)
    )


def test_each_move_of_a_game_is_its_players_and_explained_where_it_was_made(tournaments, played):
    with Store(played / "games") as store:
        game = next(game for game in store.games() if (game.first.name, game.second.name) == ("squares", "windows"))
    page = tournaments.get(f"/t/games/games/{game.id}").text
    assert f"{game.first.name if game.result == 'first' else game.second.name} won (" in page
    moves = re.findall(r'<tr data-ply="(\d+)">.*?class="disc (\w+) small".*?</span> (\w+)</td>', page, re.DOTALL)
    plies = range(len(game.opening) + 1, game.plies + 1)
    assert moves == [(str(ply), *(("first", "squares") if ply % 2 else ("second", "windows"))) for ply in plies]
    links = [html.unescape(link) for link in re.findall(r'href="/explain\?([^"]+)"', page)]
    asked = [dict(pair.split("=") for pair in link.split("&")) for link in links]
    assert [one["moves"] for one in asked] == [game.moves[: ply - 1] for ply in plies]
    assert [one["evaluator"] for one in asked] == [player for _, _, player in moves]


def test_a_game_is_shown_at_the_ply_of_its_address(tournaments, played):
    with Store(played / "games") as store:
        game = next(store.games())
    for asked, ply in (("?ply=3", 3), ("?ply=0", 0), ("?ply=-2", 0), ("", game.plies), ("?ply=999", game.plies)):
        page = tournaments.get(f"/t/games/games/{game.id}{asked}").text
        assert f'data-ply="{ply}" data-opening' in page
        assert page.count("X, first player") + page.count("O, second player") == ply


def test_a_game_that_is_not_there_is_a_message(tournaments):
    page = tournaments.get("/t/games/games/0123")
    assert page.status_code == 404
    assert "there is no game `0123`" in page.text


def test_live_standings_are_those_of_the_report(tournaments, played, tmp_path):
    page = tournaments.get("/t/games").text
    assert "Ended: 24 of 24 games." in page
    with Store(played / "games") as store:
        results = write_reports(store, tmp_path)
    assert isinstance(results, Results)
    told = Watch(played / "games")._look()
    expected = {table.title: len(table.rows) for table in standings_tables(results.scores)}
    assert {table["title"]: len(table["rows"]) for table in told["tables"] if "Standings" in table["title"]} == expected
    for table in standings_tables(results.scores):
        (shown,) = (one for one in told["tables"] if one["title"] == table.title)
        assert [list(map(str, row[:5])) for row in table.values] == [row[:5] for row in shown["rows"]]


@pytest.fixture(scope="module")
def withdrawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bad` has forfeited its four games, and is withdrawn from three of them by a limit that was lowered since."""
    folder = tmp_path_factory.mktemp("withdrawn")
    (folder / "bad.py").write_text("def evaluate(board):\n    raise ValueError('no <opinion>')\n")
    for limit in (5, 1):
        players = f"players: [windows, bad]\ndepths: [1]\nopenings: [44, 12]\nforfeit_limit: {limit}\n"
        (folder / "c.yaml").write_text(f"{players}evaluators: [bad.py]\n")
        run(folder / "c.yaml", out=folder / "games", jobs=1)
    return folder / "games"


def test_live_standings_count_games_that_a_withdrawn_player_does_not_play(withdrawn):
    told = Watch(withdrawn)._look()
    assert told["message"] == "Ended: 4 of 4 games."
    standings = {name: (played, won, lost) for name, played, won, _, lost, *_ in told["tables"][0]["rows"]}
    assert standings["windows"] == ("4", "4", "0")
    assert standings["bad"] == ("4", "0", "4")


def test_games_that_are_not_played_are_not_listed_and_a_fault_is_told_as_text(withdrawn):
    with TestClient(make_app([withdrawn], thinkers=Thinkers(count=1)), base_url=BASE) as client:
        (address,) = games_of(client.get("/t/games/games").text)
        assert games_of(client.get("/t/games/games?result=forfeit").text) == [address]
        page = client.get(address).text
    assert "no &lt;opinion&gt;" in page
    assert "<opinion>" not in page


def test_only_so_many_pages_are_told_of_standings(tournaments, monkeypatch):
    monkeypatch.setattr(tournaments.app.state.site, "streams", live.MOST_STREAMS)
    response = tournaments.get("/api/live/games")
    assert response.status_code == 429
    assert "that is the most: close one of them" in response.json()["error"]


def test_a_large_store_is_read_a_part_at_a_time(played, monkeypatch):
    monkeypatch.setattr(live, "MOST_READ", 10)
    watch = Watch(played / "games")
    told = [watch._look()["message"] for _ in range(3)]
    assert told == ["Reading: 10 of 24 games.", "Reading: 20 of 24 games.", "Ended: 24 of 24 games."]


def test_a_folder_without_games_is_waited_for_and_a_new_run_begins_anew(played, tmp_path):
    watch = Watch(tmp_path / "new")
    assert watch._look()["state"] == "waiting"
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "games.db").touch()
    assert watch._look()["state"] == "waiting"
    run(played / "games.yaml", out=tmp_path / "new", jobs=1, fresh=True)
    assert watch._look()["message"] == "Ended: 24 of 24 games."
    run(played / "games.yaml", out=tmp_path / "new", jobs=1)
    assert watch._look()["message"] == "Ended: 24 of 24 games."


def test_a_study_has_progress_and_no_games(tournaments):
    assert "Ended: 1 of 1 searches." in tournaments.get("/t/study").text
    assert "This is a study" in tournaments.get("/t/study/games").text
    assert tournaments.get("/t/study/games/0123").status_code == 404


def test_a_folder_without_games_yet_is_a_page_that_waits(tournaments):
    assert "waiting for the run to begin" in tournaments.get("/t/later").text
    assert "there is no games.db" in tournaments.get("/t/later/games").text
    listed = tournaments.get("/tournaments").text
    assert listed.count('class="panel"') == 3


def test_folders_of_the_same_name_get_numbers():
    assert list(named([Path("a/x y"), Path("b/x y"), Path("/")])) == ["x-y", "x-y-2", "tournament"]


def test_the_speed_of_the_page_can_be_measured():
    assert len(move_seconds(depth=2, count=3)) == 3


# ── what is refused ──────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    ("/api/move", {"evaluator": "widows"}, "did you mean `windows`?"),
    ("/api/move", {"evaluator": "../evaluators/windows.py"}, "there is no evaluator"),
    ("/api/move", {"moves": "1212121"}, "the game is over here (X has a line)"),
    ("/api/move", {"rows": 60, "columns": 60}, "must be at most 128"),
    ("/api/move", {"rows": 10**14}, "must be at most 128"),
    ("/api/move", {"rows": "six"}, "write a whole number"),
    ("/api/move", {"depth": 129}, "1 to 128 plies"),
    ("/api/move", {"depth": 3, "nodes": 5}, "either a depth, or a budget"),
    ("/api/move", {"seconds": 1000}, "at most 30 s"),
    ("/api/move", {"seconds": "nan"}, "positive number of seconds"),
    ("/api/move", {"table": 30}, "at most 22"),
    ("/api/move", {"drift": 0.5, "algorithm": "pvs"}, "knows no chance"),
    ("/api/drop", {"moves": "444444", "column": 4}, "column 4 is full"),
    ("/api/drop", {"column": 9}, "column 9 does not exist"),
    ("/api/drop", {}, "is missing"),
    ("/api/drop", {"moves": "4!"}, "which is no column"),
    ("/api/state", {"moves": "1" * 7}, "which is full"),
    ("/api/search", {"position": "....."}, "the diagram has 1 row"),
    ("/api/search", {"position": ["4"]}, "text or a number"),
    ("/api/search", {"position": "4" * 700}, "characters long"),
    ("/api/search", {"position": "\ud800"}, "no text"),
    ("/api/tree", {"depth": 2, "path": "0-0-0"}, "has no branch"),
    ("/api/tree", {"path": "up"}, "places of children"),
    ("/api/search", {"evaluator": "broken", "depth": 1}, "did you mean `board`?"),
    ("/api/search", {"evaluator": "raises", "depth": 1}, "evaluate raised"),
    ("/api/search", {"evaluator": "quits", "depth": 1}, "raised SystemExit while being loaded"),
]


@pytest.mark.parametrize(("address", "values", "message"), MISTAKES)
def test_a_mistake_is_one_clear_message(client, address, values, message):
    response = client.post(address, content=json.dumps(values), headers={"content-type": "application/json"})
    assert response.status_code == 400, response.text
    assert message in response.json()["error"]


@pytest.mark.parametrize("body", ["", "[]", "{", '"4"', "[" * 100_000, "1" * 70_000])
def test_a_request_that_is_no_object_is_refused(client, body):
    response = client.post("/api/move", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert response.json()["error"]


@pytest.mark.parametrize(
    "address", ["/play?rows=99", "/play?moves=48", "/play?second=nobody", "/explain?moves=1212121"]
)
def test_a_page_of_something_impossible_is_a_page_with_the_message(client, address):
    page = client.get(address)
    assert page.status_code == 400
    assert 'role="alert"' in page.text


@pytest.mark.parametrize(
    "address", ["/nowhere", "/t/nobody", "/t/nobody/games", "/t/../x", "/static/../app.py", "/api/live/x"]
)
def test_an_address_that_leads_nowhere_is_a_message(client, address):
    assert client.get(address).status_code == 404


def test_an_evaluator_that_ends_its_process_costs_one_answer(client):
    assert "the process that ran `exits` ended" in refused(client, "/api/search", 422, evaluator="exits", depth=1)
    assert ask(client, "/api/search", depth=2)["column"] is not None


def test_what_an_evaluator_prints_goes_nowhere(client):
    assert ask(client, "/api/search", evaluator="prints", depth=2)["compiled"] is False


def test_an_evaluator_that_never_ends_is_stopped(extra):
    app = make_app([], [extra], thinkers=Thinkers([extra], count=2, seconds=1.0))
    with TestClient(app, base_url=BASE) as client:
        assert "took more than 1 seconds" in refused(client, "/api/search", 422, evaluator="loops", depth=1)
        assert client.get("/play").status_code == 200


@pytest.mark.parametrize("address", ["/api/scores", "/api/search"])
def test_nobody_waits_longer_than_they_are_willing_to(client, address):
    assert "took more than 0.5 seconds" in refused(client, address, 422, evaluator="loops", depth=1, within=0.5)


def test_so_many_pages_may_search_at_once_and_no_more():
    thinkers = Thinkers()
    thinkers.pages = Counter({str(page): 1 for page in range(thinkers_module.MOST_IN_ALL)})
    with pytest.raises(TooMany, match="12 searches are under way, and that is the most"):
        asyncio.run(asyncio.wait_for(thinkers.ask({}, "one more"), SECONDS))


def test_thinkers_warm_up_in_turn_so_that_only_the_first_compiles(monkeypatch):
    under_way, at_once = Counter(), []

    class Warming:
        subject = None

        async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
            under_way["now"] += 1
            at_once.append(under_way["now"])
            await asyncio.sleep(0.01)
            under_way["now"] -= 1
            return {}

        async def kill(self) -> None: ...

    async def started(extra: object) -> Warming:
        return Warming()

    async def warm_three() -> None:
        thinkers = Thinkers(count=3)
        await thinkers.start({})
        while len(thinkers._idle) < 3:
            await asyncio.sleep(0.001)

    monkeypatch.setattr(thinkers_module.Thinker, "start", started)
    asyncio.run(asyncio.wait_for(warm_three(), SECONDS))
    assert at_once == [1, 1, 1]


def test_ten_searches_at_once_from_one_page_are_too_many_and_the_server_goes_on(extra):
    app = make_app([], [extra], thinkers=Thinkers([extra], count=2, seconds=1.0))
    with TestClient(app, base_url=BASE) as client:
        together = threading.Barrier(10)

        def search(_: int) -> tuple[int, str]:
            together.wait()
            response = client.post("/api/search", json={"evaluator": "sleeps", "depth": 1}, headers={"x-page": "one"})
            return response.status_code, response.json()["error"]

        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(search, range(10)))
        many = [message for status, message in answers if status == 429]
        assert len(many) == 10 - thinkers_module.MOST_OF_A_PAGE
        assert "that is the most: wait for one, or cancel it" in many[0]
        assert ask(client, "/api/search", depth=2)["depth"] == 2


# ── who may ask ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1.example.com", "evil:8765", "", "localhost:x", "[::1]"])
def test_a_foreign_host_is_refused(client, host):
    response = client.get("/play", headers={"host": host})
    assert response.status_code == 400
    assert "only to 127.0.0.1 and localhost" in response.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://example.com"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "null"},
    ],
)
def test_no_other_web_page_can_make_it_search(client, headers):
    response = client.post("/api/move", json={"moves": ""}, headers=headers)
    assert response.status_code == 403
    form = client.post("/api/move", content="moves=4", headers={"content-type": "application/x-www-form-urlencoded"})
    assert form.status_code == 400


def test_no_other_web_page_can_read_how_a_tournament_stands(client):
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://example.com"}):
        assert client.get("/api/live/x", headers=headers).status_code == 403
        assert client.get("/play", headers=headers).status_code == 200  # a link may lead here


def test_every_answer_says_what_a_browser_may_do_with_it(client):
    asked = [("/play", {}), ("/static/play.js", {}), ("/nowhere", {}), ("/play", {"host": "example.com"})]
    for address, more in asked:
        headers = client.get(address, headers=more).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        nothing = {name for name, allowed in policy.items() if allowed == "'none'"}
        assert nothing == {"default-src", "base-uri", "frame-ancestors"}
        assert {allowed for name, allowed in policy.items() if name not in nothing} == {"'self'"}
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-cache"


def test_every_answer_forbids_foreign_scripts(client):
    for address in ("/play", "/static/play.js", "/nowhere", "/play?rows=99"):
        headers = client.get(address).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


# ── anything at all ──────────────────────────────────────────────────────────────────────────────

NAMES = (
    *("rows", "columns", "connect", "objective", "drift", "drift_players", "moves", "position", "column", "seed"),
    *("evaluator", "depth", "nodes", "seconds", "algorithm", "order", "table", "iterative", "aspiration", "path"),
    *("first", "second", "second_depth", "page", "player", "result", "ply", "source", "back"),
)
SMALL = st.integers(-3, 12)
VALUES = st.one_of(
    SMALL,
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=20),
    st.text("1234567", max_size=12),
    st.sampled_from(
        ["windows", "human", "most-lines", "star1", "pvs", "killers", "both", "1e999", "......./.......", "broken"]
    ),
    st.lists(st.integers(), max_size=2),
)


@given(
    address=st.sampled_from(["state", "drop", "move", "search", "tree", "scores"]),
    values=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_asked_gets_an_answer_or_a_message(client, address, values):
    if address in ("move", "search", "tree"):  # quick where it is possible, wrong where it may be
        values = {"nodes": 50} | values if not {"depth", "seconds"} & set(values) else values | {"depth": 1}
    response = client.post(f"/api/{address}", content=json.dumps(values), headers={"content-type": "application/json"})
    assert response.status_code < 500, response.text
    if response.status_code != 200:
        assert response.json()["error"]


@given(
    address=st.sampled_from(["/play", "/explain", "/compare", "/tournaments", "/t/x/games"]),
    values=st.dictionaries(st.sampled_from(NAMES), st.one_of(st.text(max_size=20), SMALL), max_size=5),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_page_is_asked_for_is_a_page(client, address, values):
    response = client.get(address, params=values)
    assert response.status_code < 500, response.text
    assert "<main" in response.text
