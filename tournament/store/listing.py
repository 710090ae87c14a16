"""What the page reads: a little of a store, while it grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tournament.errors import StoreError
from tournament.games.connect4 import Rules
from tournament.store.checking import LAID_OUT, ROW, GameRow
from tournament.store.file import explained
from tournament.store.reading import Reading, damage_told
from tournament.store.records import ListedGame, StoredGame, StoredMove, StoredPlayer
from tournament.store.tasks import IS_GAME, rules_of
from tournament.store.withdrawal import not_played_game


class Listing(Reading):
    """A store that is looked at."""

    def count_not_played(self) -> int:
        with explained(self.path):
            query = "SELECT count(*) FROM planned WHERE withdrawn IS NOT NULL"
            return int(self.connection.execute(query).fetchone()[0])

    def not_played(self) -> list[tuple[str, StoredGame]]:
        """The games from which a player has been withdrawn, each with its level."""
        query = (
            "SELECT level, withdrawn, game, first, second, opening FROM planned WHERE withdrawn IS NOT NULL"
            " ORDER BY ordinal"
        )
        with explained(self.path):
            rows = self.connection.execute(query).fetchall()
        players, seed = self.players() if rows else {}, self.last_run().seed
        with self._understood():
            return [
                (level, not_played_game((game, players[first], players[second], opening), seed, gone))
                for level, gone, game, first, second, opening in rows
            ]

    def newest(self) -> int:
        """The number of the last game that was kept, 0 where there is none: it grows with every game."""
        with explained(self.path):
            (number,) = self.connection.execute("SELECT max(number) FROM games").fetchone()
        return int(number or 0)

    def planned(self) -> dict[str, int]:
        """By level, as in `depth 4`: how many games the plan has."""
        query = "SELECT level, count(*) FROM planned GROUP BY level ORDER BY min(weight)"
        with explained(self.path):
            return {level: int(count) for level, count in self.connection.execute(query)}

    def everybody(self) -> dict[str, StoredPlayer]:
        """Every player that any plan of this store has had, by key."""
        return self._players("SELECT * FROM players ORDER BY name")

    def since(self, number: int, most: int) -> Iterator[ListedGame]:
        """The games that count and were kept after that one, in the order in which they were; at most so many."""
        return self._listed("games.number > ? ORDER BY games.number LIMIT ?", (number, most))

    def listed(
        self, *, player: str = "", level: str = "", result: str = "", most: int = 50, after: int = 0
    ) -> tuple[int, list[ListedGame]]:
        """How many games count, and some of them in the order of the plan: by a player, at a level, with a result.

        A result is `first`, `second`, `draw` or `forfeit`, or the player's `won` or `lost`.
        """
        clauses, values = [f"withdrawn IS NULL AND games.{IS_GAME}"], dict[str, str | int]()
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
        with explained(self.path):
            query = f"SELECT count(*) FROM planned JOIN games ON games.id = planned.game WHERE {where}"
            (count,) = self.connection.execute(query, values).fetchone()
        values |= {"most": most, "after": after}
        return int(count), list(self._listed(f"{where} ORDER BY ordinal LIMIT :most OFFSET :after", values))

    def one(self, id: str) -> tuple[ListedGame, Rules, list[StoredMove]] | None:
        """The game of the plan with that whole id, its rules and its moves; None where there is none."""
        for game in self._listed("games.id = ?", (id,)):
            with explained(self.path):
                query = "SELECT rules FROM games WHERE number = ?"
                (rules,) = self.connection.execute(query, (game.number,)).fetchone()
            moves = self.moves(id)
            if self.damaged:
                raise StoreError(damage_told(self.damaged, self.path.parent))
            return game, rules_of(rules), moves
        if self.damaged:
            raise StoreError(damage_told(self.damaged, self.path.parent))
        return None

    def _listed(self, where: str, values: Sequence[object] | Mapping[str, object]) -> Iterator[ListedGame]:
        """The games of which this holds; the ids of those that are not what was written are noted in `damaged`."""
        query = (
            f"SELECT games.number, level, {', '.join(ROW)} FROM games {LAID_OUT}"
            " JOIN planned ON planned.game = games.id"
            f" WHERE withdrawn IS NULL AND games.{IS_GAME} AND {where}"
        )
        self.damaged = damaged = []
        players = self.everybody()
        with explained(self.path), self._understood():
            for number, level, *row in self.connection.execute(query, values):
                game = GameRow(*row)
                if not game.is_whole or game.second is None:
                    damaged.append(game.id)
                    continue
                seated = (players[game.first], players[game.second], level, game.opening)
                outcome = (game.result, game.reason, game.fault, game.plies, game.played)
                yield ListedGame._make((number, game.id, *seated, *outcome))
