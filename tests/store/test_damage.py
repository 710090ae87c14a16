"""A disk that has turned a bit over: what is not as it was written is told and does not count, and is played again."""

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from folders import STORES, TESTS, contents, rows
from played import kept, query

from tournament.errors import StoreError
from tournament.report import write
from tournament.report.write import write_reports
from tournament.runs.runner import NullObserver, run
from tournament.store import Store
from tournament.web.pages.live import Watch as Watching

FLIPS = {"tournament": 25, "drift": 150, "study": 150}  # as many as take a few seconds


@pytest.fixture(autouse=True)
def no_charts(monkeypatch):
    """Which would take all the time."""
    monkeypatch.setattr(write, "drawn", lambda results: [])


def copy_of(kind: str, out: Path) -> Path:
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(STORES / "v4" / kind, out)
    return out


def flip(path: Path, place: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def reported(store: Path, out: Path) -> tuple[tuple[str, ...], dict[str, bytes | None]]:
    """The damaged games, and every report."""
    out.mkdir(exist_ok=True)
    with Store(store) as opened:
        return write_reports(opened, out).damaged, contents(out)


@pytest.mark.parametrize("kind", FLIPS)
def test_no_bit_that_is_turned_over_changes_a_table_without_a_word(kind, tmp_path):
    damaged, expected = reported(copy_of(kind, tmp_path / "out"), tmp_path / "reports")
    assert not damaged
    size = (tmp_path / "out" / "games.db").stat().st_size
    chance, told = random.Random(f"flips {kind}"), 0
    for _ in range(FLIPS[kind]):
        place, bit = chance.randrange(size), chance.randrange(8)
        out = copy_of(kind, tmp_path / "out")
        flip(out / "games.db", place, bit)
        try:
            damaged, found = reported(out, tmp_path / "reports")
        except StoreError:
            told += 1
            continue
        told += bool(damaged)
        assert damaged or found == expected, f"byte {place}, bit {bit}"
    assert told, "some of them should have hit"


def damage_a_game(out: Path) -> str:
    """Turns a bit over in the middle of the moves of a game; which one."""
    (id, moves), *_ = query(out, "SELECT id, packed FROM games WHERE length(packed) > 200 ORDER BY number LIMIT 1")
    path = out / "games.db"
    flip(path, path.read_bytes().index(moves[:200]) + 100, 3)
    return id


def test_a_damaged_game_is_told_and_not_counted(tmp_path):
    out = copy_of("tournament", tmp_path / "out")
    whole = rows_of(out)
    id = damage_a_game(out)
    assert rows_of(out) == [row for row in whole if row["game"] != id]
    told = f"| damaged in the store | 1 game, not counted, which the next run plays again: {id}"
    text = " ".join((out / "report.md").read_text().split())
    assert told in text
    assert "1 game is damaged in the store, and not counted: the next run plays it again." in text
    with Store(out) as store, pytest.raises(StoreError, match=f"damaged and not counted.*{id}"):
        store.game(id)


def rows_of(out: Path) -> list[dict[str, str]]:
    reported(out, out)
    return rows(out)


class Watch(NullObserver):
    """Notes what a run takes out, and what it plays."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def begins(self, store: Store, jobs: int) -> None:
        self.discarded = list(store.discarded)

    def finished(self, task, done) -> None:
        self.played.append(task.id)


@pytest.mark.needs_jit
def test_a_damaged_game_is_played_again_and_no_other(tmp_path, monkeypatch):
    monkeypatch.chdir(TESTS)
    out = copy_of("tournament", tmp_path / "out")
    run("stores/tournament.yaml", out=out, jobs=1)
    before, expected = kept(out), [(row["game"], row["moves"]) for row in rows(out)]
    id = damage_a_game(out)
    watch = Watch()
    run("stores/tournament.yaml", out=out, jobs=1, observer=watch)
    assert watch.discarded == watch.played == [id]
    assert [(row["game"], row["moves"]) for row in rows(out)] == expected
    assert {game for game in before if game[1] != id} == {game for game in kept(out) if game[1] != id}


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE planned SET opening = '7' WHERE ordinal = 3",
        "UPDATE planned SET withdrawn = first WHERE ordinal = (SELECT max(ordinal) FROM planned)",
        "UPDATE players SET name = 'mear' WHERE name = 'near'",
        "UPDATE runs SET seed = 3",
        "UPDATE runs SET limits = '{'",
    ],
)
def test_a_damaged_plan_is_one_message_and_mended_by_the_next_run(change, tmp_path, monkeypatch):
    monkeypatch.chdir(TESTS)
    out = copy_of("drift", tmp_path / "out")
    with closing(sqlite3.connect(out / "games.db")) as connection, connection:
        connection.execute(change)
    before = kept(out)
    with pytest.raises(StoreError, match=r"is damaged .* its games are kept: the same `tourney run`"):
        reported(out, tmp_path / "reports")
    run("stores/drift.yaml", out=out, jobs=1)
    assert before <= kept(out)
    reported(out, tmp_path / "reports")


def test_moves_are_written_where_csv_files_are_asked_for(tmp_path):
    out = copy_of("tournament", tmp_path / "out")
    with Store(out) as store:
        write_reports(store, tmp_path, ("csv",))
        games = {game.id: moves for game, moves in store.games_with_moves()}
    assert {path.name for path in tmp_path.iterdir()} == {"out", "games.csv", "openings.csv", "moves.csv", "tables"}
    found = rows(tmp_path, "moves.csv")
    assert len(found) == sum(map(len, games.values()))
    for game in rows(tmp_path):
        own = [row for row in found if row["game"] == game["game"]]
        assert game["opening"] + "".join(row["landed"] for row in own) == game["moves"] or game["reason"] == "withdrawn"
        for seat in ("first", "second"):
            if game[f"{seat}_generated"]:
                assert sum(int(row["generated"]) for row in own if row["player"] == game[seat]) == int(
                    game[f"{seat}_generated"]
                )


@pytest.mark.parametrize("kind", ["tournament", "study"])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET result = 'nonsense' WHERE number = 2",
        "UPDATE games SET first = NULL WHERE number = 2",
        "UPDATE games SET moves = NULL",
        "UPDATE players SET settings = 'nonsense'",
        "UPDATE planned SET first = NULL",
        "UPDATE runs SET jobs = 'nonsense'",
        "DELETE FROM players",
        "ALTER TABLE runs DROP COLUMN machine",
        "ALTER TABLE games DROP COLUMN fault",
        "DROP TABLE layouts",
        "CREATE VIEW more AS SELECT 1",
    ],
)
def test_values_that_make_no_sense_are_one_message_or_games_that_are_told(kind, change, tmp_path):
    """Reported, shown, listed and watched: no traceback, and no other table without a word."""
    out = copy_of(kind, tmp_path / "out")
    with closing(sqlite3.connect(out / "games.db")) as connection, connection:
        connection.execute(change)
    watched = Watching(out)._look()
    assert watched["state"] == "unreadable" or "damaged" in watched["message"] or kind == "study"

    def read_all() -> None:
        with Store(out) as store:
            list(store.since(0, 1000))
            store.game("")

    for read in (lambda: reported(out, tmp_path / "reports"), read_all):
        with suppress(StoreError):  # one message
            found = read()
            assert found is not None
            assert found[0], "damaged games are told"
