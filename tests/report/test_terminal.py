"""Tables and answers on terminals of several widths."""

import json
import re
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from folders import ROOT, rows, write
from rich.console import Console
from tables import in_json
from test_results import by_hand, game, results

from tournament.cli.report import print_report
from tournament.cli.tables import as_digest, as_text, wrapped
from tournament.report.digest import digest, headline
from tournament.report.table import Name
from tournament.report.tables import games_table, tables
from tournament.runs.runner import run


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_no_table_is_wider_than_the_terminal_and_no_word_is_broken(width):
    games, found = by_hand()
    for table in [games_table(games, 8), *tables(found)]:
        lines = as_text(table, width).plain.splitlines()
        assert max(map(len, lines)) <= width
        assert lines[0] == table.title
        words = {word for line in lines for word in line.split()}
        names = {cell.text for row in table.rows for cell in row if isinstance(cell, Name)}
        assert {word for name in names for word in name.split()} <= words


def test_columns_that_go_on_below_say_again_whose_rows_they_are():
    _, found = by_hand()
    for table in tables(found):
        if table.title in ("Cost in all", "Cost per move", "Verdicts"):
            own = [column.name for column in table.columns[:2]]
            lines = as_text(table, 50).plain.splitlines()
            headings = [line for line, below in pairwise(lines) if below.startswith("──")]
            assert len(headings) > 1, "its columns have no room beside each other"
            assert all(line.split()[:2] == own for line in headings)


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_the_answer_leaves_out_what_there_is_no_room_for(width):
    _, found = by_hand()
    shown = as_digest(digest(found), width).plain
    assert max(map(len, shown.splitlines())) <= width
    assert "player" in shown
    assert ("nodes generated" in shown) == (width >= 80)


def test_a_table_without_rows_is_its_note_alone():
    found = results(game("a", "b", "first"), game("b", "a", "second"))
    (rated,) = [table for table in tables(found) if table.title == "Ratings"]
    assert "─" not in as_text(rated, 80).plain
    assert as_text(rated, 80).plain.startswith("Ratings\n\nNo ratings: ")


@pytest.mark.parametrize("width", [60, 80])
def test_names_of_any_length_fit_also_above_a_column(width):
    long = ("the-first-player-of-all-with-a-long-name", "another-player-with-a-name-even-longer-than-that")
    found = results(game(*long, "first"), game(*reversed(long), "second"))
    for table in tables(found):
        assert max(map(len, as_text(table, width).plain.splitlines())) <= width
    assert max(map(len, as_digest(digest(found), width).plain.splitlines())) <= width


def test_lines_are_of_whole_words():
    assert wrapped("a bcd efg", 5) == ["a bcd", "efg"]
    assert wrapped("abcdefgh ij", 5) == ["abcde", "fgh", "ij"]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_answer_of_a_run_fits_a_screen(tourney, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = tourney("run", str(ROOT / "configs" / "depths.yaml"))
    assert code == 0
    assert len(out.splitlines()) <= 45
    assert max(len(line) for line in out.splitlines()) <= width
    assert "john scored most" in out
    assert re.search(r"^Three evaluators at three depths: 18 games in \d", out, re.MULTILINE)
    code, again, _ = tourney("report", "reports/depths")
    assert out.endswith(again)
    assert re.search(r"To tell more: add `openings: \{plies: 2\}` to\s+the\s+config", again.replace("\n", " "))


def test_the_answer_of_a_league_fits_a_screen_of_any_width(tmp_path):
    league = (ROOT / "configs" / "league.yaml").read_text()
    config = write(tmp_path / "league.yaml", league.replace("plies: 2", "plies: 1"))  # 168 games of the same players
    found = run(config, out=tmp_path / "out", jobs=2)
    for width in (60, 80, 120):
        console = Console(width=width, file=StringIO())
        print_report(Path("reports/league"), found, console)
        lines = console.file.getvalue().splitlines()
        assert len(lines) <= 45
        assert max(map(len, lines)) <= width
        assert [line for line in lines if line.startswith("To tell more: put `openings: {plies: 2}`")]
        assert re.match(r"League of the bundled evaluators: 168 games in \d+\.\d s$", lines[0])


def test_a_run_that_was_gone_on_with_tells_the_time_of_its_searches():
    _, found = by_hand()
    assert headline(found).endswith(" s of search"), "its times are whole seconds, as an earlier tourney kept them"
    times = {"started": "2026-01-02 03:04:05.100+00:00", "ended": "2026-01-02 03:04:06.500+00:00"}
    whole = replace(found, run=found.run._replace(number=1, **times))
    assert headline(whole).endswith(" games in 1.4 s")
    for more in ({"number": 2}, {"ended": None}):
        assert headline(replace(whole, run=whole.run._replace(**more))).endswith(" s of search")


def test_each_pairing_once_makes_the_tables_that_a_course_asks_for(tourney):
    code, out, _ = tourney("run", str(ROOT / "configs" / "course.yaml"))
    assert code == 0
    assert len(out.splitlines()) <= 50
    runs, wins = in_json(Path("reports/course"), "Runs"), in_json(Path("reports/course"), "Wins and losses")
    games = rows(Path("reports/course"))
    assert [(run["depth"], run["player 1"], run["player 2"]) for run in runs] == [
        (game["first_depth"], game["first"], game["second"]) for game in games
    ]
    assert [run["generated 1"] for run in runs] == [int(game["first_generated"]) for game in games]
    seconds = [float(game["second_cpu_seconds"]) for game in games]
    assert [run["CPU seconds 2"] for run in runs] == pytest.approx(seconds, abs=1e-6)
    drawn = sum(run["winner"] == "draw" for run in runs)
    assert sum(each["won"] for each in wins) == sum(each["lost"] for each in wins) == 9 - drawn
    assert [each["won"] for each in wins] == [sum(run["winner"] == each["player"] for run in runs) for each in wins]


def test_games_in_both_seats_have_no_table_of_runs(tourney):
    tourney("run", str(ROOT / "configs" / "depths.yaml"), "--quiet")
    assert "Runs" not in json.loads(Path("reports/depths/results.json").read_text())
