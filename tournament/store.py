"""The store: the SQLite file that holds every game, what was planned, and how each run was made.

A finished game is written in a transaction of its own, so that whatever kills the run loses only games in
flight. Games are known by their id; the plan says which of them count.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from tournament.errors import StoreError, shown
from tournament.players import Player
from tournament.position import Result
from tournament.referee import Game
from tournament.rules import Rules
from tournament.schedule import PlannedGame

FILE = "games.db"
VERSION = 1
APPLICATION = 0x74726E79  # "trny": how the file says that it is one of ours

ELSEWHERE = "move it away, or choose another --out."

SCHEMA = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, started TEXT, ended TEXT, title TEXT, config TEXT, config_file TEXT, command TEXT,
    seed INTEGER, rules TEXT, jobs INTEGER, versions TEXT, machine TEXT, seats TEXT
);
CREATE TABLE players (  -- one row a player and depth, known by what decides its moves
    key TEXT PRIMARY KEY, name TEXT, depth INTEGER, evaluator TEXT, description TEXT, algorithm TEXT, move_order TEXT,
    source_hash TEXT, compiled INTEGER, reason TEXT
);
CREATE TABLE planned (  -- the games of the last run, in order
    ordinal INTEGER PRIMARY KEY, game TEXT UNIQUE, first TEXT, second TEXT, opening TEXT, depth INTEGER
);
CREATE INDEX planned_by_cost ON planned (depth DESC, ordinal);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, first TEXT, second TEXT, rules TEXT, opening TEXT, seed INTEGER,
    result TEXT, reason TEXT, fault TEXT, plies INTEGER, moves TEXT
);
CREATE TABLE moves (
    game INTEGER, ply INTEGER, played INTEGER, score REAL, generated INTEGER, expanded INTEGER, evaluated INTEGER,
    cutoffs INTEGER, seconds REAL, cpu_seconds REAL, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""


class StoredPlayer(NamedTuple):
    """A player at one depth, as it was when it played."""

    key: str
    name: str
    depth: int
    evaluator: str
    description: str
    algorithm: str
    order: str
    source_hash: str
    compiled: bool
    reason: str | None


class Cost(NamedTuple):
    """What one side's searches did in a game, or in many."""

    moves: int = 0
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def plus(self, other: Cost) -> Cost:
        return Cost._make(a + b for a, b in zip(self, other, strict=True))


class StoredGame(NamedTuple):
    """A finished game that counts, with the cost of each side."""

    id: str
    first: StoredPlayer
    second: StoredPlayer
    opening: str
    seed: int
    result: Result
    reason: str
    fault: str | None
    plies: int
    moves: str
    distinct: bool  # False where the same players have played the same moves before
    first_cost: Cost
    second_cost: Cost


class StoredMove(NamedTuple):
    """One move of a game: where, how good it looked, and what it took to find."""

    ply: int
    column: int
    score: float
    generated: int
    expanded: int
    evaluated: int
    cutoffs: int
    seconds: float
    cpu_seconds: float


class StoredRun(NamedTuple):
    """How the last run was made."""

    number: int
    started: str
    ended: str | None
    title: str
    config: str
    config_file: str
    command: str
    seed: int
    rules: Rules
    jobs: int
    versions: dict[str, str]
    machine: str
    seats: str = "as-listed"


class Task(NamedTuple):
    """A planned game that has not been played: what a worker needs to play it."""

    game: str
    first: str
    second: str
    opening: str
    depth: int


