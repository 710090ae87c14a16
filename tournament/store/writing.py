"""What a run writes: how it is made, what it plans, and each game or search as it ends.

Games that end within a moment of each other are written in one transaction. Whatever kills the run loses games in
flight and those of the last moment: what was added since `keep`, and no more than BATCH_SECONDS of them.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from types import MappingProxyType

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.errors import StoreError
from tournament.games.connect4 import Rules
from tournament.isolation.limits import Limits
from tournament.store.checking import LAID_OUT, ROW, SAID, GameRow, crc_of, crc_of_plan, what_is_wrong
from tournament.store.file import DAMAGED, explained
from tournament.store.packing import packed_moves
from tournament.store.reading import Reading
from tournament.store.records import Offer, StoredPlayer
from tournament.store.tasks import COLUMNS, Planned, Task, row_of, rules_text, task_of
from tournament.store.withdrawal import QueuePlace, mark_withdrawn, who_is_gone
from tournament.text import shown
from tournament.truth.verdict import Value

BATCH_SECONDS = 0.05  # of games in one transaction: as many as the last ones that a killed run plays again
DEAREST = float(1 << 32)  # larger than the weight of any task
NOT_A_GAME = (None, "studied", "", "")  # the result, the reason and the output of searches
INTO = (*SAID, "layout", "crc", "packed", "forfeit_seconds")
INSERT_GAME = f"INSERT INTO games ({', '.join(INTO)}) VALUES ({', '.join('?' * len(INTO))})"


class Writing(Reading):
    """A store that a run writes to."""

    discarded: Sequence[str] = ()  # the ids of damaged games that this run has taken out, to be played again
    _batch_began = 0.0  # by time.monotonic()
    _gone: Mapping[str, QueuePlace] = MappingProxyType({})  # withdrawn players, and the forfeit after which they are

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
        tasks: Iterable[Planned],
        more: Sequence[Offer] = (),
        truths: Mapping[str, Value] = MappingProxyType({}),
    ) -> int:
        """Note how this run is made and which tasks it consists of; returns the run's number."""
        with self.transaction() as connection:
            self.discarded = self._discard()
            values = (
                started, title, config, config_file, command, seed, rules_text(rules), jobs,
                json.dumps(versions), machine, seats, json.dumps(asdict(limits)), isolation,
                json.dumps(more),
            )  # fmt: skip
            run = connection.execute(
                "INSERT INTO runs (started, title, config, config_file, command, seed, rules, jobs, versions, machine,"
                " seats, limits, isolation, more) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            ).lastrowid
            connection.executemany(
                "REPLACE INTO players VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                " coalesce((SELECT call_seconds FROM players WHERE key = ?1), ?10), ?11, ?12)",  # as first timed
                ((*player[:2], json.dumps(player.settings.non_defaults()), *player[3:]) for player in players),
            )
            connection.execute("DELETE FROM openings")
            connection.executemany("INSERT INTO openings VALUES (?, ?)", truths.items())
            connection.execute("DELETE FROM planned")
            connection.executemany(
                f"INSERT OR IGNORE INTO planned (weight, {', '.join(COLUMNS)})"
                f" VALUES (?, {', '.join('?' * len(COLUMNS))})",
                ((weight, *row_of(task)) for task, weight in tasks),
            )
            self._withdraw(limits.forfeit_limit)
            connection.execute("UPDATE runs SET crc = ? WHERE number = ?", (crc_of_plan(connection), run))
        self._forfeit_limit = limits.forfeit_limit
        assert run is not None
        return run

    def _discard(self) -> list[str]:
        """Take out the games that are no longer what was written, so that they are played again; returns their ids."""
        if what_is_wrong(self.connection):
            self.connection.execute("REINDEX")
            if wrong := what_is_wrong(self.connection):
                raise StoreError(f"{shown(self.path)}: {DAMAGED} (SQLite says: {wrong}).")
        damaged = []
        for number, *row in self.connection.execute(f"SELECT games.number, {', '.join(ROW)} FROM games {LAID_OUT}"):
            if not (game := GameRow(*row)).is_whole:
                damaged.append((number, game.id))
        self.connection.executemany("DELETE FROM games WHERE number = ?", ((number,) for number, _ in damaged))
        return [id for _, id in damaged]

    def end_run(self, run: int, ended: str) -> None:
        with self.transaction() as connection:
            connection.execute("UPDATE runs SET ended = ? WHERE number = ?", (ended, run))

    def add(self, task: Task, done: Game | Measured, rules: Rules, seed: int) -> None:
        """Keep a finished game by these rules, or the searches of a study: whole or not at all.

        It is on disk after BATCH_SECONDS of more of them, or at the next `keep`, which is called before anybody waits.
        """
        _, first, second, opening, _, own_rules, *_ = row_of(task)
        ended = (done.result, done.reason, *done.output) if isinstance(done, Game) else NOT_A_GAME
        result, reason, *output = ended
        moves = packed_moves(done.found, done.landed, done.begun)
        played = done.moves
        said = (
            task.id, first, second, own_rules or rules_text(rules), opening, seed, result, reason, done.fault,
            len(played), played, done.fault_kind, done.traceback, *output, moves.begun,
        )  # fmt: skip
        spent = done.forfeit_seconds if isinstance(done, Game) else None
        crc = crc_of(said, moves.layout, moves.packed, spent)
        row = (*said, self._layouts[moves.layout], crc, moves.packed, spent)
        with explained(self.path):
            if not self.connection.in_transaction:
                self.begin()
                self._batch_began = time.monotonic()
            if reason == "forfeit":
                with self._undone_together() as connection:
                    connection.execute(INSERT_GAME, row)
                    self._withdraw(self._forfeit_limit)
            else:
                self.connection.execute(INSERT_GAME, row)  # one statement is done whole or not at all
        if time.monotonic() > self._batch_began + BATCH_SECONDS:
            self.keep()

    @contextmanager
    def _undone_together(self) -> Iterator[sqlite3.Connection]:
        """Several statements within the open transaction: where one fails, what the others did is undone too."""
        self.connection.execute("SAVEPOINT added")
        try:
            yield self.connection
        except BaseException:
            if self.connection.in_transaction:  # SQLite may have rolled it back itself, as on a full disk
                self.connection.execute("ROLLBACK TO added")
            raise
        finally:
            if self.connection.in_transaction:
                self.connection.execute("RELEASE added")

    def _withdraw(self, forfeit_limit: int) -> None:
        gone = who_is_gone(self.connection, forfeit_limit)
        if gone != self._gone:
            mark_withdrawn(self.connection, gone)
        self._gone = gone

    def missing(self) -> Iterator[Task]:
        """The planned tasks that had not been done when their turn came, the costly ones first."""
        query = (
            f"SELECT weight, ordinal, {', '.join(f'planned.{name}' for name in COLUMNS)}"
            " FROM planned LEFT JOIN games ON games.id = planned.game"
            " WHERE games.id IS NULL AND withdrawn IS NULL"
            " AND (weight < :weight OR weight = :weight AND ordinal > :ordinal)"
            " ORDER BY weight DESC, ordinal LIMIT 256"  # a page at a time, to keep none in memory
        )
        weight, ordinal = DEAREST, 0
        while True:
            with explained(self.path):
                rows = self.connection.execute(query, {"weight": weight, "ordinal": ordinal}).fetchall()
            if not rows:
                return
            for row in rows:
                weight, ordinal = row[:2]
                task = task_of(row[2:])
                if self.is_wanted(task):
                    yield task

    def is_wanted(self, task: Task) -> bool:
        """Whether nobody has been withdrawn from it since it was missing."""
        if self._gone.keys().isdisjoint(task.players):
            return True
        with explained(self.path):
            query = "SELECT withdrawn IS NULL FROM planned WHERE game = ?"
            return bool(self.connection.execute(query, (task.id,)).fetchone()[0])
