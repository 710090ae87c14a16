"""How the file is laid out, and how a file of an earlier version is brought up to date.

Every version from 3 on opens. A change of the layout adds a function to MIGRATIONS, under the version that it starts
from, and a small store of that version to `tests/stores/`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

FILE = "games.db"
FIRST_VERSION = 3  # the oldest that can be opened
APPLICATION = 0x74726E79  # "trny": how the file says that it is one of ours

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

Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: dict[int, Migration] = {}  # by the version from which each leads to the next
VERSION = FIRST_VERSION + len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a store of that version up to date: wholly or, where it fails, not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for older in range(version, VERSION):
            MIGRATIONS[older](connection)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