class Store:
    """An open store. Use it with `with`; only one run at a time may write to it."""

    def __init__(self, folder: Path, *, write: bool = False, fresh: bool = False) -> None:
        self.path = folder / FILE
        self._lock: sqlite3.Connection | None = None
        if write:
            _make_folder(folder)
            self._lock = _locked(folder)
        elif not self.path.is_file():
            raise StoreError(f"{shown(folder)}: there is no {FILE} here: name the folder of a tournament.")
        try:
            self._open(write)
            if fresh:
                self.connection.close()
                for suffix in ("", "-wal", "-shm"):
                    self.path.with_name(FILE + suffix).unlink(missing_ok=True)
                self._open(write)
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool) -> None:
        """Open the file, having made sure that it is one of ours."""
        with _explained(self.path):
            self.connection = sqlite3.connect(self.path, isolation_level=None)
            (application,) = self.connection.execute("PRAGMA application_id").fetchone()
            (version,) = self.connection.execute("PRAGMA user_version").fetchone()
            (tables,) = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables and application != APPLICATION:
                raise StoreError(
                    f"{shown(self.path)}: is not a store of tourney: move it away, or choose another --out."
                )
            if version > VERSION:
                raise StoreError(
                    f"{shown(self.path)}: was written by a newer tourney (store version {version}, this one knows "
                    f"{VERSION}): install that version, or choose another --out."
                )
            if write:
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
            if not tables and write:
                pragmas = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                self.connection.executescript(f"BEGIN; {SCHEMA} {pragmas} COMMIT;")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for connection in (getattr(self, "connection", None), self._lock):
            if connection is not None:
                connection.close()

    # Writing

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _explained(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def begin_run(
        self,
        *,
        started: str,
        title: str,
        config: str,
        config_file: str,
        command: str,
        seed: int,
        rules: Rules,
        jobs: int,
        versions: dict[str, str],
        machine: str,
        seats: str,
        players: Iterable[StoredPlayer],
        games: Iterable[PlannedGame],
    ) -> int:
        """Note how this run is made and which games it consists of; returns the run's number."""
        with self._transaction() as connection:
            values = (
                started, title, config, config_file, command, seed, json.dumps(asdict(rules)), jobs,
                json.dumps(versions), machine, seats,
            )  # fmt: skip
            run = connection.execute(
                "INSERT INTO runs (started, title, config, config_file, command, seed, rules, jobs, versions, machine,"
                " seats) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            ).lastrowid
            connection.executemany("REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", players)
            connection.execute("DELETE FROM planned")
            connection.executemany(
                "INSERT OR IGNORE INTO planned (game, first, second, opening, depth) VALUES (?, ?, ?, ?, ?)",
                ((game.id, game.first.key, game.second.key, game.opening, game.depth) for game in games),
            )
        assert run is not None
        return run

    def end_run(self, run: int, ended: str) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE runs SET ended = ? WHERE number = ?", (ended, run))

    def add_game(self, task: Task, game: Game, rules: Rules, seed: int) -> None:
        """Keep a finished game, in a transaction of its own."""
        with self._transaction() as connection:
            number = connection.execute(
                "INSERT INTO games (id, first, second, rules, opening, seed, result, reason, fault, plies, moves)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    task.game, task.first, task.second, json.dumps(asdict(rules)), task.opening, seed,
                    game.result, game.reason, game.fault, len(game.moves), game.moves,
                ),
            ).lastrowid  # fmt: skip
            connection.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (number, ply, found.column, found.score, *found.counters, found.seconds, found.cpu_seconds)
                    for ply, found in enumerate(game.found, start=len(game.opening))
                ),
            )

    # Reading

    def missing(self) -> Iterator[Task]:
        """The planned games that had not been played when their turn came, the costly ones first."""
        query = (
            "SELECT depth, ordinal, planned.game, planned.first, planned.second, planned.opening FROM planned"
            " LEFT JOIN games ON games.id = planned.game"
            " WHERE games.id IS NULL AND (depth < :depth OR depth = :depth AND ordinal > :ordinal)"
            " ORDER BY depth DESC, ordinal LIMIT 256"  # a page at a time, to keep none in memory
        )
        depth, ordinal = 1 << 32, 0
        while True:
            with _explained(self.path):
                rows = self.connection.execute(query, {"depth": depth, "ordinal": ordinal}).fetchall()
            if not rows:
                return
            for row in rows:
                depth, ordinal = row[:2]
                yield Task._make((*row[2:], depth))

    def progress(self) -> dict[int, tuple[int, int]]:
        """By depth: how many of the planned games have been played, and how many there are."""
        query = (
            "SELECT depth, count(games.id), count(*) FROM planned LEFT JOIN games ON games.id = planned.game"
            " GROUP BY depth ORDER BY depth"
        )
        with _explained(self.path):
            return {depth: (played, planned) for depth, played, planned in self.connection.execute(query)}

    def superseded(self) -> int:
        """How many games are kept that the plan no longer asks for."""
        query = "SELECT count(*) FROM games WHERE id NOT IN (SELECT game FROM planned)"
        with _explained(self.path):
            (count,) = self.connection.execute(query).fetchone()
        return int(count)

    def last_run(self) -> StoredRun:
        with _explained(self.path):
            row = self.connection.execute("SELECT * FROM runs ORDER BY number DESC LIMIT 1").fetchone()
        if row is None:
            raise StoreError(f"{shown(self.path)}: holds no run: start one with `tourney run`.")
        number, started, ended, title, config, config_file, command, seed, rules, jobs, versions, machine, seats = row
        return StoredRun(
            number, started, ended, title, config, config_file, command, seed, Rules(**json.loads(rules)), jobs,
            json.loads(versions), machine, seats,
        )  # fmt: skip

    def players(self) -> dict[str, StoredPlayer]:
        """Everybody in the plan, by key, in the order of the plan."""
        query = (
            "SELECT players.* FROM players JOIN (SELECT key, min(place) AS place FROM ("
            " SELECT first AS key, 2 * ordinal AS place FROM planned"
            " UNION ALL SELECT second, 2 * ordinal + 1 FROM planned) GROUP BY key) USING (key) ORDER BY place"
        )
        with _explained(self.path):
            return {row[0]: StoredPlayer(*row) for row in self.connection.execute(query)}

    def games(self) -> Iterator[StoredGame]:
        """The games that count, in the order of the plan, one at a time."""
        query = (
            "SELECT games.number, games.id, games.first, games.second, games.opening, games.seed, result, reason,"
            " fault, plies, games.moves, row_number() OVER (PARTITION BY games.first, games.second, games.opening,"
            " games.moves ORDER BY ordinal) = 1 FROM planned JOIN games ON games.id = planned.game ORDER BY ordinal"
        )
        sums = (
            "SELECT ply % 2, count(*), sum(generated), sum(expanded), sum(evaluated), sum(cutoffs), sum(seconds),"
            " sum(cpu_seconds) FROM moves WHERE game = ? GROUP BY ply % 2"
        )
        players = self.players()
        with _explained(self.path):
            for number, game, first, second, *outcome, distinct in self.connection.execute(query):
                costs = {row[0]: Cost(*row[1:]) for row in self.connection.execute(sums, (number,))}
                seated = (game, players[first], players[second])
                yield StoredGame._make((*seated, *outcome, bool(distinct), costs.get(0, Cost()), costs.get(1, Cost())))

    def game(self, id: str) -> tuple[StoredGame, list[StoredMove]]:
        """One game of the plan by its id, or the beginning of it, with its moves."""
        found = [game for game in self.games() if game.id.startswith(id)]
        if len(found) != 1:
            known = "there is no such game" if not found else f"{len(found)} games begin like this"
            raise StoreError(f"`{id}`: {known} in {shown(self.path.parent)}: games.csv has every game's id.")
        query = (
            "SELECT ply, played, score, generated, expanded, evaluated, cutoffs, seconds, cpu_seconds FROM moves"
            " JOIN games ON games.number = moves.game WHERE games.id = ? ORDER BY ply"
        )
        with _explained(self.path):
            return found[0], [StoredMove(*row) for row in self.connection.execute(query, (found[0].id,))]


def stored(player: Player, *, compiled: bool, reason: str | None) -> StoredPlayer:
    """A player as the store keeps it."""
    evaluator, settings = player.evaluator, player.settings
    return StoredPlayer(
        player.key,
        player.name,
        settings.depth,
        evaluator.name,
        evaluator.description,
        settings.algorithm,
        settings.order,
        evaluator.source_hash,
        compiled,
        reason,
    )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """SQLite's own complaints in our words."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"{shown(path)}: can't be used as a store: {error}. Move it away, or choose another --out."
        ) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}): choose another --out.") from error


def _locked(folder: Path) -> sqlite3.Connection:
    """A lock on the folder that ends with this process, however it ends: a transaction on an empty database."""
    connection = None
    try:
        connection = sqlite3.connect(folder / ".lock", timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if connection is not None:
            connection.close()
        if "locked" in str(error):
            raise StoreError(
                f"{shown(folder)}: another run is writing here: wait for it, or choose another --out."
            ) from error
        raise StoreError(f"{shown(folder)}: can't be written to ({error}): choose another --out.") from error
    return connection
