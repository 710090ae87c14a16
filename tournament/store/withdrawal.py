"""Withdrawal: who has forfeited too often in the same way, and which games are not played for it.

Forfeits count in the order in which games are begun, whatever order they end in, so that the same players are
withdrawn from the same games for any number of jobs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import NamedTuple

from tournament.games.connect4 import Result
from tournament.store.records import Cost, StoredGame, StoredPlayer

BOTH = "both"  # players of a game have been withdrawn


class QueuePlace(NamedTuple):
    """Where a game stands in the order in which they are begun."""

    weight: float
    ordinal: int


def who_is_gone(connection: sqlite3.Connection, forfeit_limit: int) -> dict[str, QueuePlace]:
    """The players that no longer play, by key, and the forfeit after which they do not."""
    query = (
        "SELECT planned.first, planned.second, result, fault_kind, weight, ordinal"
        " FROM games JOIN planned ON planned.game = games.id WHERE games.reason = 'forfeit'"
        " ORDER BY weight DESC, ordinal"
    )
    forfeits: Counter[tuple[str, str]] = Counter()
    gone: dict[str, QueuePlace] = {}
    for first, second, result, kind, weight, ordinal in connection.execute(query):
        if first in gone or second in gone:
            continue
        loser = second if result == "first" else first
        forfeits[loser, kind] += 1
        if forfeits[loser, kind] >= forfeit_limit:
            gone[loser] = QueuePlace(weight, ordinal)
    return gone


def mark_withdrawn(connection: sqlite3.Connection, gone: dict[str, QueuePlace]) -> None:
    """Note on every planned game that is begun after that forfeit who does not play it."""
    connection.execute("UPDATE planned SET withdrawn = NULL WHERE withdrawn IS NOT NULL")
    connection.executemany(
        f"UPDATE planned SET withdrawn = CASE WHEN withdrawn IS NULL THEN :key ELSE '{BOTH}' END"
        " WHERE :key IN (first, second) AND (weight < :weight OR weight = :weight AND ordinal > :ordinal)",
        ({"key": key, **place._asdict()} for key, place in gone.items()),
    )


def not_played_game(seated: tuple[str, StoredPlayer, StoredPlayer, str], seed: int, gone: str) -> StoredGame:
    """A game that is not played, since a player has been withdrawn: the other one's, or nobody's."""
    _, first, _, _ = seated
    result: Result = "draw" if gone == BOTH else "second" if gone == first.key else "first"
    return StoredGame(*seated, seed, result, "withdrawn", None, 0, "", True, Cost(), Cost())
