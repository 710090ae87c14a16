"""What a player may take before it forfeits, and in whose process it searches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Isolation = Literal["game", "player", "sandbox"]

LOAD_SECONDS = 60.0  # for a file to be run and compiled, before the first move; an honest one takes one or two

KAGGLE_SECONDS, KAGGLE_OVERAGE = 2.0, 60.0  # of a ConnectX agent's move there, and beyond that in a game


@dataclass(frozen=True)
class Limits:
    """The clock and the memory of each player, which are the same for all. No honest player should meet them."""

    move_seconds: float = 60.0
    game_seconds: float = 1800.0  # of one player's thinking
    memory_mb: int = 1024  # beyond what the engine takes
    forfeit_limit: int = 5  # forfeits of one kind, after which a player is withdrawn
    agent_seconds: float | None = None  # of an agent's move; None: as of anybody's
    overage_seconds: float = 0.0  # what an agent's moves may take beyond that in a game, all together

    def for_move(self, *, agent: bool) -> tuple[float, float]:
        """The seconds for a move, and those that moves may take beyond them in a game."""
        return (self.agent_seconds, self.overage_seconds) if agent and self.agent_seconds else (self.move_seconds, 0.0)

    def described(self, *, memory: bool = True) -> str:
        """In words; `memory` says whether the system held players to it."""
        agents = (
            f"agents {self.agent_seconds:g} s a move and {self.overage_seconds:g} s beyond that in a game, "
            if self.agent_seconds
            else ""
        )
        return (
            f"{self.move_seconds:g} s a move, {agents}{self.game_seconds:g} s a game, "
            f"{f'{self.memory_mb:,} MB' if memory else 'memory not limited on this system'}; "
            f"withdrawn after {self.forfeit_limit} forfeits of one kind"
        )


NO_LIMITS = Limits(math.inf, math.inf, 1 << 40, 1 << 40)
