"""report.html in a real browser: opened from disk, sorted, replayed, and readable without JavaScript."""

from pathlib import Path

import pytest
from browser import faults_of
from playwright.sync_api import expect
from tables import tables_of
from test_results import RUN, game, player, results

import tournament
from tournament.games.connect4 import Rules
from tournament.report.formats import html
from tournament.report.report import Report
from tournament.report.results import Results
from tournament.report.tables import games_table, tables

pytestmark = pytest.mark.charts

CONFIG = """\
title: Three in a browser
players: {robert: windows, john: squares, brittany: runs}
depths: [1, 3]
openings: {plies: 2, sample: 12}
"""
PHONE = {"viewport": {"width": 390, "height": 844}}
NO_JAVASCRIPT = {"java_script_enabled": False}


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> tuple[str, Results]:
    """The address of a page on disk, and what is on it."""
    folder: Path = tmp_path_factory.mktemp("report")
    (folder / "c.yaml").write_text(CONFIG)
    found = tournament.run(folder / "c.yaml", out=folder / "out", jobs=1)
    assert isinstance(found, Results)
    return (folder / "out" / "report.html").as_uri(), found


def column(page, number: int = 1) -> list[str]:
    """What stands in a column of the standings over all depths."""
    return page.locator(f"#table-standings-all-depths tbody tr > :nth-child({number})").all_text_contents()


def heading(page, name: str):
    return page.locator("#table-standings-all-depths").get_by_role("columnheader", name=name, exact=True)


def test_the_report_opens_from_disk_with_no_request_to_any_host(page, report):
    address, _ = report
    page.goto(address)
    page.locator("#replays").scroll_into_view_if_needed()
    page.locator(".game").first.locator("summary").click()
    page.wait_for_timeout(200)
    assert page.title() == "Three in a browser"
    assert [asked for asked in page.requests if not asked.startswith(("file:", "data:"))] == []
    assert [asked for asked in page.requests if asked.startswith("file:")] == [address]


def test_a_table_is_sorted_by_a_click_and_back(page, report):
    address, found = report
    page.goto(address)
    names = [row[0] for table in tables_of(found) if table.title == "Standings, all depths" for row in table.values]
    assert column(page) == names
    assert heading(page, "player").get_attribute("aria-sort") == "none"
    page.locator("#table-standings-all-depths").get_by_role("button", name="player").click()
    assert column(page) == sorted(names)
    assert heading(page, "player").get_attribute("aria-sort") == "ascending"
    page.locator("#table-standings-all-depths").get_by_role("button", name="player").click()
    assert column(page) == sorted(names, reverse=True)
    assert heading(page, "player").get_attribute("aria-sort") == "descending"


def test_numbers_are_sorted_as_numbers_the_largest_first(page, report):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    table = page.locator("#table-games")
    table.get_by_role("button", name="first generated").click()
    shown = page.locator("#table-games tbody tr > :nth-child(5)").all_text_contents()
    counts = [int(cell.replace(",", "")) for cell in shown]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 999 > counts[-1], "or it would be no test of commas"


def test_a_table_is_sorted_by_keyboard_alone(page, report):
    address, _ = report
    page.goto(address)
    button = page.locator("#table-standings-all-depths").get_by_role("button", name="won", exact=True)
    page.locator("#table-standings-all-depths").get_by_role("button", name="played").focus()
    page.keyboard.press("Tab")
    assert button.evaluate("button => button === document.activeElement")
    page.keyboard.press("Enter")
    won = [int(cell) for cell in column(page, 3)]
    assert won == sorted(won, reverse=True)
    page.keyboard.press("Space")
    assert [int(cell) for cell in column(page, 3)] == sorted(won)
    assert heading(page, "won").get_attribute("aria-sort") == "ascending"


def look_at_games(page) -> None:
    """Come near the games, so that they are there: all of them, as if somebody had scrolled through them."""
    page.locator("#replays").scroll_into_view_if_needed()
    page.locator(".game").first.wait_for()
    page.evaluate("all()")


def discs(game) -> int:
    return game.locator(".board .disc").count()


def open_replay(game) -> None:
    game.locator("summary").click()
    game.locator(".board .disc").first.wait_for()  # drawn a moment after it opens


