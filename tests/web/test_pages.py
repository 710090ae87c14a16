"""The page in a real browser: what a person does with it."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import PATIENCE, faults_of
from playwright.sync_api import Browser, Page, Route, expect
from processes import wait_until

from tournament.bench.page_latency import serving
from tournament.plugins.evaluator import Evaluator
from tournament.runs.runner import run

EVALUATORS = {
    "leftmost": '"""Leftmost: everything is worth the same, so it plays the first open column."""\n\n\n'
    "def evaluate(board):\n    return 0\n",
    "huge": '"""Huge: a score of nine digits."""\n\n\ndef evaluate(board):\n    return 123_500_000\n',
    "endless": '"""Endless: never answers."""\n\n\ndef evaluate(board):\n    while True:\n        pass\n',
}
SMALL = "title: A small tournament\nplayers: [windows, squares]\ndepths: [2]\n"
LONG = """
title: A long tournament
players: [windows, squares, runs, balanced]
depths: [2, 8]
openings: {plies: 2}
"""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that has been played, and a place for one that has not begun."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "small.yaml").write_text(SMALL)
    (folder / "long.yaml").write_text(LONG)
    run(folder / "small.yaml", out=folder / "small", jobs=1)
    return folder


@pytest.fixture(scope="module")
def address(folder: Path, write_evaluator: Callable[..., Evaluator]) -> Iterator[str]:
    """Where the page is served, with evaluators for beginners."""
    extra = [write_evaluator(text, name).path for name, text in EVALUATORS.items()]
    with serving([folder / "small", folder / "long"], extra) as port:
        yield f"http://127.0.0.1:{port}"


# Or over. Not "win" alone, as in "windows is thinking": the board and the tree are still those before its move then.
MY_TURN = re.compile("Your turn|You win!|wins[.]|draw")
EASY = "/play?second=leftmost&second_depth=1"


def cell(page: Page, column: int, row: int):
    return page.locator(f'.board [data-column="{column - 1}"][data-row="{row - 1}"]')


def play(page: Page, *columns: int) -> None:
    """Click these columns, each once it is my turn."""
    for column in columns:
        before = page.locator(".board .cell.first, .board .cell.second").count()
        cell(page, column, 6).click()
        expect(page.locator(".board .cell.first, .board .cell.second")).not_to_have_count(before)
        expect(page.locator("#status")).to_contain_text(MY_TURN)


def discs(page: Page) -> list[str]:
    return page.locator(".board .cell").evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")


def test_a_person_plays_and_wins(page, address):
    page.goto(address + EASY)
    expect(page.locator("#status")).to_have_text("Your turn: you are X.")
    play(page, 4, 4, 4)
    cell(page, 4, 1).click()
    expect(page.locator("#status")).to_have_text("You win!")
    expect(page.locator(".board .cell.won")).to_have_count(4)
    expect(cell(page, 4, 4)).to_have_attribute("aria-label", re.compile("last move, in the winning line"))
    cell(page, 5, 1).click()  # it is over
    expect(page.locator(".board .cell.first")).to_have_count(4)
    assert page.url.endswith("moves=4141414")


def test_a_person_plays_and_loses(page, address):
    page.goto(address + EASY)
    play(page, 7, 7, 6)
    cell(page, 6, 6).click()
    expect(page.locator("#status")).to_contain_text("leftmost wins.")
    expect(page.locator(".board .cell.won")).to_have_count(4)
    expect(page.locator("#hint")).to_be_disabled()


def test_a_move_is_undone_and_a_hint_given(page, address):
    page.goto(address + EASY)
    empty = discs(page)
    play(page, 4)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Undone.")
    assert discs(page) == empty
    assert "moves" not in page.url
    expect(page.locator("#undo")).to_be_disabled()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#status")).to_contain_text("Hint: column 1")
    expect(page.locator(".board .cell.hint")).to_have_count(1)


def test_a_game_is_shared_by_its_address(page, browser, address):
    page.goto(address + EASY)
    play(page, 4, 5)
    other = browser.new_page()
    other.goto(page.url)
    expect(other.locator("#status")).to_have_text("Your turn: you are X.")
    assert discs(other) == discs(page)
    other.reload()
    assert discs(other) == discs(page)
    other.close()


def test_machines_are_watched_step_by_step_and_paused(page, address):
    page.goto(address + "/play?first=leftmost&second=windows&depth=2")
    page.locator("#pause").select_option("slow")
    page.get_by_role("button", name="Step").click()
    expect(page.locator(".board .cell.first")).to_have_count(1)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".board .cell.second").nth(1)).to_be_visible()  # how many more there are, who knows
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def test_a_search_is_cancelled_and_the_page_stays_alive(page, address):
    page.goto(address + "/play?second=endless&second_depth=1")
    cell(page, 4, 1).click()
    expect(page.locator("#status")).to_have_text("endless is thinking")
    page.get_by_role("button", name="Cancel the search").click()
    expect(page.locator("#status")).to_have_text("The search was cancelled.")
    expect(page.get_by_role("button", name="Let it move")).to_be_visible()
    page.get_by_role("button", name="Explain").click()  # which can be cancelled just so, beside what else there is
    page.get_by_role("button", name="Cancel the search").click()
    expect(page.get_by_role("button", name="Search it again")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Your turn")


def test_the_tree_is_walked_to_a_pruned_branch_and_back_to_the_game(page, address):
    page.goto(address + "/play?second=windows&second_depth=4")
    play(page, 4)
    tree = page.locator("#tree")
    expect(tree.locator(".child")).to_have_count(7)
    expect(tree.locator(".child.best")).to_have_count(1)
    expect(tree.locator(".node .kind")).to_have_text("MAX")
    for _ in range(3):
        if tree.locator(".child.pruned").count():
            break
        depth = tree.locator(".crumbs button").count()
        tree.locator(".child").last.click()
        expect(tree.locator(".crumbs button")).not_to_have_count(depth)
    tree.locator(".child.pruned").first.click()
    expect(tree.locator(".node")).to_contain_text("Never looked at")
    expect(tree.locator(".node")).to_be_focused()
    tree.get_by_role("button", name="Parent").click()
    expect(tree.locator(".child.pruned").first).to_be_visible()
    tree.get_by_role("button", name="root of the tree").click()
    expect(tree.locator(".child")).to_have_count(7)
    tree.get_by_role("button", name="Follow the chosen line").click()
    expect(tree.locator(".node .kind")).to_have_text("MIN")
    tree.get_by_role("button", name="Game").click()
    expect(page.locator('.board [tabindex="0"]')).to_be_focused()
    tree.get_by_role("button", name="Compare with minimax and pvs").click()
    expect(tree.locator(".cost tbody tr")).to_have_count(3)
    expect(tree.locator(".cost tbody")).not_to_contain_text("searching")


def test_a_tree_of_a_hundred_thousand_nodes_is_a_small_page(page, address):
    page.goto(address + "/explain?depth=8&evaluator=windows")
    tree = page.locator("#tree")
    expect(tree.locator(".node")).to_contain_text("134,622")
    for kind in ("MIN", "MAX"):
        tree.locator(".follow").click()
        expect(tree.locator(".node .kind")).to_have_text(kind)
    assert page.locator("*").count() < 3000


def test_a_tournament_game_is_found_replayed_and_explained(page, address):
    page.goto(address + "/tournaments")
    page.get_by_role("link", name="A small tournament").click()
    expect(page.locator("#live-message")).to_have_text("Ended: 2 of 2 games.")
    page.get_by_role("link", name="Replay its games").click()
    page.locator("[name=player]").select_option("windows")
    page.locator("[name=result]").select_option("first")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name=re.compile("Replay game")).first.click()
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".board .cell.first")).to_have_count(0)
    page.get_by_role("button", name="One move on").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("Ply 2 of")
    expect(page.locator(".board .cell.first, .board .cell.second")).to_have_count(2)
    expect(page.locator("tr[aria-current]")).to_have_attribute("data-ply", "2")
    page.get_by_role("link", name="Explain this move", exact=True).click()
    expect(page.locator("#tree .child")).to_have_count(7)
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#status")).to_contain_text("Ply 2 of")


def test_standings_change_while_a_tournament_runs(page, address, folder):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address + "/t/long")
    expect(page.locator("#live-message")).to_contain_text("waiting for the run to begin")
    command = [sys.executable, "-m", "tournament", "run", "long.yaml", "--out", "long", "--quiet", "--jobs", "1"]
    process = subprocess.Popen(command, cwd=folder)
    try:
        expect(page.locator("#live-message")).to_contain_text(
            "Under way", timeout=6 * PATIENCE
        )  # its engine may be compiled first
        expect(page.locator("#standings tbody tr").first).to_be_visible()
        expect(page.locator("#live-message")).to_contain_text(re.compile(r"games a second, about .+ left\."))
        expect(page.locator("#standings caption", has_text="Ratings").first).to_be_visible()
        before = page.locator("#standings").inner_text()
        scrolled = "document.querySelector('#standings .scroll').scrollLeft"
        page.evaluate(f"{scrolled} = 30")
        message = page.locator("#live-message").inner_text()
        expect(page.locator("#live-message")).not_to_have_text(message)
        wait_until(lambda: page.locator("#standings").inner_text() != before)
        assert page.evaluate(scrolled) == 30, "who has scrolled a table aside is left there"
    finally:
        process.kill()
        process.wait()
    expect(page.locator("#live-message")).to_contain_text(re.compile(r"Stopped at [0-9,]+ of [0-9,]+ games"))
    expect(page.locator(".dot")).to_have_attribute("data-state", "stopped")


def test_a_position_is_put_together_and_compared(page, address):
    def ask(route: Route) -> None:
        """As the page asks, but that nobody waits long for who never answers."""
        asked = route.request.post_data_json
        route.continue_(post_data=asked | {"within": 1} if asked.get("evaluator") == "endless" else None)

    page.route("**/api/**", ask)
    page.goto(address + "/compare")
    for column in (4, 4, 3):
        cell(page, column, 6).click()
    expect(page.locator("#text")).to_have_value("......./......./......./......./...O.../..XX... O")
    row = page.locator('tr[data-evaluator="leftmost"]')
    expect(row.locator('[data-score="first"]')).to_have_text("0")
    expect(row.locator('[data-depth="2"] a')).to_be_visible()
    expect(page.locator('tr[data-evaluator="windows"] [data-depth="8"] a')).to_be_visible()
    expect(page.locator("#differ")).to_contain_text(re.compile(r"At depth 2,? (all|[0-9] of 9) choose"))
    expect(page.locator('tr[data-evaluator="endless"]')).to_contain_text("was stopped")
    assert "position=" in page.url
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".board .cell.first, .board .cell.second").nth(2)).to_be_visible()


def test_the_keyboard_alone_is_enough(page, address):
    page.goto(address + EASY)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(cell(page, 4, 1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(cell(page, 5, 2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".board .cell.second")).to_have_count(1)
    expect(cell(page, 5, 1)).to_have_class(re.compile("first"))
    for count in (2, 3):
        page.keyboard.press("5")
        expect(page.locator(".board .cell.second")).to_have_count(count)
    page.keyboard.press("5")
    expect(page.locator("#status")).to_have_text("You win!")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "rematch":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Your turn: you are X.")


PAGES = (
    "/play?moves=44&second=leftmost",
    "/play?rows=10&columns=11&connect=5",
    "/explain?moves=44&depth=2",
    "/compare",
    "/tournaments",
    "/t/small",
    "/t/small/games",
    "/play?rows=99",
)


@pytest.mark.parametrize("width", [390, 1280])
def test_every_page_fits_its_width_and_stays_on_this_machine(browser: Browser, address: str, width: int):
    page = browser.new_page(viewport={"width": width, "height": 800})
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    for path in PAGES:
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert hosts == {address.removeprefix("http://")}
    page.close()


# ── as people look at it ─────────────────────────────────────────────────────────────────────────


def test_scores_the_expected_line_and_a_curve_come_with_the_machines_move(page, address):
    page.goto(address + "/play?second=windows&second_depth=4")
    play(page, 4)
    scores = page.locator("#scores [data-score-of]")
    expect(scores.nth(3)).to_have_class(re.compile("chosen"))
    assert all(scores.all_text_contents()), "every column has its score"
    assert any(text.startswith("≤ ") for text in scores.all_text_contents()), "most of them are bounds"
    expect(page.locator("#line")).to_have_text(re.compile(r"windows expected: [1-7]( [1-7]){3}"))
    assert page.locator("#balance span").evaluate("bar => bar.style.width") != "50%"
    asked = [one.rpartition("/")[2] for one in page.requests if "/api/" in one]
    assert asked.count("move") == 1
    assert "tree" not in asked, "the move has brought its tree along"
    page.get_by_role("button", name="Score the whole game").click()
    expect(page.locator("#curve .point")).to_have_count(2)
    page.locator("#curve .point").first.click()
    expect(page.locator(".board .cell.second")).to_have_count(0)
    expect(page.locator("#elsewhere")).to_contain_text("Not the game: the board after 4")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".board .cell.second")).to_have_count(1)


def test_the_page_at_rest_has_a_tree_to_walk_and_the_large_board_follows(page, address):
    page.goto(address + EASY)
    tree = page.locator("#tree")
    expect(tree.locator(".node")).to_contain_text("178")  # positions of windows at depth 3
    expect(tree.locator(".drawn-tree figcaption")).to_contain_text("178 positions explored, 102 moves left untried")
    assert tree.locator(".drawn-tree .stub").count() > 10
    tree.locator(".child").nth(2).hover()
    expect(cell(page, 3, 1)).to_have_class(re.compile("cell first"))
    page.mouse.move(0, 0)
    expect(cell(page, 3, 1)).not_to_have_class(re.compile(r"cell first"))
    tree.locator(".child").nth(3).click()
    expect(cell(page, 4, 1)).to_have_class(re.compile("first"))  # by the pointer alone: its node may come later
    tree.get_by_role("button", name="Game").click()
    expect(cell(page, 4, 1)).not_to_have_class(re.compile(r"cell first"))


def test_an_ending_offers_again_and_the_other_seat(page, address):
    page.goto(address + "/play?second=leftmost&second_depth=1&moves=414141")
    cell(page, 4, 1).click()
    expect(page.locator("#status")).to_have_text("You win!")
    expect(page.locator(".board.over .cell.won")).to_have_count(4)
    assert page.locator("#moves button").all_text_contents() == [f" {digit}" for digit in "4141414"]
    page.get_by_role("button", name="Swap seats").click()
    expect(page.locator(".board .cell.first")).to_have_count(1)
    assert "first=leftmost" in page.url
    assert "second=human" in page.url
    assert "first_depth=1" in page.url


def test_lines_that_count_are_marked(page, address):
    page.goto(address + "/play?first=human&second=human&objective=most-lines&connect=3&moves=415263")
    cell(page, 7, 6).click()
    expect(page.locator(".board .cell.won").first).to_be_visible()
    expect(page.locator("#seat-first .count")).not_to_have_text("0 lines")


DRIFTING = "/play?drift=0.5&second=leftmost&second_depth=1&seed=5"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_disc_falls_and_ones_own_drift_is_told(page, address, motion):
    page.emulate_media(reduced_motion=motion)
    page.goto(address + DRIFTING)
    page.evaluate("""() => {
        window.fallen = [];
        document.addEventListener("animationstart", (event) => fallen.push(event.animationName), true);
    }""")
    drifted = ""
    for column in (4, 4, 3, 5):
        play(page, column)
        drifted = page.locator("#status").inner_text()
        if drifted.startswith("The disc for column"):
            break
    assert re.match(rf"The disc for column {column} drifted to column [1-7]\. leftmost played", drifted)
    fallen = "fallen.filter((name) => name === 'fall').length"
    if motion == "reduce":
        assert page.evaluate(fallen) == 0
    else:
        wait_until(lambda: page.evaluate(fallen) >= 2)


def test_how_far_a_search_has_come_is_told_and_nothing_jumps(page, address):
    page.goto(address + "/play?second=windows&second_depth=40&second_algorithm=minimax")
    expect(page.locator("#tree .child")).to_have_count(7)
    before = page.locator("#undo").bounding_box()
    cell(page, 4, 1).click()
    expect(page.locator("#progress")).to_have_text(re.compile(r"[0-9.]+ s, depth 40, [0-9,]{5,} positions"))
    expect(page.get_by_role("button", name="Cancel the search")).to_be_visible()
    assert page.locator("#undo").bounding_box() == before
    page.get_by_role("button", name="Cancel the search").click()
    expect(page.locator("#status")).to_have_text("The search was cancelled.")


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_buttons_keep_their_places_through_a_game(page, address, size):
    def places() -> dict[str, dict[str, float]]:
        return {id: page.locator(id).bounding_box() for id in ("#undo", "#share", ".setup")}

    page.set_viewport_size(size)
    page.goto(address + EASY)
    before = places()
    for column in (7, 7, 6):
        play(page, column)
        assert places() == before
    cell(page, 6, 6).click()
    expect(page.locator("#status")).to_have_text("leftmost played column 1, score win in 1 ply. leftmost wins.")
    assert places() == before
    expect(page.locator("#step")).to_be_hidden()
    page.goto(address + "/play?first=leftmost&second=leftmost&depth=1")
    before = places()
    page.get_by_role("button", name="Step").click()
    expect(page.locator(".board .cell.first")).to_have_count(1)
    assert places() == before
    expect(page.get_by_role("button", name="Step")).to_be_focused()


def test_a_disc_falls_once_and_scores_belong_to_their_positions(page, address):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(address + "/play?second=windows&second_depth=2")
    page.evaluate("""() => {
        window.fallen = 0;
        document.addEventListener("animationstart", (event) => { fallen += event.animationName === "fall"; }, true);
    }""")
    play(page, 4)
    expect(page.locator("#status")).to_contain_text("Your turn")
    still = "document.getAnimations().every((one) => one.playState !== 'running')"
    wait_until(lambda: page.evaluate(f"fallen > 0 && {still}"))
    fallen = page.evaluate("fallen")
    assert fallen <= 2, "one where the answer is there before the browser has drawn the question"
    page.locator("#tree .child").nth(2).hover()
    expect(page.locator("#elsewhere")).to_have_text("Not the game: the board after 3")
    page.mouse.move(0, 0)
    expect(page.locator("#elsewhere")).to_have_text("")
    expect(page.locator(".board .fell")).to_have_count(0)
    assert page.evaluate("fallen") == fallen
    told = page.locator("#scores").inner_text()
    page.reload()  # what the last search found is there again
    expect(page.locator("#scores")).to_have_text(told, use_inner_text=True)
    expect(page.locator("#line")).to_contain_text("windows expected: ")
    page.get_by_role("button", name="Undo").click()
    play(page, 1)
    expect(page.locator("#curve .point")).to_have_count(1)


def test_scores_of_any_size_stand_beside_each_other(page, address):
    page.goto(address + "/play?second=huge&second_depth=1")
    play(page, 4)
    assert set(page.locator("#scores .place").all_text_contents()) == {"124M", "≤ 124M"}


def test_winners_and_points_are_seen_on_a_phone(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/t/small/games", "/t/small"):
        page.goto(address + path)
        edges = "(one => [one.left, one.right])(document.querySelector('td.kept').getBoundingClientRect())"
        left, right = page.evaluate(edges)  # at once: the standings are drawn anew as they are told
        assert 0 <= left <= right <= 390, path


def test_number_keys_act_on_the_board_only(page, address):
    page.goto(address + EASY)
    page.locator("#hint").focus()
    page.keyboard.press("4")
    page.locator('.board [tabindex="0"]').focus()
    page.keyboard.press("5")
    expect(page.locator(".board .cell.first")).to_have_count(1)
    expect(cell(page, 5, 1)).to_have_class(re.compile("first"))


def test_a_tournament_leads_to_its_report_and_back_and_a_replay_to_a_game(page, address):
    page.goto(address + "/t/small")
    page.get_by_role("link", name="Its report").click()
    expect(page.locator("h1")).to_have_text("A small tournament")
    page.locator("#table-standings-depth-2").get_by_role("button", name="won", exact=True).click()
    policy = page.goto(address + "/t/small/report.html").headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts"), "what it runs can ask this server for nothing"
    assert "default-src 'none'" in policy
    page.get_by_role("link", name="Standings, games and progress").click()
    expect(page.locator("#standings")).to_contain_text("Standings")
    page.goto(address + "/t/small/games")
    page.get_by_role("link", name=re.compile("Replay game")).first.click()
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("link", name="Play on from here").click()
    expect(page.locator("#status")).to_contain_text(re.compile("turn|played|win"))


def test_a_stream_ends_with_the_server_and_is_not_cut_off(folder):
    with serving([folder / "small"], []) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/api/live/small")
        answer = connection.getresponse()
        assert answer.read(5) == b"data:"
    answer.read()  # to its end: http.client raises IncompleteRead where that is missing


def test_an_unknown_parameter_of_an_address_is_named(page, address):
    page.goto(address + "/play?deph=12")
    expect(page.get_by_role("alert")).to_contain_text("this address has `deph`, which is not known here; did you mean")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript_the_play_page_says_so(page, address):
    page.goto(address + "/play")
    expect(page.locator("noscript .message")).to_be_visible()
    expect(page.locator(".controls.with-script")).to_be_hidden()


@pytest.mark.parametrize("size", [{"width": 1024, "height": 700}, {"width": 1280, "height": 800}])
def test_board_and_buttons_are_on_the_screen(page, address, size):
    page.set_viewport_size(size)
    for first in ("human", "leftmost"):
        page.goto(address + f"/play?moves=5771246661766344&first={first}&second=leftmost")
        for shown in ("without", "with the truth"):
            if shown != "without":
                page.get_by_role("button", name="Truth").click()
                expect(page.locator(".truths")).to_contain_text(re.compile("win|draw|loss"), timeout=60_000)
            for part in (".board", ".controls.with-script"):
                box = page.locator(part).bounding_box()
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= size["height"], (first, shown, part)


@pytest.mark.parametrize("path", ["/play?moves=4433&second=windows&second_depth=3", "/compare", "/t/small"])
def test_axe_finds_nothing(page, address, path, long):
    if "compare" in path and not long:
        pytest.skip("--long has it")
    page.goto(address + path)
    if "play" in path:
        expect(page.locator("#tree .child")).to_have_count(7)
    elif "compare" in path:
        expect(page.locator('tr[data-evaluator="windows"] [data-depth="8"] a')).to_be_visible()
    assert faults_of(page, long) == []
