"""A player's clock in a game: for each move, for what its moves may take beyond that, and for the whole game."""

from __future__ import annotations

from tournament.errors import PlayerFault
from tournament.isolation.limits import Limits
from tournament.plugins.agent import TimeLeft


class Clock:
    """One player's clock in one game. Only an agent's has an overage: Kaggle's rule."""

    def __init__(self, limits: Limits, *, agent: bool) -> None:
        self._limits, self._agent = limits, agent
        self._move, self._overage = limits.for_move(agent=agent)
        self._game = limits.game_seconds

    def time_left(self) -> TimeLeft:
        return TimeLeft(self._move, self._overage, self._game)

    def took(self, seconds: float) -> None:
        """A move has been made in so many seconds."""
        self._game -= seconds
        self._overage -= max(0.0, seconds - self._move)

    def too_late(self) -> PlayerFault:
        return too_late(self._limits, by_game=self.time_left().by_game, agent=self._agent)


def too_late(limits: Limits, *, by_game: bool, agent: bool) -> PlayerFault:
    """A player's time is up: for the move, or for the whole game."""
    if by_game:
        return PlayerFault(f"it thought for more than {limits.game_seconds:g} seconds in this game.", "game time")
    seconds, overage = limits.for_move(agent=agent)
    beyond = f", and had used up the {overage:g} that its moves may take beyond that in a game" if overage else ""
    return PlayerFault(f"it thought for more than {seconds:g} seconds about one move{beyond}.", "move time")