def test_a_game_is_replayed_by_its_buttons(page, report):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    game = page.locator(".game").first
    moves = game.get_attribute("data-moves")
    open_replay(game)
    told = game.locator(".told")
    assert discs(game) == len(moves)
    assert told.text_content().startswith(f"Move {len(moves)} of {len(moves)}: ")
    assert game.locator("pre").count() == 0
    game.get_by_role("button", name="First").click()
    assert (discs(game), told.text_content()) == (0, "Before the first move.")
    game.get_by_role("button", name="Back").click()
    assert discs(game) == 0
    game.get_by_role("button", name="Next").click()
    assert told.text_content() == f"Move 1 of {len(moves)}: robert (X) in column {moves[0]}, in the opening."
    for _ in range(3):
        game.get_by_role("button", name="Next").click()
    assert told.text_content() == f"Move 4 of {len(moves)}: john (O) in column {moves[3]}."
    assert game.get_by_role("img").get_attribute("aria-label") == f"Board. {told.text_content()}"
    game.get_by_role("button", name="Last").click()
    assert discs(game) == len(moves)


def test_the_discs_fall_where_the_final_board_has_them_and_the_winning_line_is_drawn(page, report):
    address, found = report
    page.goto(address)
    look_at_games(page)
    for place in range(0, found.played, found.played // 8):
        game = page.locator(".game").nth(place)
        final = game.locator("pre").text_content().split("\n")
        open_replay(game)
        drawn = game.locator(".board .disc, .board .hole").evaluate_all(
            "cells => cells.map(cell => [cell.cx.baseVal.value, cell.cy.baseVal.value,"
            " cell.classList.contains('hole') ? '.' : cell.nextSibling.classList.contains('ring') ? 'O' : 'X'])"
        )
        rows = [["?"] * 7 for _ in range(6)]
        for x, y, disc in drawn:
            rows[int(y)][int(x)] = disc
        assert ["".join(row) for row in rows] == final
        assert bool(game.locator(".board .line").count()) == (game.get_attribute("data-result") != "draw")


def test_a_game_is_replayed_by_keyboard_alone(page, report):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    game = page.locator(".game").first
    game.locator("summary").focus()
    page.keyboard.press("Enter")
    game.locator(".board").wait_for()
    page.keyboard.press("ArrowLeft")
    assert discs(game) == len(game.get_attribute("data-moves")) - 1
    slider = game.get_by_role("slider", name="Moves played")
    slider.focus()
    page.keyboard.press("Home")
    assert discs(game) == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert discs(game) == 2


def test_a_game_in_the_table_leads_to_its_replay(page, report):
    address, _ = report
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(address)
    look_at_games(page)
    link = page.locator("#table-games tbody a").nth(3)
    link.click()
    game = page.locator(link.get_attribute("href"))
    game.locator(".board .disc").first.wait_for()
    assert game.get_attribute("open") is not None
    assert discs(game) == len(game.get_attribute("data-moves"))
    page.wait_for_timeout(100)
    for part in (game.locator(".board"), game.get_by_role("button", name="Next"), game.get_by_role("slider")):
        box = part.bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 800, "board and buttons are in view"


# ── as people look at it ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_has_the_summary_the_overall_standings_and_a_chart(page, report, scheme):
    address, _ = report
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    for part in ("#summary", "#table-standings-all-depths", "#chart-crosstable svg"):
        box = page.locator(part).bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 800, part
    titles = page.locator("#tables h3").all_text_contents()
    assert titles[:2] == ["Standings, depth 1", "Standings, depth 3"], "which come after those over all"
    assert page.locator(".folded").count() == 0, "two are no more than three"


def test_standings_at_more_than_three_depths_are_folded_and_a_link_into_them_opens_them(page, tmp_path):
    games = [game(player("a", depth), player("b", depth), "first", moves="1212121") for depth in (1, 2, 3, 4)]
    found = results(*games)
    made = html.page(Report(found, [], tables(found), list, games_table(games, 4), games))
    (tmp_path / "report.html").write_text(made)
    page.goto((tmp_path / "report.html").as_uri())
    folded = page.locator(".folded")
    assert folded.locator("summary").text_content() == "Standings by depth: 4 tables"
    assert not page.locator("#table-standings-depth-2").is_visible()
    page.locator(".contents").get_by_role("link", name="Standings, depth 2").click()
    assert page.locator("#table-standings-depth-2").is_visible()
    page.evaluate("document.querySelector('.folded').open = false")
    page.pdf()  # which is asked for all of it
    assert page.locator("#table-standings-depth-2").is_visible()


def test_lines_that_count_are_drawn_and_told(page, tmp_path):
    games = [game(player("a"), player("b"), "first", reason="most lines", moves="112233445566711")]
    found = results(*games, run=RUN._replace(rules=Rules(objective="most-lines")))
    made = html.page(Report(found, [], tables(found), list, games_table(games, 1), games))
    (tmp_path / "report.html").write_text(made)
    page.goto((tmp_path / "report.html").as_uri() + f"#game-{games[0].id[:8]}")
    replayed = page.locator(".game").first
    expect(replayed.locator(".told")).to_contain_text("Lines: 4 to 3.")  # in the two lowest rows
    expect(replayed.locator(".board .line")).to_have_count(7)
    replayed.get_by_role("button", name="First").click()
    expect(replayed.locator(".told")).to_have_text("Before the first move. Lines: 0 to 0.")


@pytest.mark.parametrize("width", [390, 1280])
def test_points_and_winners_are_seen_without_scrolling(page, report, width):
    address, _ = report
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(address)
    look_at_games(page)
    for table in ("#table-standings-all-depths", "#table-games"):
        for kept in (page.locator(f"{table} thead .kept"), page.locator(f"{table} tbody .kept").first):
            frame, box = page.locator(f"{table} .scroll").bounding_box(), kept.bounding_box()
            assert frame["x"] <= box["x"] <= box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    outcome = page.locator(".game .outcome").first.bounding_box()
    assert outcome["x"] + outcome["width"] <= width


def test_games_become_elements_as_they_are_looked_at(page, report):
    address, found = report
    page.goto(address)
    assert page.locator("#games .game, #games tr").count() == 0
    page.locator("#replays").scroll_into_view_if_needed()
    page.locator(".game").first.wait_for()
    early = page.locator(".game").count()
    assert 0 < early < found.played
    page.locator(".game").last.scroll_into_view_if_needed()
    page.locator(".game").nth(early).wait_for()
    last = page.evaluate("Held.all[1].items.at(-1).id")
    page.evaluate(f"location.hash = '{last}'")
    page.locator(f"#{last} .board").wait_for()
    order = page.locator(".game .number").all_text_contents()
    assert order == sorted(order, key=int), "each in its place among those that are shown"


def test_axe_finds_nothing_in_a_report(page, report, long):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    page.evaluate("Held.all[1].items[0].open = true")
    page.locator(".board").wait_for()
    of_a_kind = ".game:not([open]), #table-games tr:nth-child(n + 5)"
    page.evaluate(f"document.querySelectorAll('{of_a_kind}').forEach(one => one.remove())")
    assert faults_of(page, long) == []


@pytest.mark.parametrize("page", [NO_JAVASCRIPT], indirect=True)
def test_it_can_be_read_without_javascript(page, report):
    address, found = report
    page.goto(address)
    assert page.get_by_role("heading", level=1).text_content() == "Three in a browser"
    assert page.locator("table").count() == sum(bool(table.rows) for table in tables_of(found)) + 1
    assert page.locator("thead button").count() == 0
    assert page.locator("figure svg").count() == 5
    game = page.locator(".game").first
    assert game.locator(".moves").text_content() == game.get_attribute("data-moves")
    assert not game.locator("pre").is_visible()
    game.locator("summary").click()
    assert game.locator("pre").is_visible()
    assert len(game.locator("pre").text_content().split("\n")) == 6


@pytest.mark.parametrize("width", [390, 760, 1000, 1280])
def test_no_line_of_a_game_is_cut_off(page, report, width):
    address, _ = report
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)
    look_at_games(page)
    ends = page.locator(".game .moves").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert max(ends) <= width


@pytest.mark.parametrize("page", [PHONE, PHONE | {"color_scheme": "dark"}], indirect=True)
def test_it_fits_a_phone(page, report):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    open_replay(page.locator(".game").first)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    buttons = page.locator(".steps button").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert min(buttons) >= 44


def test_it_prints_without_what_only_a_screen_can_do(page, report):
    address, _ = report
    page.goto(address)
    look_at_games(page)
    assert page.get_by_role("navigation").first.is_visible()
    measure = "all => all.map(one => one.scrollHeight - one.clientHeight)"
    assert max(page.locator(".tall").evaluate_all(measure)) > 1, "or there is nothing that only a screen can do"
    page.emulate_media(media="print")
    assert not page.get_by_role("navigation").first.is_visible()
    page.set_viewport_size({"width": 700, "height": 990})  # as paper is, and yet a game has one line
    assert page.locator(".game summary").first.bounding_box()["height"] < 30
    shown = "all => [...new Set(all.map(one => getComputedStyle(one).display))]"
    assert page.locator("thead button").evaluate_all(shown) == ["contents"], "a button is on the first page alone"
    hidden = page.locator(".tall").evaluate_all(measure)
    assert hidden
    assert max(hidden) <= 1, "every row is on paper"
