"""Truth on the page: below every column once somebody asks for it, as it is found, and never in a move's way."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import PATIENCE, faults_of
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from tournament.bench.page_latency import serving
from tournament.games.connect4 import STANDARD, read_position
from tournament.plugins.perfect import EXACT_NODES
from tournament.runs.runner import run
from tournament.truth.oracle import Oracle, Question
from tournament.truth.player import PerfectPlayer
from tournament.truth.solver import LEAST_MEGABYTES
from tournament.web import truth_teller
from tournament.web.app import make_app
from tournament.web.thinker_pool import Thinkers
from tournament.web.truth_asking import TruthAsking

pytestmark = pytest.mark.needs_jit

BASE = "http://127.0.0.1:8765"
LATE = "5771246661766344"  # sixteen plies: solved in a moment
EXACT = re.compile(r"(win|loss)\s+in \d+|draw")

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(thinkers=Thinkers()), base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def told(client: TestClient, **values: Any) -> Any:
    """What is said of a position once all is."""
    for _ in range(400):
        response = client.post("/api/truth", json=values)
        assert response.status_code == 200, response.text
        if response.json()["done"]:
            return response.json()
    raise AssertionError("it is never done")


def test_the_page_says_of_each_column_what_solve_says(client):
    found = told(client, position=LATE)
    expected = Oracle(Question(STANDARD, exact=True, megabytes=LEAST_MEGABYTES)).solve(read_position(LATE, STANDARD))
    assert found["moves"] == [{"move": one.move, "value": one.value, "plies": one.plies} for one in expected.moves]
    assert (found["value"], found["plies"]) == (expected.value, expected.plies)


def test_who_wins_is_told_before_when(client):
    found = client.post("/api/truth", json={"position": "44"}).json()
    assert [one["value"] for one in found["moves"]] == [
        one.value for one in Oracle(Question()).solve(read_position("44", STANDARD)).moves
    ]
    assert not found["done"]
    assert found["plies"] is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"drift": 0.6, "position": "4"}, "perfect play is not known here"),
        ({"rows": 9, "columns": 9, "position": "4"}, "it takes 90 bits"),
        ({"position": "1212121"}, "the game is over here"),
        ({"position": "9"}, "column `9`"),
    ],
)
def test_what_nobody_knows_is_refused_in_a_sentence(client, values, message):
    response = client.post("/api/truth", json=values)
    assert response.status_code == 400
    assert message in response.json()["error"]


def test_the_oracle_answers_a_move_as_it_plays_everywhere(client):
    answer = client.post("/api/move", json={"moves": LATE, "evaluator": "oracle"}).json()
    chosen = PerfectPlayer(STANDARD, EXACT_NODES).choose(read_position(LATE, STANDARD))
    assert chosen is not None
    assert answer["chosen"] == answer["landed"] == chosen.column
    assert re.match(r"(win|loss) in \d+ pl|draw", answer["found"]["shown"])
    refused = client.post("/api/move", json={"moves": "4", "evaluator": "oracle", "objective": "most-lines"})
    assert (refused.status_code, "perfect play is not known" in refused.json()["error"]) == (400, True)
    assert client.get("/play?second=oracle&drift=0.5&seed=1").status_code == 400


def test_a_move_is_answered_while_truth_is_looked_for(monkeypatch):
    asked = []

    async def never(self: TruthAsking, position: Any) -> Any:
        asked.append(position)
        await asyncio.Event().wait()

    monkeypatch.setattr(TruthAsking, "ask", never)
    app = make_app(thinkers=Thinkers(count=2))

    async def both() -> None:
        import httpx

        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url=BASE, timeout=60) as client:
                waiting = asyncio.create_task(client.post("/api/truth", json={"position": "4"}))
                while not asked:
                    await asyncio.sleep(0.01)
                answer = await client.post("/api/move", json={"moves": "4", "evaluator": "windows", "depth": 2})
                assert answer.status_code == 200
                assert not waiting.done()
                waiting.cancel()

    asyncio.run(both())


def test_a_process_that_ends_is_started_anew(client):
    truth = client.app.state.site.truth  # type: ignore[attr-defined]
    told(client, position=LATE)
    os.kill(truth._thinker.process.pid, signal.SIGKILL)
    assert client.post("/api/truth", json={"position": LATE}).status_code == 422
    assert told(client, position=LATE)["done"]


def test_there_is_no_truth_where_the_solver_does_not_know_the_game(client):
    for address in ("/play", "/explain?position=4", "/compare"):
        assert 'id="truth"' in client.get(address).text
        other = client.get(f"{address}{'&' if '?' in address else '?'}objective=most-lines").text
        assert 'id="truth"' not in other
        assert "oracle-hint" not in other


def test_what_took_long_is_kept_for_the_next_time(tmp_path, monkeypatch):
    monkeypatch.setattr(truth_teller, "folder", lambda: tmp_path)
    monkeypatch.setattr(truth_teller, "WORTH_KEEPING", 0.0)
    position = read_position(LATE, STANDARD)
    first = truth_teller.Teller(STANDARD)
    while not (found := first.tell(position))["done"]:
        pass
    again = truth_teller.Teller(STANDARD)
    monkeypatch.setattr(truth_teller.Solver, "score", lambda *_, **__: pytest.fail("it was solved before"))
    assert again.tell(position) == found


def test_what_is_not_proven_in_the_time_there_is_is_called_so(tmp_path, monkeypatch):
    monkeypatch.setattr(truth_teller, "folder", lambda: tmp_path)
    monkeypatch.setattr(truth_teller, "ENOUGH_SECONDS", 0.0)
    monkeypatch.setattr(truth_teller, "FIRST_SECONDS", 0.0)
    found = truth_teller.Teller(STANDARD).tell(read_position("571246663", STANDARD))
    assert found["done"]
    assert found["value"] == "unknown"


def test_replay_says_who_plays_perfectly_and_what_came_from_a_book(tmp_path):
    players = "{perfect: {oracle: true}, booked: {evaluator: windows, book: true}, windows: windows}"
    (tmp_path / "c.yaml").write_text(
        f"players: {players}\npairings: [[perfect, windows]]\ndepths: [1]\nopenings: ['{LATE}']\nseats: as-listed\n"
    )
    run(tmp_path / "c.yaml", out=tmp_path / "one", jobs=1)
    (tmp_path / "c.yaml").write_text(
        f"players: {players}\npairings: [[booked, windows]]\ndepths: [1]\nopenings: ['44']\nseats: as-listed\n"
    )
    run(tmp_path / "c.yaml", out=tmp_path / "other", jobs=1)
    app = make_app([tmp_path / "one", tmp_path / "other"], thinkers=Thinkers(count=1))
    with TestClient(app, base_url=BASE) as client:

        def page_of(name: str) -> str:
            (id,) = re.findall(rf"/t/{name}/games/([0-9a-f]{{16}})", client.get(f"/t/{name}/games").text)[:1]
            return client.get(f"/t/{name}/games/{id}").text

        perfect, booked = page_of("one"), page_of("other")
    assert "oracle, perfect play" in perfect
    assert "perfect plays perfectly, so its moves have no search to be explained." in perfect
    assert "windows, depth 1, book" in booked
    assert booked.count('<td class="number">book</td>') == 3  # before the third, fifth and seventh move


# ── in a browser ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("truth")
    players = "{perfect: {oracle: true}, windows: windows}"
    (folder / "c.yaml").write_text(f"players: {players}\ndepths: [2]\nopenings: ['{LATE}']\n")
    run(folder / "c.yaml", out=folder / "played", jobs=1)
    with serving([folder / "played"], []) as port:
        yield f"http://127.0.0.1:{port}"


def truths(page: Page):
    return page.locator(".truths .truth")


def test_truth_is_hidden_until_asked_for_and_follows_the_game(page, address):
    page.goto(f"{address}/play?second=human&moves={LATE}")
    expect(page.locator(".truths")).to_be_hidden()
    assert not any("/api/truth" in url for url in page.requests)
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Truth")).to_have_attribute("aria-pressed", "true")
    for column in (0, 1, 2):
        expect(truths(page).nth(column)).to_have_text(re.compile(r"[+=−]\s*(win\s*in \d+|loss\s*in \d+|draw)"))
    before = truths(page).all_inner_texts()
    page.locator('.board [data-column="1"][data-row="5"]').click()
    expect(page.locator(".truths")).not_to_have_text("".join(before))
    page.keyboard.press("t")
    expect(page.locator(".truths")).to_be_hidden()
    assert not faults_of(page)


def test_a_move_never_waits_for_truth(page, address):
    page.route("**/api/truth", lambda route: None)  # which is never answered
    page.goto(f"{address}/play?second=windows&second_depth=2")
    page.get_by_role("button", name="Truth").click()
    expect(truths(page).first).to_have_text("…")
    page.locator('.board [data-column="3"][data-row="5"]').click()
    expect(page.locator(".board .cell.second")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("Your turn")
    expect(page.locator("#cancel")).to_be_hidden()


def test_a_person_plays_the_oracle_and_asks_it_for_a_hint(page, address):
    page.goto(f"{address}/play?second=oracle&moves={LATE}")
    page.get_by_role("button", name="Ask the oracle").click()
    expect(page.locator("#status")).to_have_text(re.compile(r"Hint: column \d, (win|loss|draw).* by perfect play\."))
    expect(page.locator(".board .cell.hint")).to_have_count(1)
    discs = page.locator(".board .cell.second").count()
    page.locator('.board [data-column="1"][data-row="5"]').click()
    expect(page.locator(".board .cell.second")).to_have_count(discs + 1)
    expect(page.locator("#status")).to_contain_text("oracle played column")


@pytest.mark.parametrize(
    "where", [f"/explain?position={LATE}&evaluator=windows&depth=2", f"/compare?position={LATE}", "replay"]
)
def test_truth_stands_below_every_board(page, address, where):
    if where == "replay":
        page.goto(f"{address}/t/played/games")
        page.locator("tbody a").first.click()
        page.get_by_role("button", name="To the beginning").click()
        for _ in LATE:
            page.keyboard.press("ArrowRight")
    else:
        page.goto(address + where)
    expect(page.locator(".truths")).to_be_hidden()
    page.get_by_role("button", name="Truth").click()
    expect(truths(page).nth(1)).to_have_attribute("aria-label", re.compile(r"column 2: (win in|loss in|draw)"))
    if where == "replay":
        assert not faults_of(page)
