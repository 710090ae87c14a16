"""Where a disc comes to rest that may drift."""

from __future__ import annotations

import random

from tournament.games.connect4 import Position


def luck_of(seed: int, opening: str = "", plies: int = 0) -> random.Random:
    """The luck of a game from this opening, after so many of its plies; both games of a pair have the same."""
    luck = random.Random(f"{seed} {opening}")
    for _ in range(plies):
        luck.random()  # `drifted` takes one draw a ply
    return luck


def drifted(position: Position, column: int, luck: random.Random) -> int:
    """Where a disc for `column` comes to rest; every ply takes one draw, so that luck depends on the ply alone."""
    columns, likely = zip(*position.outcomes(column), strict=True)
    return int(luck.choices(columns, likely)[0])
