"""Where a disc comes to rest that may drift."""

from __future__ import annotations

import random

from tournament.games.connect4 import Position


def drifted(position: Position, column: int, luck: random.Random) -> int:
    """Where a disc for `column` comes to rest; every ply takes one draw, so that luck depends on the ply alone."""
    columns, likely = zip(*position.outcomes(column), strict=True)
    return int(luck.choices(columns, likely)[0])
