"""The store: the SQLite file that holds every game, what was planned, and how each run was made.

A finished game is written in a transaction of its own, so that whatever kills the run loses only games in
flight. Games are known by their id; the plan says which of them count.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from tournament.errors import StoreError, shown
from tournament.players import Player
from tournament.position import Result, column_digit
from tournament.referee import Game
from tournament.rules import Rules
from tournament.schedule import PlannedGame
from tournament.search import Found
from tournament.settings import Settings

FILE = "games.db"
VERSION = 2
APPLICATION = 0x74726E79  # "trny": how the file says that it is one of ours

ELSEWHERE = "move it away, or choose another --out."

SCHEMA = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, started TEXT, ended TEXT, title TEXT, config TEXT, config_file TEXT, command TEXT,
    seed INTEGER, rules TEXT, jobs INTEGER, versions TEXT, machine TEXT, seats TEXT  -- no seats: a study
);
CREATE TABLE players (  -- one row a player and its settings, known by what decides its moves
    key TEXT PRIMARY KEY, name TEXT, settings TEXT, evaluator TEXT, description TEXT, source_hash TEXT,
    compiled INTEGER, reason TEXT
);
CREATE TABLE planned (  -- the games of the last run, in order; those of a study have one player, and rules of their own
    ordinal INTEGER PRIMARY KEY, game TEXT UNIQUE, first TEXT, second TEXT, opening TEXT, level TEXT, weight REAL,
    rules TEXT, part TEXT, place TEXT
);
CREATE INDEX planned_by_weight ON planned (weight DESC, ordinal);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, first TEXT, second TEXT, rules TEXT, opening TEXT, seed INTEGER,
    result TEXT, reason TEXT, fault TEXT, plies INTEGER, moves TEXT
);
CREATE TABLE moves (  -- a disc chosen for one column may drift, and be played in another
    game INTEGER, ply INTEGER, chosen INTEGER, played INTEGER, score REAL, depth INTEGER, generated INTEGER,
    expanded INTEGER, evaluated INTEGER, cutoffs INTEGER, seconds REAL, cpu_seconds REAL, deepest INTEGER,
    memory INTEGER, equals TEXT, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
"""


class StoredPlayer(NamedTuple):
    """A player with its settings, as it was when it played."""

    key: str
    name: str
    settings: Settings
    evaluator: str
    description: str
    source_hash: str
    compiled: bool
    reason: str | None


class Cost(NamedTuple):
    """What one side's searches did in a game, or in many."""

    moves: int = 0
    depths: int = 0  # reached, summed over the moves
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
    chosen: int
    column: int  # where the disc came to rest
    score: float
    depth: int
    generated: int
    expanded: int
    evaluated: int
    cutoffs: int
    seconds: float
    cpu_seconds: float
    deepest: int
    memory: int | None  # bytes that a study has seen the search take
    equals: str | None  # the columns that are known to be as good, the chosen one included


class ListedGame(NamedTuple):
    """A finished game that counts, as a list shows it."""

    number: int
    id: str
    first: StoredPlayer
    second: StoredPlayer
    level: str
    opening: str
    result: Result
    reason: str
    fault: str | None
    plies: int
    moves: str


class StoredSearches(NamedTuple):
    """What a study has found of one player: the searches of a position, or of every position of a game."""

    id: str
    part: str  # of the study
    place: str  # the name of the position or game
    start: str
    player: StoredPlayer
    rules: Rules
    fault: str | None
    played: str
    moves: list[StoredMove]


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
    seats: str | None = "as-listed"  # None: a study


class Task(NamedTuple):
    """A planned game that has not been played: what a worker needs to play it."""

    game: str
    first: str
    second: str | None  # None: a study
    opening: str
    level: str  # of the deeper of the two searches
    rules: str | None = None  # of this game, where it is not the run's


