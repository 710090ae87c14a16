"""Folders and stores that a run can't use: one message, and everything left as it was."""

import os
import re
import sqlite3
import tempfile
from pathlib import Path

import pytest
from folders import contents, write
from ordinary import as_ordinary
from played import SMALL, query

import tournament
from tournament.store.schema import VERSION

# ── places that can't be used ────────────────────────────────────────────────────────────────────


def make_text(path: Path) -> None:
    path.write_text("my games\n" * 1000)


def make_other_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE albums (title TEXT)")
    connection.close()


def make_newer(path: Path) -> None:
    tournament.run(write(path.parent.parent / "older.yaml", SMALL), out=path.parent, jobs=1)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def make_older(path: Path) -> None:
    make_newer(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()


FOREIGN = [
    pytest.param(
        make_older,
        "was written by an older tourney (store version 1, this one opens those from 3 on): play anew with --fresh",
        id="older",
    ),
    pytest.param(make_text, "can't be used as a store: file is not a database.", id="text"),
    pytest.param(make_newer, "was written by a newer tourney (store version 99, this one knows", id="newer"),
    pytest.param(make_other_database, "is not a store of tourney: move it away", id="other database"),
]


@pytest.mark.parametrize("command", ["run", "report", "show"])
@pytest.mark.parametrize(("make", "message"), FOREIGN)
def test_a_foreign_store_is_refused_and_left_as_it_is(tmp_path, tourney, make, message, command):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make(tmp_path / "out" / "games.db")
    before = (tmp_path / "out" / "games.db").read_bytes()
    arguments = {"run": ["c.yaml", "--out", "out", "--quiet"], "report": ["out"], "show": ["out", "x"]}[command]
    code, out, err = tourney(command, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"tourney: out/games.db: {message}")
    assert len(err.splitlines()) == 1
    assert (tmp_path / "out" / "games.db").read_bytes() == before


@pytest.mark.parametrize("out", ["c.yaml", "c.yaml/deeper"])
def test_an_out_that_can_not_be_a_folder_is_told(tmp_path, tourney, out):
    write(tmp_path / "c.yaml", SMALL)
    before = contents(tmp_path)
    code, told, err = tourney("run", "c.yaml", "--out", out, "--quiet")
    assert (code, told) == (2, "")
    assert re.fullmatch(rf"tourney: {out}: can't be made \(.+\): choose another --out\.\n", err)
    assert contents(tmp_path) == before


def test_a_folder_that_can_not_be_written_to_is_told(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, _, err = tourney("run", "c.yaml", "--out", "/proc", "--quiet")  # where even root can't
    assert code == 2
    assert err.startswith("tourney: /proc: can't be written to")


@pytest.mark.parametrize("make", [make_text, make_other_database])
def test_fresh_does_not_delete_what_is_not_ours(tmp_path, tourney, make):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make(tmp_path / "out" / "games.db")
    before = (tmp_path / "out" / "games.db").read_bytes()
    assert tourney("run", "c.yaml", "--out", "out", "--fresh", "--quiet")[0] == 2
    assert (tmp_path / "out" / "games.db").read_bytes() == before


def test_fresh_replaces_a_store_of_an_older_version(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make_older(tmp_path / "out" / "games.db")
    code, told, _ = tourney("run", "c.yaml", "--out", "out", "--fresh")
    assert code == 0
    assert told.startswith("12 games, 0 of them played before")
    assert query(tmp_path / "out", "PRAGMA user_version") == [(VERSION,)]
    assert query(tmp_path / "out", "SELECT count(*) FROM runs") == [(1,)]


def test_fresh_leaves_other_files_alone(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    write(tmp_path / "out" / "games.db.bak", "mine")
    assert tourney("run", "c.yaml", "--out", "out", "--fresh", "--quiet")[0] == 0
    assert (tmp_path / "out" / "games.db.bak").read_text() == "mine"


def test_a_report_that_can_not_be_written_is_told(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "reports" / "c" / "report.md").mkdir(parents=True)
    code, _, err = tourney("run", "c.yaml", "--quiet")
    assert code == 2
    assert "report.md" in err


def test_in_the_folder_of_another_user_a_report_is_printed_and_no_file_written():
    with tempfile.TemporaryDirectory() as made:  # outside of pytest's own folders, which are closed to others
        folder = Path(made)
        folder.chmod(0o755)
        tournament.run(write(folder / "c.yaml", SMALL), out=folder / "out", jobs=1)
        before = contents(folder)
        if os.geteuid():
            (folder / "out").chmod(0o555)
        told = as_ordinary("-m", "tournament", "report", "out", cwd=folder)
        (folder / "out").chmod(0o755)
        assert told.returncode == 2
        assert "runs scored most" in told.stdout
        assert "report.html" not in told.stdout
        assert told.stderr == "tourney: out: can't be written to: these are its tables, and no file was written.\n"
        assert contents(folder) == before
