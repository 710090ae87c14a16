"""What a run and its report read: what is left to do, and every game that counts, in the order of the plan."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tournament.engine.settings import Settings
from tournament.errors import StoreError
from tournament.isolation.limits import Limits
from tournament.store.checking import LAID_OUT, ROW, GameRow, is_plan_whole, is_withdrawal_whole, what_is_wrong
from tournament.store.file import NoRunError, StoreFile, explained
from tournament.store.packing import costs_of, unpacked
from tournament.store.records import Offer, StoredGame, StoredMove, StoredPlayer, StoredRun, StoredSearches
from tournament.store.tasks import IS_GAME, rules_of
from tournament.store.withdrawal import BOTH, not_played_game, who_is_gone
from tournament.text import shown, storable
from tournament.truth.verdict import Value

MOST_NAMED = 5  # ids in a message
CHUNK = 512  # games that are summed up at once
OF_PLAN = ("withdrawn", "planned.game", "planned.first", "planned.second", "planned.opening", "part", "place")
TO_MEND = "its games are kept: the same `tourney run` writes the plan anew, and plays what is damaged again"


class PlannedRow(NamedTuple):
    """A row of the plan, as OF_PLAN asks for it."""

    withdrawn: str | None
    id: str
    first: str
    second: str
    opening: str
    part: str
    place: str


class Reading(StoreFile):
    """A store that is read from the beginning to the end."""

    damaged: Sequence[str] = ()  # the ids of games that were not what was written, of those that were read last

    def check(self) -> None:
        """Raise where the plan, or the file itself, is not what was written; each game is checked when it is read."""
        with explained(self.path):
            wrong = what_is_wrong(self.connection)
            if wrong is None and not is_plan_whole(self.connection):
                wrong = "the plan is not what was written"
            if wrong is None:
                gone = who_is_gone(self.connection, self.last_run().limits.forfeit_limit)
                if not is_withdrawal_whole(self.connection, gone):
                    wrong = "those withdrawn are not what follows from the games"
        if wrong is not None:
            raise self._damage(wrong)

    def _damage(self, wrong: str) -> StoreError:
        return StoreError(f"{shown(self.path)}: is damaged ({wrong}); {TO_MEND}.")

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """What is read of the last run and its players, and makes no sense, is damaged."""
        try:
            yield
        except (KeyError, ValueError, TypeError) as error:
            raise self._damage("the plan is not what was written") from error

    def withdrawn(self) -> list[StoredPlayer]:
        """The players that have forfeited too often, and no longer play."""
        query = f"SELECT DISTINCT withdrawn FROM planned WHERE withdrawn IS NOT NULL AND withdrawn != '{BOTH}'"
        players = self.players()
        with explained(self.path):
            return [players[key] for (key,) in self.connection.execute(query)]

    def progress(self) -> dict[str, tuple[int, int]]:
        """By level, as in `depth 4`: how many of the planned games are done with, and how many there are."""
        query = (
            "SELECT level, count(coalesce(games.id, withdrawn)), count(*)"
            " FROM planned LEFT JOIN games ON games.id = planned.game GROUP BY level ORDER BY min(weight)"
        )
        with explained(self.path):
            return {level: (played, planned) for level, played, planned in self.connection.execute(query)}

    def done(self) -> set[str]:
        """The ids of everything that is kept, whether the plan asks for it or not."""
        with explained(self.path):
            return {id for (id,) in self.connection.execute("SELECT id FROM games")}

    def superseded(self) -> int:
        """How many games are kept that the plan no longer asks for."""
        query = "SELECT count(*) FROM games WHERE id NOT IN (SELECT game FROM planned)"
        with explained(self.path):
            (count,) = self.connection.execute(query).fetchone()
        return int(count)

    def last_run(self) -> StoredRun:
        with explained(self.path):
            row = self.connection.execute("SELECT * FROM runs ORDER BY number DESC LIMIT 1").fetchone()
        if row is None:
            raise NoRunError(f"{shown(self.path)}: holds no run: start one with `tourney run`.")
        with self._understood():
            number, started, ended, title, config, config_file, command, seed, rules, jobs, *made = row
            versions, machine, seats, limits, isolation, _, more = made
            return StoredRun(
                number, started, ended, storable(title), config, config_file, command, seed, rules_of(rules), jobs,
                json.loads(versions), machine, seats, Limits(**json.loads(limits)), isolation,
                tuple(Offer(*offer) for offer in json.loads(more or "[]")),
            )  # fmt: skip

    def players(self) -> dict[str, StoredPlayer]:
        """Everybody in the plan, by key, in the order of the plan."""
        query = (
            "SELECT players.* FROM players JOIN (SELECT key, min(place) AS place FROM ("
            " SELECT first AS key, 2 * ordinal AS place FROM planned"
            f" UNION ALL SELECT second, 2 * ordinal + 1 FROM planned WHERE {IS_GAME}) GROUP BY key)"
            " USING (key) ORDER BY place"
        )
        return self._players(query)

    def _players(self, query: str) -> dict[str, StoredPlayer]:
        with explained(self.path), self._understood():
            return {
                key: StoredPlayer(key, storable(name), Settings(**json.loads(settings)), *rest)
                for key, name, settings, *rest in self.connection.execute(query)
            }

    def openings(self) -> list[str]:
        """The openings of the plan, in its order."""
        query = "SELECT opening FROM planned GROUP BY opening ORDER BY min(ordinal)"
        with explained(self.path):
            return [opening for (opening,) in self.connection.execute(query)]

    def truths(self) -> dict[str, Value]:
        """What perfect play makes of the openings, for the side to move; none of a run from before it was asked."""
        with explained(self.path):
            return dict(self.connection.execute("SELECT opening, value FROM openings"))

    def games(self) -> Iterator[StoredGame]:
        """The games that count, those not played for a player's withdrawal too, in the order of the plan.

        One that is not what was written is left out, and its id noted in `damaged`.
        """
        return (game for game, _ in self._games())

    def games_with_moves(self) -> Iterator[tuple[StoredGame, list[StoredMove]]]:
        """The same with the moves of each."""
        return ((game, [] if row is None else unpacked(row.moves)) for game, row in self._games())

    def _games(self, where: str = "", values: Sequence[str] = ()) -> Iterator[tuple[StoredGame, GameRow | None]]:
        players, seed = self._players("SELECT * FROM players"), self.last_run().seed
        seen: set[str] = set()
        for rows in self._chunks(where, values):
            costs = costs_of(game.moves for plan, game in rows if plan.withdrawn is None)
            for plan, game in rows:
                seated = (plan.id, players[plan.first], players[plan.second], plan.opening)
                if plan.withdrawn is not None:
                    yield not_played_game(seated, seed, plan.withdrawn), None
                    continue
                same = " ".join((plan.first, plan.second, plan.opening, game.played))
                kept = (game.fault_kind, game.traceback, game.first_output, game.second_output)
                outcome = (game.seed, game.result, game.reason, game.fault, game.plies, game.played)
                first, second = next(costs)
                if game.forfeit_seconds is not None:
                    is_first = game.result == "second"
                    first = first.forfeited(game.forfeit_seconds) if is_first else first
                    second = second if is_first else second.forfeited(game.forfeit_seconds)
                yield StoredGame._make((*seated, *outcome, same not in seen, first, second, *kept)), game
                seen.add(same)

    def _chunks(self, where: str, values: Sequence[str]) -> Iterator[list[tuple[PlannedRow, GameRow]]]:
        """What was done, or is not to be, in the order of the plan; without what is damaged."""
        query = (
            f"SELECT {', '.join((*OF_PLAN, *ROW))} FROM planned LEFT JOIN games ON games.id = planned.game {LAID_OUT}"
            f" WHERE (games.id IS NOT NULL OR withdrawn IS NOT NULL) {where} ORDER BY ordinal"
        )
        self.damaged = damaged = []
        with explained(self.path):
            cursor = self.connection.execute(query, values)
            while rows := cursor.fetchmany(CHUNK):
                found = [(PlannedRow(*row[: len(OF_PLAN)]), GameRow(*row[len(OF_PLAN) :])) for row in rows]
                whole = []
                for plan, game in found:
                    if plan.withdrawn is not None or game.is_whole:
                        whole.append((plan, game))
                    else:
                        damaged.append(plan.id)
                yield whole

    def game(self, id: str) -> tuple[StoredGame, list[StoredMove]]:
        """One game of the plan by its id, or the beginning of it, with its moves.

        It is read alone, and so not known to repeat another.
        """
        if self.last_run().is_study:
            raise StoreError(f"{shown(self.path.parent)}: is a study, and has no games: searches.csv has every search.")
        begins = "planned.game >= ? AND planned.game < ?"
        between = (id, id + chr(sys.maxunicode))
        with explained(self.path):
            query = (
                "SELECT count(*) FROM planned LEFT JOIN games ON games.id = planned.game"
                f" WHERE (games.id IS NOT NULL OR withdrawn IS NOT NULL) AND {begins}"
            )
            (count,) = self.connection.execute(query, between).fetchone()
        if count != 1:
            known = "there is no such game" if not count else f"{count} games begin like this"
            raise StoreError(f"`{id}`: {known} in {shown(self.path.parent)}: games.csv has every game's id.")
        for game, row in self._games(f"AND {begins}", between):
            return game, [] if row is None else unpacked(row.moves)
        raise StoreError(damage_told(self.damaged, self.path.parent))

    def moves(self, id: str) -> list[StoredMove]:
        """The moves of a game by its whole id; none where it was not played."""
        for rows in self._chunks("AND planned.game = ?", (id,)):
            for plan, row in rows:
                return unpacked(row.moves) if plan.withdrawn is None else []
        return []

    def searches(self) -> Iterator[StoredSearches]:
        """What a study has found so far, in the order of its plan; what is damaged is noted in `damaged`."""
        players = self.players()
        for rows in self._chunks("AND withdrawn IS NULL", ()):
            for plan, row in rows:
                yield StoredSearches(
                    row.id, plan.part, plan.place, row.opening, players[row.first], rules_of(row.rules), row.fault,
                    row.played, unpacked(row.moves),
                )  # fmt: skip


def damage_told(damaged: Sequence[str], folder: Path) -> str:
    """What is said of games, or searches, that are not what was written."""
    which = ", ".join(damaged[:MOST_NAMED]) + (", …" if len(damaged) > MOST_NAMED else "")
    many = f"{len(damaged):,} are" if len(damaged) > 1 else "1 is"
    return f"{shown(folder)}: {many} damaged and not counted, and played again by the next run: {which}."