class OldStoreError(StoreError):
    """A store of an earlier version."""


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
            try:
                self._open(write)
            except OldStoreError:
                if not fresh:
                    raise
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
            if tables and version < VERSION:
                raise OldStoreError(
                    f"{shown(self.path)}: was written by an older tourney (store version {version}, this one writes "
                    f"{VERSION}): play anew with --fresh, or choose another --out."
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
        seats: str | None,
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
            connection.executemany(
                "REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                ((*player[:2], json.dumps(player.settings.told()), *player[3:]) for player in players),
            )
            connection.execute("DELETE FROM planned")
            connection.executemany(
                "INSERT OR IGNORE INTO planned (game, first, second, opening, level, weight, rules, part, place)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                map(_planned_row, games),
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
                    task.game, task.first, task.second, task.rules or json.dumps(asdict(rules)), task.opening, seed,
                    game.result, game.reason, game.fault, len(game.moves), game.moves,
                ),
            ).lastrowid  # fmt: skip
            connection.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        number, ply, found.column, landed, found.score, found.depth, *found.counters, found.seconds,
                        found.cpu_seconds, found.deepest, found.memory, equals(found),
                    )
                    for ply, (found, landed) in enumerate(zip(game.found, game.landed, strict=True), start=game.begun)
                ),
            )  # fmt: skip

    # Reading

    def missing(self) -> Iterator[Task]:
        """The planned games that had not been played when their turn came, the costly ones first."""
        query = (
            "SELECT weight, ordinal, planned.game, planned.first, planned.second, planned.opening, level, planned.rules"
            " FROM planned LEFT JOIN games ON games.id = planned.game"
            " WHERE games.id IS NULL AND (weight < :weight OR weight = :weight AND ordinal > :ordinal)"
            " ORDER BY weight DESC, ordinal LIMIT 256"  # a page at a time, to keep none in memory
        )
        weight, ordinal = float(1 << 32), 0
        while True:
            with _explained(self.path):
                rows = self.connection.execute(query, {"weight": weight, "ordinal": ordinal}).fetchall()
            if not rows:
                return
            for row in rows:
                weight, ordinal = row[:2]
                yield Task._make(row[2:])

    def progress(self) -> dict[str, tuple[int, int]]:
        """By level, as in `depth 4`: how many of the planned games have been played, and how many there are."""
        query = (
            "SELECT level, count(games.id), count(*) FROM planned LEFT JOIN games ON games.id = planned.game"
            " GROUP BY level ORDER BY min(weight)"
        )
        with _explained(self.path):
            return {level: (played, planned) for level, played, planned in self.connection.execute(query)}

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
            " UNION ALL SELECT second, 2 * ordinal + 1 FROM planned WHERE second IS NOT NULL) GROUP BY key)"
            " USING (key) ORDER BY place"
        )
        with _explained(self.path):
            return {
                key: StoredPlayer(key, name, Settings(**json.loads(settings)), *rest)
                for key, name, settings, *rest in self.connection.execute(query)
            }

    def games(self) -> Iterator[StoredGame]:
        """The games that count, in the order of the plan, one at a time."""
        query = (
            "SELECT games.number, games.id, games.first, games.second, games.opening, games.seed, result, reason,"
            " fault, plies, games.moves, row_number() OVER (PARTITION BY games.first, games.second, games.opening,"
            " games.moves ORDER BY ordinal) = 1 FROM planned JOIN games ON games.id = planned.game ORDER BY ordinal"
        )
        sums = (
            "SELECT ply % 2, count(*), sum(depth), sum(generated), sum(expanded), sum(evaluated), sum(cutoffs),"
            " sum(seconds), sum(cpu_seconds) FROM moves WHERE game = ? GROUP BY ply % 2"
        )
        players = self.players()
        with _explained(self.path):
            for number, game, first, second, *outcome, distinct in self.connection.execute(query):
                costs = {row[0]: Cost(*row[1:]) for row in self.connection.execute(sums, (number,))}
                seated = (game, players[first], players[second])
                yield StoredGame._make((*seated, *outcome, bool(distinct), costs.get(0, Cost()), costs.get(1, Cost())))

    def game(self, id: str) -> tuple[StoredGame, list[StoredMove]]:
        """One game of the plan by its id, or the beginning of it, with its moves."""
        if self.last_run().seats is None:
            raise StoreError(f"{shown(self.path.parent)}: is a study, and has no games: searches.csv has every search.")
        found = [game for game in self.games() if game.id.startswith(id)]
        if len(found) != 1:
            known = "there is no such game" if not found else f"{len(found)} games begin like this"
            raise StoreError(f"`{id}`: {known} in {shown(self.path.parent)}: games.csv has every game's id.")
        with _explained(self.path):
            (number,) = self.connection.execute("SELECT number FROM games WHERE id = ?", (found[0].id,)).fetchone()
            return found[0], self._moves(number)

    # Reading a little of it, for who looks at it while it grows

    def newest(self) -> int:
        """The number of the last game that was kept, 0 where there is none: it grows with every game."""
        with _explained(self.path):
            (number,) = self.connection.execute("SELECT max(number) FROM games").fetchone()
        return int(number or 0)

    def planned(self) -> dict[str, int]:
        """By level, as in `depth 4`: how many games the plan has."""
        query = "SELECT level, count(*) FROM planned GROUP BY level ORDER BY min(weight)"
        with _explained(self.path):
            return {level: int(count) for level, count in self.connection.execute(query)}

    def everybody(self) -> dict[str, StoredPlayer]:
        """Every player that any plan of this store has had, by key."""
        with _explained(self.path):
            return {
                key: StoredPlayer(key, name, Settings(**json.loads(settings)), *rest)
                for key, name, settings, *rest in self.connection.execute("SELECT * FROM players ORDER BY name")
            }

    def since(self, number: int, most: int) -> Iterator[ListedGame]:
        """The games that count and were kept after that one, in the order in which they were; at most so many."""
        return self._listed("games.number > ? ORDER BY games.number LIMIT ?", (number, most))

    def listed(
        self, *, player: str = "", level: str = "", result: str = "", most: int = 50, after: int = 0
    ) -> tuple[int, list[ListedGame]]:
        """How many games count, and some of them in the order of the plan: by a player, at a level, with a result.

        A result is `first`, `second`, `draw` or `forfeit`, or the player's `won` or `lost`.
        """
        clauses, values = ["games.second IS NOT NULL"], dict[str, str | int]()
        own = "(SELECT key FROM players WHERE name = :player)"
        won = f"(result = 'first' AND games.first IN {own} OR result = 'second' AND games.second IN {own})"
        lost = f"(result = 'second' AND games.first IN {own} OR result = 'first' AND games.second IN {own})"
        if player:
            clauses.append(f"(games.first IN {own} OR games.second IN {own})")
            values["player"] = player
        if level:
            clauses.append("level = :level")
            values["level"] = level
        if result in ("won", "lost") and player:
            clauses.append(won if result == "won" else lost)
        elif result == "forfeit":
            clauses.append("reason = 'forfeit'")
        elif result:
            clauses.append("result = :result")
            values["result"] = result
        where = " AND ".join(clauses)
        with _explained(self.path):
            query = f"SELECT count(*) FROM planned JOIN games ON games.id = planned.game WHERE {where}"
            (count,) = self.connection.execute(query, values).fetchone()
        values |= {"most": most, "after": after}
        return int(count), list(self._listed(f"{where} ORDER BY ordinal LIMIT :most OFFSET :after", values))

    def one(self, id: str) -> tuple[ListedGame, Rules, list[StoredMove]] | None:
        """The game of the plan with that whole id, its rules and its moves; None where there is none."""
        for game in self._listed("games.id = ? AND games.second IS NOT NULL", (id,)):
            with _explained(self.path):
                query = "SELECT rules FROM games WHERE number = ?"
                (rules,) = self.connection.execute(query, (game.number,)).fetchone()
                return game, Rules(**json.loads(rules)), self._moves(game.number)
        return None

    def _listed(self, where: str, values: Sequence[object] | Mapping[str, object]) -> Iterator[ListedGame]:
        query = (
            "SELECT games.number, games.id, games.first, games.second, level, games.opening, result, reason, fault,"
            f" plies, games.moves FROM games JOIN planned ON planned.game = games.id WHERE {where}"
        )
        players = self.everybody()
        with _explained(self.path):
            for number, id, first, second, *rest in self.connection.execute(query, values):
                yield ListedGame(number, id, players[first], players[second or first], *rest)

    def _moves(self, number: int) -> list[StoredMove]:
        query = (
            "SELECT ply, chosen, played, score, depth, generated, expanded, evaluated, cutoffs, seconds, cpu_seconds,"
            " deepest, memory, equals FROM moves WHERE game = ? ORDER BY ply"
        )
        return [StoredMove(*row) for row in self.connection.execute(query, (number,))]

    def searches(self) -> Iterator[StoredSearches]:
        """What a study has found so far, in the order of its plan."""
        query = (
            "SELECT games.number, games.id, part, place, games.opening, games.first, games.rules, fault, games.moves"
            " FROM planned JOIN games ON games.id = planned.game ORDER BY ordinal"
        )
        players = self.players()
        with _explained(self.path):
            for number, id, part, place, start, player, rules, fault, played in self.connection.execute(query):
                yield StoredSearches(
                    id, part, place, start, players[player], Rules(**json.loads(rules)), fault, played,
                    self._moves(number),
                )  # fmt: skip


def _planned_row(game: PlannedGame) -> tuple[str | float | None, ...]:
    rules = json.dumps(asdict(game.rules)) if game.rules is not None else None
    level, weight = game.searcher.level, game.searcher.weight
    second = game.second.key if game.second is not None else None
    return game.id, game.first.key, second, game.opening, level, weight, rules, game.part, game.place


def equals(found: Found) -> str | None:
    """The columns that a search knows to be as good as the one it chose, as digits."""
    if not found.root_moves:
        return None
    equal = [move.column for move in found.root_moves if move.exact and move.value == found.score]
    return "".join(column_digit(column) for column in sorted(equal))


def stored(player: Player, *, compiled: bool, reason: str | None) -> StoredPlayer:
    """A player as the store keeps it."""
    evaluator, settings = player.evaluator, player.settings
    return StoredPlayer(
        player.key,
        player.name,
        settings,
        evaluator.name,
        evaluator.description,
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
