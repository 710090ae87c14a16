"""Who scores, and in which games: players by name and effort, and the levels at which they meet."""

from __future__ import annotations

from typing import NamedTuple

from tournament.engine.settings import Effort
from tournament.store import StoredGame, StoredPlayer


class Competitor(NamedTuple):
    """A player as scores count it: by its name, and by its effort too where its opponent searches further or less.

    So robert has one score over all games against players of the same effort as its own, whatever that was, and
    another one for its games at depth 8 against shallower players. In a pool, where all efforts meet, robert is a
    player of its own at each.
    """

    name: str
    effort: Effort | None = None

    @property
    def text(self) -> str:
        """As it is shown: `robert`, or `robert (8)`."""
        return self.name if self.effort is None else f"{self.name} ({self.effort.text})"


class Level(NamedTuple):
    """How far the two players of a game search: one effort, or both where they differ, the lesser one first."""

    efforts: tuple[Effort, ...]

    @property
    def text(self) -> str:
        """As tables show it: `2`, or `2 v 8`."""
        return " v ".join(effort.text for effort in self.efforts)

    @property
    def sentence(self) -> str:
        """As a title names it: `depth 2`, `depth 2 v 8`; a budget speaks for itself."""
        return f"depth {self.text}" if all(effort.is_depth for effort in self.efforts) else self.text

    @property
    def order(self) -> list[tuple[int, float]]:
        """Sorts levels by the lesser effort, then by the greater."""
        return [effort.order for effort in self.efforts]


def level_of(game: StoredGame) -> Level:
    """The level at which a game was played."""
    efforts = {game.first.settings.effort, game.second.settings.effort}
    return Level(tuple(sorted(efforts, key=lambda effort: effort.order)))


def competitors_of(game: StoredGame, *, in_pool: bool = False) -> tuple[Competitor, Competitor]:
    """Who scored in a game, the one that moved first before the other."""
    first, second = game.first, game.second
    if in_pool:
        return competitor_in_pool(first), competitor_in_pool(second)
    if first.settings.effort == second.settings.effort:
        return Competitor(first.name), Competitor(second.name)
    return Competitor(first.name, first.settings.effort), Competitor(second.name, second.settings.effort)


def competitor_in_pool(player: StoredPlayer) -> Competitor:
    """A player of a pool: by its effort too, but of an agent, which searches as it likes."""
    return Competitor(player.name, None if player.is_agent else player.settings.effort)


def is_pool(config: str) -> bool:
    """Whether a run's config puts players of all efforts into one pool."""
    if "pool" not in config:
        return False
    import yaml

    return bool(yaml.safe_load(config).get("pool"))
