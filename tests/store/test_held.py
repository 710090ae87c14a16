"""A store that another program holds, or that is taken away while a run writes to it."""

import shutil
import sqlite3
from contextlib import closing, contextmanager

import pytest
from folders import STORES, rows, write
from played import LONG

from tournament.errors import StoreError
from tournament.runs.runner import NullObserver, run
from tournament.store import Store, file


@contextmanager
def held(path):
    """Another program's exclusive lock on a store, and what lets go of it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield lambda: other.execute("COMMIT")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "BUSY_SECONDS", 0.05)
    shutil.copy(STORES / "v4" / "tournament" / "games.db", tmp_path)
    return tmp_path


def test_we_wait_for_another_program_and_say_so_once(store, monkeypatch):
    said = []
    with held(store / "games.db") as let_go:

        def say(told, **_):
            said.append(told)
            let_go()

        monkeypatch.setattr(file, "print", say, raising=False)
        with Store(store, write=True) as opened:
            assert opened.last_run().title
    (told,) = said
    assert told.endswith("another program holds it: waiting until it is closed there.")


def test_a_program_that_does_not_let_go_is_told_and_nothing_is_moved_away(store):
    said = r"another program holds it\. Finished games are kept: close it there, and the same command goes on"
    with held(store / "games.db"), pytest.raises(StoreError, match=said) as told:
        Store(store, write=True, patience=0.2)
    assert "ove it away" not in str(told.value)


class Takes(NullObserver):
    """Takes the folder away after the first game."""

    def __init__(self, take):
        self.take, self.games = take, 0

    def finished(self, task, done):
        self.games += 1
        if self.games == 1:
            self.take()


@pytest.mark.needs_jit
@pytest.mark.parametrize("way", ["removed", "moved"])
def test_a_folder_that_is_taken_away_is_told_at_once(tmp_path, way):
    config, out = write(tmp_path / "c.yaml", LONG), tmp_path / "out"
    takes = Takes(lambda: shutil.rmtree(out) if way == "removed" else out.rename(tmp_path / "elsewhere"))
    with pytest.raises(StoreError, match="has been removed or moved while games were written to it"):
        run(config, out=out, jobs=1, observer=takes)
    assert takes.games < 96
    assert not out.exists()
    if way == "moved":
        (tmp_path / "elsewhere").rename(out)
    run(config, out=out, jobs=2)
    run(config, out=tmp_path / "undisturbed", jobs=2)
    same = [
        [(row["game"], row["moves"], row["result"]) for row in rows(one)] for one in (out, tmp_path / "undisturbed")
    ]
    assert same[0] == same[1]
