"""How the file is laid out, and how a file of an earlier version is brought up to date.

Every version from 3 on opens. A change of the layout adds a function to MIGRATIONS, under the version that it starts
from, and a small store of the new version to `tests/stores/`. Only what is kept of a move may grow without one: what
MOVE_FIELDS has got since makes another row of `layouts` (see `packing.py`), and is None of games that have not kept it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from tournament.engine.result import STORED_FIELDS
from tournament.store.checking import SAID, crc_of, crc_of_plan, is_plan_whole
from tournament.store.packing import OF_GAMES, OF_STUDIES, packed_rows

FILE = "games.db"
FIRST_VERSION = 3  # the oldest that can be opened
APPLICATION = 0x74726E79  # "trny": how the file says that it is one of ours

SCHEMA = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, started TEXT, ended TEXT, title TEXT, config TEXT, config_file TEXT, command TEXT,
    seed INTEGER, rules TEXT, jobs INTEGER, versions TEXT, machine TEXT, seats TEXT,  -- no seats: a study
    limits TEXT, isolation TEXT,
    crc INTEGER,  -- of the last run, its players and its plan: see `checking.py`
    more TEXT  -- what would tell more: see `Offer` in `records.py`
);
CREATE TABLE players (  -- one row a player and its settings, known by what decides its moves
    key TEXT PRIMARY KEY, name TEXT, settings TEXT, evaluator TEXT, description TEXT, source_hash TEXT,
    compiled INTEGER, reason TEXT, is_agent INTEGER,
    call_seconds REAL,  -- of its evaluator
    is_oracle INTEGER, has_book INTEGER
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
    first_output TEXT, second_output TEXT,  -- what the players have printed
    begun INTEGER, layout INTEGER, crc INTEGER,  -- the first move's ply, how they are packed, a check of it all
    packed BLOB,  -- the moves, a record each: `tourney report --format csv` writes them as moves.csv
    forfeit_seconds REAL  -- that the move took which was never made
);
CREATE INDEX forfeits ON games (id) WHERE reason = 'forfeit';
CREATE TABLE openings (  -- of the last run: what perfect play makes of each, for the side to move
    opening TEXT PRIMARY KEY, value TEXT  -- win, draw, loss or unknown
);
CREATE TABLE layouts (  -- of the records of moves: names and types in their order, little-endian, without gaps
    number INTEGER PRIMARY KEY, fields TEXT UNIQUE
);
"""


Migration = Callable[[sqlite3.Connection], None]


def pack_moves(connection: sqlite3.Connection) -> None:
    """From version 3, with a row a move, to 4, with one packed value a game and a check of each."""
    for column in ("begun INTEGER", "layout INTEGER", "crc INTEGER", "packed BLOB"):
        connection.execute(f"ALTER TABLE games ADD COLUMN {column}")
    connection.execute("ALTER TABLE runs ADD COLUMN crc INTEGER")
    connection.execute("CREATE TABLE layouts (number INTEGER PRIMARY KEY, fields TEXT UNIQUE)")
    columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(moves)")}
    names = {field.name: field.column for field in STORED_FIELDS if field.column in columns}
    of_game = f"SELECT ply, {', '.join(names.values())} FROM moves WHERE game = ? ORDER BY ply"
    said = ", ".join(SAID[:-1])
    for number, *row in connection.execute(f"SELECT number, {said} FROM games").fetchall():
        found = connection.execute(of_game, (number,)).fetchall()
        begun = found[0][0] if found else len(row[SAID.index("opening")])
        moves = packed_rows([dict(zip(names, values, strict=True)) for _, *values in found], begun)
        connection.execute("INSERT OR IGNORE INTO layouts (fields) VALUES (?)", (moves.layout,))
        connection.execute(
            "UPDATE games SET begun = ?, layout = (SELECT number FROM layouts WHERE fields = ?), crc = ?, packed = ?"
            " WHERE number = ?",
            (begun, moves.layout, crc_of([*row, begun], moves.layout, moves.packed), moves.packed, number),
        )
    connection.execute("DROP TABLE moves")


def keep_what_took_time(connection: sqlite3.Connection) -> None:
    """From version 4 to 5, which keeps of a run what would tell more, of a game what a forfeited move took, and of a
    player how long a call of its evaluator takes; of earlier runs nobody knows."""
    connection.execute("ALTER TABLE runs ADD COLUMN more TEXT")
    connection.execute("ALTER TABLE games ADD COLUMN forfeit_seconds REAL")
    connection.execute("ALTER TABLE players ADD COLUMN call_seconds REAL")


def keep_truth(connection: sqlite3.Connection) -> None:
    """From version 5 to 6, which keeps what perfect play makes of each opening, and of a player whether it is the
    oracle or has a book; of openings of earlier runs nobody has asked."""
    connection.execute("ALTER TABLE players ADD COLUMN is_oracle INTEGER")
    connection.execute("ALTER TABLE players ADD COLUMN has_book INTEGER")
    connection.execute("CREATE TABLE openings (opening TEXT PRIMARY KEY, value TEXT)")


MIGRATIONS: dict[int, Migration] = {
    3: pack_moves,
    4: keep_what_took_time,
    5: keep_truth,
}  # by the version from which each leads to the next
VERSION = FIRST_VERSION + len(MIGRATIONS)


def layout_numbers(connection: sqlite3.Connection) -> dict[str, int]:
    """The numbers of the layouts in which moves are packed now, by their texts; noted where they are new."""
    query = "SELECT fields, number FROM layouts"
    for text in (OF_GAMES, OF_STUDIES):
        if text not in dict(connection.execute(query)):
            connection.execute("INSERT INTO layouts (fields) VALUES (?)", (text,))
    return dict(connection.execute(query))


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a store of that version up to date: wholly or, where it fails, not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        whole = version == FIRST_VERSION or is_plan_whole(connection)  # the first had no check of it
        for older in range(version, VERSION):
            MIGRATIONS[older](connection)
        if whole:  # else its check goes on telling that it is not
            connection.execute(
                "UPDATE runs SET crc = ? WHERE number = (SELECT max(number) FROM runs)", (crc_of_plan(connection),)
            )
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
