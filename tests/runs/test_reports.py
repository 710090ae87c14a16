"""What a run reports: files, tables and the terminal."""

import json
import re
import sqlite3

import pytest
from folders import contents, rows, write
from played import REPORTS, SMALL, kept, squeezed

import tournament

# ── reports ──────────────────────────────────────────────────────────────────────────────────────


def test_report_makes_the_same_files_again_from_the_store_alone(tmp_path, tourney):
    config = write(tmp_path / "c.yaml", SMALL)
    _, told, _ = tourney("run", "c.yaml")
    folder = tmp_path / "reports" / "c"
    before = {name: (folder / name).read_bytes() for name in REPORTS}
    for name in REPORTS:
        (folder / name).unlink()
    config.unlink()
    store = kept(folder)
    code, again, _ = tourney("report", "reports/c")
    assert code == 0
    assert {name: (folder / name).read_bytes() for name in REPORTS} == before
    assert kept(folder) == store
    assert told.endswith(again), "the terminal shows the same tables"


def test_a_folder_that_was_moved_still_makes_its_reports(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    before = {name: (tmp_path / "reports" / "c" / name).read_bytes() for name in REPORTS}
    (tmp_path / "reports" / "c").rename(tmp_path / "elsewhere")
    assert tourney("report", "elsewhere")[0] == 0
    assert {name: (tmp_path / "elsewhere" / name).read_bytes() for name in REPORTS} == before


def test_markdown_json_and_terminal_have_the_same_tables(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    _, told, _ = tourney("run", "c.yaml", "--full")
    folder = tmp_path / "reports" / "c"
    in_markdown = re.findall(r"^## (.+)$", (folder / "report.md").read_text(), flags=re.MULTILINE)
    in_json = json.loads((folder / "results.json").read_text())
    summary = in_json.pop("summary")
    assert all(sentence in squeezed(told) for sentence in summary)
    assert all(f"\n{sentence}\n" in (folder / "report.md").read_text() for sentence in summary)
    assert in_markdown == list(in_json)
    for promised in ("Games", "Crosstable", "First-player advantage", "How it was made"):
        assert promised in in_json
    assert {"Standings, depth 1", "Standings, depth 2", "Standings, all depths"} <= set(in_json)
    assert all(re.search(rf"^{re.escape(title)} *$", told, flags=re.MULTILINE) for title in in_json)
    assert len(in_json["Games"]["rows"]) == 12
    for table in in_json.values():
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_a_report_of_a_run_that_was_stopped_says_how_many_were_played(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    connection = sqlite3.connect(tmp_path / "reports" / "c" / "games.db")
    with connection:
        connection.execute("DELETE FROM games WHERE number > 5")
    connection.close()
    assert tourney("report", "reports/c")[0] == 0
    assert "5 of 12 played, 5 distinct" in (tmp_path / "reports" / "c" / "report.md").read_text()


def test_a_title_with_a_bar_does_not_break_the_table(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", f"title: this | that\n{SMALL}"), out=tmp_path / "out")
    (row,) = [line for line in (tmp_path / "out" / "report.md").read_text().splitlines() if line.startswith("| title ")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


def test_a_title_of_several_lines_is_one_line_of_the_report(tmp_path):
    config = write(tmp_path / "c.yaml", f"title: |\n  this\n  and  that\n{SMALL}")
    results = tournament.run(config, out=tmp_path / "out")
    assert results.run.title == "this and that"
    assert (tmp_path / "out" / "report.md").read_text().startswith("# this and that\n")


def test_names_and_titles_with_brackets_are_shown_as_they_are(tmp_path, tourney):
    write(tmp_path / "c.yaml", "title: a [b] c\nplayers: {'x[/]': windows, '[bold]': runs}\ndepths: [1]\n")
    code, out, _ = tourney("run", "c.yaml")
    assert code == 0
    for name in ("a [b] c", "x[/]", "[bold]"):
        assert name in out
    for game in rows(tmp_path / "reports" / "c"):
        code, out, _ = tourney("show", "reports/c", game["game"])
        assert code == 0
        assert "x[/]" in out


def test_show_replays_a_game_move_by_move(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    game = rows(tmp_path / "reports" / "c")[0]
    code, out, _ = tourney("show", "reports/c", game["game"][:8])
    assert code == 0
    assert "windows, depth 1" in out.splitlines()[0]
    assert "squares, depth 1" in out.splitlines()[1]
    assert out.count("1 2 3 4 5 6 7") == int(game["plies"])
    columns = re.findall(r"(\d+)\. (\w+) \((.)\) +column (\d)", out)
    assert "".join(column for *_, column in columns) == game["moves"]
    assert [name for _, name, _, _ in columns[:2]] == ["windows", "squares"]
    assert f"after {game['plies']} plies: {game['moves']}" in squeezed(out)
    for name in ("score", "generated", "expanded", "evaluated", "cutoffs", "seconds"):
        assert len(re.findall(rf"\b{name} +[−\dwl]", out)) == int(game["plies"])


def test_show_refuses_an_id_that_nobody_or_several_have(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    ids = [game["game"] for game in rows(tmp_path / "reports" / "c")]
    code, out, err = tourney("show", "reports/c", "nobody")
    assert (code, out) == (2, "")
    assert err == "tourney: `nobody`: there is no such game in reports/c: games.csv has every game's id.\n"
    start = next(id[:n] for n in range(3) for id in ids if sum(other.startswith(id[:n]) for other in ids) > 1)
    code, out, err = tourney("show", "reports/c", start)
    assert (code, out) == (2, "")
    assert err == f"tourney: `{start}`: 12 games begin like this in reports/c: games.csv has every game's id.\n"


@pytest.mark.parametrize("command", ["report", "show"])
def test_a_folder_without_a_store_is_told(tmp_path, tourney, command):
    code, out, err = tourney(command, "nowhere", *(["x"] if command == "show" else []))
    assert (code, out) == (2, "")
    assert err == "tourney: nowhere: there is no games.db here: name the folder of a tournament.\n"
    assert contents(tmp_path) == {}
