"""How the file is laid out, and how a file of an earlier version is brought up to date.

Every version from 3 on opens. A change of the layout adds a function to MIGRATIONS, under the version that it starts
from, and a small store of that version to `tests/stores/`. Only what is kept of a move may grow without one: a field
that MOVE_FIELDS has got since is added to the table when it is written to, and read as None where there is none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from tournament.engine.result import STORED_FIELDS

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
CREATE TABLE planned (  -- the tasks of the last run, in order: see `tasks.py`
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
    game INTEGER, ply INTEGER, PLACE_OF_FIELDS, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
""".replace("PLACE_OF_FIELDS", ", ".join(f"{field.column} {field.sql_type}" for field in STORED_FIELDS))

Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: dict[int, Migration] = {}  # by the version from which each leads to the next
VERSION = FIRST_VERSION + len(MIGRATIONS)


def columns_of_moves(connection: sqlite3.Connection) -> set[str]:
    """What a store keeps of a move: one that an earlier tourney has made may know less."""
    return {name for _, name, *_ in connection.execute("PRAGMA table_info(moves)")}


def complete_moves(connection: sqlite3.Connection) -> None:
    """Give the table of moves what it lacks, so that it is kept from now on: no version is needed for that."""
    kept = columns_of_moves(connection)
    for field in STORED_FIELDS:
        if field.column not in kept:
            connection.execute(f"ALTER TABLE moves ADD COLUMN {field.column} {field.sql_type}")


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
