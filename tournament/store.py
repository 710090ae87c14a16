"""The store: the SQLite file that holds every game, what was planned, and how each run was made.

A finished game is written in a transaction of its own, so that whatever kills the run loses only games in
flight. Games are known by their id; the plan says which of them count.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from tournament.engine.game import Game
from tournament.engine.result import Found
from tournament.engine.settings import Settings
from tournament.errors import StoreError
from tournament.games.connect4 import Result, Rules, column_digit
from tournament.isolation.limits import Limits
from tournament.plan.tasks import PlannedGame
from tournament.plugins.agent import Agent
from tournament.plugins.player import Player
from tournament.text import shown

FILE = "games.db"
VERSION = 3
APPLICATION = 0x74726E79  # "trny": how the file says that it is one of ours

BOTH = "both"  # players of a game have been withdrawn

ELSEWHERE = "move it away, or choose another --out."

SCHEMA = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, started TEXT, ended TEXT, title TEXT, config TEXT, config_file TEXT, command TEXT,
    seed INTEGER, rules TEXT, jobs INTEGER, versions TEXT, machine TEXT, seats TEXT,  -- no seats: a study
    limits TEXT, isolation TEXT
);
CREATE TABLE players (  -- one row a player and its settings, known by what decides its moves
    key TEXT PRIMARY KEY, name TEXT, settings TEXT, evaluator TEXT, description TEXT, source_hash TEXT,
    compiled INTEGER, reason TEXT, is_agent INTEGER
);
CREATE TABLE planned (  -- the games of the last run, in order; those of a study have one player, and rules of their own
    ordinal INTEGER PRIMARY KEY, game TEXT UNIQUE, first TEXT, second TEXT, opening TEXT, level TEXT, weight REAL,
    rules TEXT, part TEXT, place TEXT, withdrawn TEXT  -- the player that no longer plays, or 'both'
);
CREATE INDEX planned_by_weight ON planned (weight DESC, ordinal);
CREATE INDEX not_played ON planned (ordinal) WHERE withdrawn IS NOT NULL;
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, first TEXT, second TEXT, rules TEXT, opening TEXT, seed INTEGER,
    result TEXT, reason TEXT, fault TEXT, plies INTEGER, moves TEXT, fault_kind TEXT, traceback TEXT,
    first_output TEXT, second_output TEXT  -- what the players have printed
);
CREATE INDEX forfeits ON games (id) WHERE reason = 'forfeit';
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
    is_agent: bool = False  # it plays by itself, and nobody counts what it does


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
    fault_kind: str | None = None
    traceback: str | None = None
    first_output: str = ""
    second_output: str = ""

    @property
    def loser(self) -> StoredPlayer:
        """Who lost, of a game that somebody won."""
        return self.second if self.result == "first" else self.first


class StoredMove(NamedTuple):
    """One move of a game: where, how good it looked, and what it took to find."""

    ply: int
    chosen: int
    column: int  # where the disc came to rest
    score: float | None  # None: an agent's, which tells nobody
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
    limits: Limits = Limits()
    isolation: str = "game"


class Task(NamedTuple):
    """A planned game that has not been played: what a worker needs to play it."""

    game: str
    first: str
    second: str | None  # None: a study
    opening: str
    level: str  # of the deeper of the two searches
    rules: str | None = None  # of this game, where it is not the run's


class Place(NamedTuple):
    """Where a game stands in the order in which they are begun."""

    weight: float
    ordinal: int


class OldStoreError(StoreError):
    """A store of an earlier version."""


class Store:
    """An open store. Use it with `with`; only one run at a time may write to it."""

    def __init__(self, folder: Path, *, write: bool = False, fresh: bool = False) -> None:
        self.path = folder / FILE
        self._lock: sqlite3.Connection | None = None
        self._gone: dict[str, Place] = {}  # withdrawn players, and the forfeit after which they are
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
            as_it_is = not write and not os.access(self.path.parent, os.W_OK)  # SQLite wants to write beside it
            uri = f"{self.path.absolute().as_uri()}{'?immutable=1' if as_it_is else ''}"
            self.connection = sqlite3.connect(uri, uri=True, isolation_level=None)
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
                if self.connection.in_transaction:  # SQLite may have rolled it back itself, as on a full disk
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
        limits: Limits,
        isolation: str,
        players: Iterable[StoredPlayer],
        games: Iterable[PlannedGame],
    ) -> int:
        """Note how this run is made and which games it consists of; returns the run's number."""
        with self._transaction() as connection:
            values = (
                started, title, config, config_file, command, seed, json.dumps(asdict(rules)), jobs,
                json.dumps(versions), machine, seats, json.dumps(asdict(limits)), isolation,
            )  # fmt: skip
            run = connection.execute(
                "INSERT INTO runs (started, title, config, config_file, command, seed, rules, jobs, versions, machine,"
                " seats, limits, isolation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            ).lastrowid
            connection.executemany(
                "REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((*player[:2], json.dumps(player.settings.told()), *player[3:]) for player in players),
            )
            connection.execute("DELETE FROM planned")
            connection.executemany(
                "INSERT OR IGNORE INTO planned (game, first, second, opening, level, weight, rules, part, place)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                map(_planned_row, games),
            )
            self._withdraw(limits.forfeit_limit)
        self._forfeit_limit = limits.forfeit_limit
        assert run is not None
        return run

    def end_run(self, run: int, ended: str) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE runs SET ended = ? WHERE number = ?", (ended, run))

    def add_game(self, task: Task, game: Game, rules: Rules, seed: int) -> None:
        """Keep a finished game, in a transaction of its own."""
        with self._transaction() as connection:
            number = connection.execute(
                "INSERT INTO games (id, first, second, rules, opening, seed, result, reason, fault, plies, moves,"
                " fault_kind, traceback, first_output, second_output)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    task.game, task.first, task.second, task.rules or json.dumps(asdict(rules)), task.opening, seed,
                    game.result, game.reason, game.fault, len(game.moves), game.moves, game.fault_kind, game.traceback,
                    *game.output,
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
            if game.reason == "forfeit":
                self._withdraw(self._forfeit_limit)

    def _withdraw(self, forfeit_limit: int) -> None:
        """Note which planned games are not played, since a player has forfeited too often in the same way.

        Forfeits count in the order in which games are begun, whatever order they end in, so that the same players
        are withdrawn from the same games for any number of jobs.
        """
        query = (
            "SELECT planned.first, planned.second, result, fault_kind, weight, ordinal"
            " FROM games JOIN planned ON planned.game = games.id WHERE games.reason = 'forfeit'"
            " ORDER BY weight DESC, ordinal"
        )
        forfeits: Counter[tuple[str, str]] = Counter()
        gone: dict[str, Place] = {}
        for first, second, result, kind, weight, ordinal in self.connection.execute(query):
            if first in gone or second in gone:
                continue
            loser = second if result == "first" else first
            forfeits[loser, kind] += 1
            if forfeits[loser, kind] >= forfeit_limit:
                gone[loser] = Place(weight, ordinal)
        if gone == self._gone:
            return
        self._gone = gone
        self.connection.execute("UPDATE planned SET withdrawn = NULL WHERE withdrawn IS NOT NULL")
        self.connection.executemany(
            "UPDATE planned SET withdrawn = CASE WHEN withdrawn IS NULL THEN :key ELSE 'both' END"
            " WHERE :key IN (first, second) AND (weight < :weight OR weight = :weight AND ordinal > :ordinal)",
            ({"key": key, **place._asdict()} for key, place in gone.items()),
        )

    # Reading

    def missing(self) -> Iterator[Task]:
        """The planned games that had not been played when their turn came, the costly ones first."""
        query = (
            "SELECT weight, ordinal, planned.game, planned.first, planned.second, planned.opening, level, planned.rules"
            " FROM planned LEFT JOIN games ON games.id = planned.game"
            " WHERE games.id IS NULL AND withdrawn IS NULL"
            " AND (weight < :weight OR weight = :weight AND ordinal > :ordinal)"
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
                task = Task._make(row[2:])
                if self.is_wanted(task):
                    yield task

    def is_wanted(self, task: Task) -> bool:
        """Whether nobody has been withdrawn from it since it was missing."""
        if task.first not in self._gone and task.second not in self._gone:
            return True
        with _explained(self.path):
            query = "SELECT withdrawn IS NULL FROM planned WHERE game = ?"
            return bool(self.connection.execute(query, (task.game,)).fetchone()[0])

    def withdrawn(self) -> list[StoredPlayer]:
        """The players that have forfeited too often, and no longer play."""
        query = f"SELECT DISTINCT withdrawn FROM planned WHERE withdrawn IS NOT NULL AND withdrawn != '{BOTH}'"
        players = self.players()
        with _explained(self.path):
            return [players[key] for (key,) in self.connection.execute(query)]

    def progress(self) -> dict[str, tuple[int, int]]:
        """By level, as in `depth 4`: how many of the planned games are done with, and how many there are."""
        query = (
            "SELECT level, count(coalesce(games.id, withdrawn)), count(*)"
            " FROM planned LEFT JOIN games ON games.id = planned.game GROUP BY level ORDER BY min(weight)"
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
        number, started, ended, title, config, config_file, command, seed, rules, jobs, *made = row
        versions, machine, seats, limits, isolation = made
        return StoredRun(
            number, started, ended, title, config, config_file, command, seed, Rules(**json.loads(rules)), jobs,
            json.loads(versions), machine, seats, Limits(**json.loads(limits)), isolation,
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
        """The games that count, those not played for a player's withdrawal too, in the order of the plan."""
        query = (
            "SELECT withdrawn, planned.game, games.number, planned.first, planned.second, planned.opening, games.seed,"
            " result, reason, fault, plies, games.moves, row_number() OVER (PARTITION BY planned.first, planned.second,"
            " planned.opening, games.moves ORDER BY ordinal) = 1, fault_kind, traceback, first_output, second_output"
            " FROM planned LEFT JOIN games ON games.id = planned.game"
            " WHERE games.id IS NOT NULL OR withdrawn IS NOT NULL ORDER BY ordinal"
        )
        sums = (
            "SELECT ply % 2, count(*), sum(depth), sum(generated), sum(expanded), sum(evaluated), sum(cutoffs),"
            " sum(seconds), sum(cpu_seconds) FROM moves WHERE game = ? GROUP BY ply % 2"
        )
        players, seed = self.players(), self.last_run().seed
        with _explained(self.path):
            for gone, game, number, first, second, opening, *played in self.connection.execute(query):
                seated = (game, players[first], players[second], opening)
                if gone is not None:
                    yield _withdrawn(seated, seed, gone)
                    continue
                costs = {row[0]: Cost(*row[1:]) for row in self.connection.execute(sums, (number,))}
                *outcome, distinct, kind, traceback, first_output, second_output = played
                both = (costs.get(0, Cost()), costs.get(1, Cost()))
                kept = (kind, traceback, first_output, second_output)
                yield StoredGame._make((*seated, *outcome, bool(distinct), *both, *kept))

    def game(self, id: str) -> tuple[StoredGame, list[StoredMove]]:
        """One game of the plan by its id, or the beginning of it, with its moves."""
        if self.last_run().seats is None:
            raise StoreError(f"{shown(self.path.parent)}: is a study, and has no games: searches.csv has every search.")
        found = [game for game in self.games() if game.id.startswith(id)]
        if len(found) != 1:
            known = "there is no such game" if not found else f"{len(found)} games begin like this"
            raise StoreError(f"`{id}`: {known} in {shown(self.path.parent)}: games.csv has every game's id.")
        return found[0], self.moves(found[0].id)

    def moves(self, id: str) -> list[StoredMove]:
        """The moves of a game by its whole id; none where it was not played."""
        with _explained(self.path):
            query = "SELECT number FROM games JOIN planned ON game = id WHERE id = ? AND withdrawn IS NULL"
            row = self.connection.execute(query, (id,)).fetchone()
            return self._moves(row[0]) if row is not None else []

    # Reading a little of it, for who looks at it while it grows

    def count_not_played(self) -> int:
        with _explained(self.path):
            query = "SELECT count(*) FROM planned WHERE withdrawn IS NOT NULL"
            return int(self.connection.execute(query).fetchone()[0])

    def not_played(self) -> list[tuple[str, StoredGame]]:
        """The games from which a player has been withdrawn, each with its level."""
        query = (
            "SELECT level, withdrawn, game, first, second, opening FROM planned WHERE withdrawn IS NOT NULL"
            " ORDER BY ordinal"
        )
        with _explained(self.path):
            rows = self.connection.execute(query).fetchall()
        players, seed = self.players() if rows else {}, self.last_run().seed
        return [
            (level, _withdrawn((game, players[first], players[second], opening), seed, gone))
            for level, gone, game, first, second, opening in rows
        ]

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
        clauses, values = ["withdrawn IS NULL AND games.second IS NOT NULL"], dict[str, str | int]()
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
            " plies, games.moves FROM games JOIN planned ON planned.game = games.id"
            f" WHERE withdrawn IS NULL AND {where}"
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


def _withdrawn(seated: tuple[str, StoredPlayer, StoredPlayer, str], seed: int, gone: str) -> StoredGame:
    """A game that is not played, since a player has been withdrawn: the other one's, or nobody's."""
    _, first, _, _ = seated
    result: Result = "draw" if gone == BOTH else "second" if gone == first.key else "first"
    return StoredGame(*seated, seed, result, "withdrawn", None, 0, "", True, Cost(), Cost())


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
    plugin = player.plugin
    told = (plugin.name, plugin.description, plugin.source_hash)
    return StoredPlayer(player.key, player.name, player.settings, *told, compiled, reason, isinstance(plugin, Agent))


TROUBLES = {  # by the beginning of SQLite's name for it
    "SQLITE_FULL": "the disk is full. Finished games are kept: make room, and the same command goes on",
    "SQLITE_READONLY": "can't be written to: choose another --out, or make the folder one that can be",
    "SQLITE_CANTOPEN": "can't be opened for writing: choose another --out, or make the folder one that can be",
    "SQLITE_CORRUPT": "is damaged. Move it away, or choose another --out; nothing has been changed in it",
    "SQLITE_IOERR": "can't be read or written. Finished games are kept: mend the disk, and the same command goes on",
}


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """SQLite's own complaints in our words."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        what = f"can't be used as a store: {error}. Move it away, or choose another --out."
        for beginning, told in TROUBLES.items():
            if name.startswith(beginning):
                what = f"{told} (SQLite says: {error})."
        raise StoreError(f"{shown(path)}: {what}") from error


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
