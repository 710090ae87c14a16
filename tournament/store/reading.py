"""What a run and its report read: what is left to do, and every game that counts, in the order of the plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from tournament.engine.result import BY_NAME, COUNTERS, STORED_FIELDS
from tournament.engine.settings import Settings
from tournament.errors import StoreError
from tournament.isolation.limits import Limits
from tournament.store.file import StoreFile, explained
from tournament.store.records import Cost, StoredGame, StoredMove, StoredPlayer, StoredRun, StoredSearches
from tournament.store.schema import columns_of_moves
from tournament.store.tasks import IS_GAME, rules_of
from tournament.store.withdrawal import BOTH, not_played_game
from tournament.text import shown

SUMMED = (*COUNTERS, "seconds", "cpu_seconds")  # over the moves of a side


class Reading(StoreFile):
    """A store that is read from the beginning to the end."""

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
            raise StoreError(f"{shown(self.path)}: holds no run: start one with `tourney run`.")
        number, started, ended, title, config, config_file, command, seed, rules, jobs, *made = row
        versions, machine, seats, limits, isolation = made
        return StoredRun(
            number, started, ended, title, config, config_file, command, seed, rules_of(rules), jobs,
            json.loads(versions), machine, seats, Limits(**json.loads(limits)), isolation,
        )  # fmt: skip

    def players(self) -> dict[str, StoredPlayer]:
        """Everybody in the plan, by key, in the order of the plan."""
        query = (
            "SELECT players.* FROM players JOIN (SELECT key, min(place) AS place FROM ("
            " SELECT first AS key, 2 * ordinal AS place FROM planned"
            f" UNION ALL SELECT second, 2 * ordinal + 1 FROM planned WHERE {IS_GAME}) GROUP BY key)"
            " USING (key) ORDER BY place"
        )
        with explained(self.path):
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
        summed = {"moves": "1", "depths": "depth"} | {name: self._kept(name) for name in SUMMED}
        of_side = f"SELECT ply % 2, {', '.join(f'sum({what})' for what in summed.values())} FROM moves"
        sums = f"{of_side} WHERE game = ? GROUP BY ply % 2"
        players, seed = self.players(), self.last_run().seed
        with explained(self.path):
            for gone, game, number, first, second, opening, *played in self.connection.execute(query):
                seated = (game, players[first], players[second], opening)
                if gone is not None:
                    yield not_played_game(seated, seed, gone)
                    continue
                costs = {
                    side: Cost(**dict(zip(summed, values, strict=True)))
                    for side, *values in self.connection.execute(sums, (number,))
                }
                *outcome, distinct, kind, traceback, first_output, second_output = played
                both = (costs.get(0, Cost()), costs.get(1, Cost()))
                kept = (kind, traceback, first_output, second_output)
                yield StoredGame._make((*seated, *outcome, bool(distinct), *both, *kept))

    def game(self, id: str) -> tuple[StoredGame, list[StoredMove]]:
        """One game of the plan by its id, or the beginning of it, with its moves."""
        if self.last_run().is_study:
            raise StoreError(f"{shown(self.path.parent)}: is a study, and has no games: searches.csv has every search.")
        found = [game for game in self.games() if game.id.startswith(id)]
        if len(found) != 1:
            known = "there is no such game" if not found else f"{len(found)} games begin like this"
            raise StoreError(f"`{id}`: {known} in {shown(self.path.parent)}: games.csv has every game's id.")
        return found[0], self.moves(found[0].id)

    def moves(self, id: str) -> list[StoredMove]:
        """The moves of a game by its whole id; none where it was not played."""
        with explained(self.path):
            query = "SELECT number FROM games JOIN planned ON game = id WHERE id = ? AND withdrawn IS NULL"
            row = self.connection.execute(query, (id,)).fetchone()
            return self._moves(row[0]) if row is not None else []

    def searches(self) -> Iterator[StoredSearches]:
        """What a study has found so far, in the order of its plan."""
        query = (
            "SELECT games.number, games.id, part, place, games.opening, games.first, games.rules, fault, games.moves"
            " FROM planned JOIN games ON games.id = planned.game ORDER BY ordinal"
        )
        players = self.players()
        with explained(self.path):
            for number, id, part, place, start, player, rules, fault, played in self.connection.execute(query):
                yield StoredSearches(
                    id, part, place, start, players[player], rules_of(rules), fault, played,
                    self._moves(number),
                )  # fmt: skip

    def _moves(self, number: int) -> list[StoredMove]:
        names = ["ply", *(field.name for field in STORED_FIELDS)]
        columns = ", ".join(["ply", *(self._kept(field.name) for field in STORED_FIELDS)])
        query = f"SELECT {columns} FROM moves WHERE game = ? ORDER BY ply"
        return [StoredMove(**dict(zip(names, row, strict=True))) for row in self.connection.execute(query, (number,))]

    def _kept(self, name: str) -> str:
        """The column in which a field of a move is kept; NULL where this store has none."""
        column = BY_NAME[name].column
        return column if column in self._columns_of_moves else "NULL"

    @cached_property
    def _columns_of_moves(self) -> set[str]:
        return columns_of_moves(self.connection)
