"""What is written carries a check of itself: what a disk has damaged is told, and does not count.

A game has a CRC of all that its row says. The last run has one of how it was made and what it plans, with the players;
who is withdrawn follows from the games. SQLite itself holds its indexes against its tables.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from tournament.store.packing import Moves
from tournament.store.withdrawal import BOTH, QueuePlace

SAID = (  # by the row of a game, besides its moves
    *("id", "first", "second", "rules", "opening", "seed", "result", "reason", "fault", "plies", "moves"),
    *("fault_kind", "traceback", "first_output", "second_output", "begun"),
)
ROW = (*(f"games.{name}" for name in SAID), "layouts.fields", "games.packed", "games.forfeit_seconds", "games.crc")
LAID_OUT = "LEFT JOIN layouts ON layouts.number = games.layout"

_canonical = json.JSONEncoder(separators=(",", ":"), default=repr).encode  # the same text in every Python


class GameRow(NamedTuple):
    """A row of the table of games, as ROW asks for it."""

    id: str
    first: str
    second: str | None
    rules: str
    opening: str
    seed: int
    result: Any  # a Result, or None
    reason: str
    fault: str | None
    plies: int
    played: str
    fault_kind: str | None
    traceback: str | None
    first_output: str
    second_output: str
    begun: int
    layout: str
    packed: bytes
    forfeit_seconds: float | None  # None of games of stores before version 5 too
    crc: int

    @property
    def is_whole(self) -> bool:
        """Whether it is what was written."""
        said = self[: len(SAID)]
        return isinstance(self.packed, bytes) and (
            crc_of(said, self.layout, self.packed, self.forfeit_seconds) == self.crc
        )

    @property
    def moves(self) -> Moves:
        return Moves(self.layout, self.begun, self.packed)


def crc_of(said: Iterable[Any], layout: str, packed: bytes, forfeit_seconds: float | None = None) -> int:
    """The check of a game, from what its row says (as SAID names it), its moves, and what a forfeited one took."""
    last = [] if forfeit_seconds is None else [forfeit_seconds]
    return zlib.crc32(packed, zlib.crc32(_canonical([*said, layout, *last]).encode()))


def crc_of_plan(connection: sqlite3.Connection) -> int:
    """The check of the last run: how it was made, what it plans, who plays, and how the file is laid out."""
    crc = 0
    has_openings = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'openings'").fetchone()  # from 6 on
    of_run = [name for _, name, *_ in connection.execute("PRAGMA table_info(runs)") if name not in ("ended", "crc")]
    for query in (
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",
        f"SELECT {', '.join(of_run)} FROM runs ORDER BY number DESC LIMIT 1",
        "SELECT * FROM players NOT INDEXED ORDER BY rowid",
        "SELECT ordinal, game, first, second, opening, level, weight, rules, part, place"
        " FROM planned NOT INDEXED ORDER BY ordinal",
        *(("SELECT opening, value FROM openings NOT INDEXED ORDER BY rowid",) if has_openings else ()),
    ):
        for row in connection.execute(query):
            crc = zlib.crc32(_canonical(row).encode(), crc)
    return crc


def what_is_wrong(connection: sqlite3.Connection) -> str | None:
    """What SQLite finds wrong in the file: tables that are torn, or indexes that are not theirs."""
    (told,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if told == "ok" else str(told).replace("\n", " ")


def is_plan_whole(connection: sqlite3.Connection) -> bool:
    """Whether the last run and its plan are what was written."""
    row = connection.execute("SELECT crc FROM runs ORDER BY number DESC LIMIT 1").fetchone()
    return row is None or row[0] == crc_of_plan(connection)


def is_withdrawal_whole(connection: sqlite3.Connection, gone: dict[str, QueuePlace]) -> bool:
    """Whether the plan says of each game that a player is withdrawn from it where that follows from the games."""
    if not gone:
        return connection.execute("SELECT 1 FROM planned WHERE withdrawn IS NOT NULL LIMIT 1").fetchone() is None
    for weight, ordinal, first, second, withdrawn in connection.execute(
        "SELECT weight, ordinal, first, second, withdrawn FROM planned NOT INDEXED"
    ):
        from_it = [
            key
            for key, place in gone.items()
            if key in (first, second)
            and (weight < place.weight or (weight == place.weight and ordinal > place.ordinal))
        ]
        if withdrawn != (None if not from_it else BOTH if len(from_it) > 1 else from_it[0]):
            return False
    return True
