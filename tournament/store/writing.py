"""What a run writes: how it is made, what it plans, and each game or search as it ends.

A finished game is written in a transaction of its own, so that whatever kills the run loses only games in flight.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.engine.result import STORED_FIELDS, SearchResult
from tournament.games.connect4 import Rules, column_digit
from tournament.isolation.limits import Limits
from tournament.store.file import explained
from tournament.store.reading import Reading
from tournament.store.records import StoredPlayer
from tournament.store.tasks import COLUMNS, Planned, Task, row_of, rules_text, task_of
from tournament.store.withdrawal import QueuePlace, mark_withdrawn, who_is_gone

DEAREST = float(1 << 32)  # larger than the weight of any task
NOT_A_GAME = (None, "studied", "", "")  # the result, the reason and the output of searches
INSERT_MOVE = (
    f"INSERT INTO moves (game, ply, {', '.join(field.column for field in STORED_FIELDS)})"
    f" VALUES (:game, :ply, {', '.join(f':{field.name}' for field in STORED_FIELDS)})"
)


class Writing(Reading):
    """A store that a run writes to."""

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
    ) -> int:
        """Note how this run is made and which tasks it consists of; returns the run's number."""
        with self.transaction() as connection:
            values = (
                started, title, config, config_file, command, seed, rules_text(rules), jobs,
                json.dumps(versions), machine, seats, json.dumps(asdict(limits)), isolation,
            )  # fmt: skip
            run = connection.execute(
                "INSERT INTO runs (started, title, config, config_file, command, seed, rules, jobs, versions, machine,"
                " seats, limits, isolation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            ).lastrowid
            connection.executemany(
                "REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((*player[:2], json.dumps(player.settings.non_defaults()), *player[3:]) for player in players),
            )
            connection.execute("DELETE FROM planned")
            connection.executemany(
                f"INSERT OR IGNORE INTO planned (weight, {', '.join(COLUMNS)})"
                f" VALUES (?, {', '.join('?' * len(COLUMNS))})",
                ((weight, *row_of(task)) for task, weight in tasks),
            )
            self._withdraw(limits.forfeit_limit)
        self._forfeit_limit = limits.forfeit_limit
        assert run is not None
        return run

    def end_run(self, run: int, ended: str) -> None:
        with self.transaction() as connection:
            connection.execute("UPDATE runs SET ended = ? WHERE number = ?", (ended, run))

    def add(self, task: Task, done: Game | Measured, rules: Rules, seed: int) -> None:
        """Keep a finished game by these rules, or the searches of a study, in a transaction of its own."""
        _, first, second, opening, _, own_rules, *_ = row_of(task)
        ended = (done.result, done.reason, *done.output) if isinstance(done, Game) else NOT_A_GAME
        result, reason, *output = ended
        with self.transaction() as connection:
            number = connection.execute(
                "INSERT INTO games (id, first, second, rules, opening, seed, result, reason, fault, plies, moves,"
                " fault_kind, traceback, first_output, second_output)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    task.id, first, second, own_rules or rules_text(rules), opening, seed, result, reason, done.fault,
                    len(done.moves), done.moves, done.fault_kind, done.traceback, *output,
                ),
            ).lastrowid  # fmt: skip
            connection.executemany(
                INSERT_MOVE,
                (
                    {"game": number, "ply": ply, **move_values(found, landed)}
                    for ply, (found, landed) in enumerate(zip(done.found, done.landed, strict=True), start=done.begun)
                ),
            )
            if reason == "forfeit":
                self._withdraw(self._forfeit_limit)

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


def move_values(found: SearchResult, landed: int) -> dict[str, Any]:
    """What is kept of a move, by the names of its fields and a few more."""
    return {**found._asdict(), **vars(found.counters), "landed": landed, "equals": equals(found)}


def equals(found: SearchResult) -> str | None:
    """The columns that a search knows to be as good as the one it chose, as digits."""
    if not found.root_moves:
        return None
    equal = [move.column for move in found.root_moves if move.exact and move.value == found.score]
    return "".join(column_digit(column) for column in sorted(equal))
