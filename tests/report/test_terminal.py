"""Tables and answers on terminals of several widths."""

import re

import pytest
from folders import ROOT
from test_results import by_hand, game, results

from tournament.cli.tables import as_digest, as_text, wrapped
from tournament.report.digest import digest
from tournament.report.tables import games_table, tables


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_no_table_is_wider_than_the_terminal_and_no_word_is_broken(width):
    games, found = by_hand()
    for table in [games_table(games, 8), *tables(found)]:
        lines = as_text(table, width).plain.splitlines()
        assert max(map(len, lines)) <= width
        assert lines[0] == table.title
        words = {word for line in lines for word in line.split()}
        assert {"robert", "john", "brittany"} <= words or "robert" not in str(table.rows)


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
    code, again, _ = tourney("report", "reports/depths")
    assert out.endswith(again)
    assert re.search(r"To tell more: add `openings: \{plies: 2\}` to\s+the\s+config", again.replace("\n", " "))
