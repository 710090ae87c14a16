"""The algorithms and move orders by name, and what each of them can do."""

from __future__ import annotations

from typing import Literal

from tournament.games.connect4 import Rules

Algorithm = Literal["alphabeta", "minimax", "pvs", "expectiminimax", "star1", "star2"]
Order = Literal["left", "centre", "killers", "history"]

WITH_CHANCE = ("expectiminimax", "star1", "star2")
UNPRUNED = ("minimax", "expectiminimax")
DYNAMIC = ("killers", "history")  # orders that learn from the search itself; they begin as `centre`


def usual_algorithm(rules: Rules) -> Algorithm:
    """The algorithm where none is named: one that prunes, with chance where discs drift."""
    return "star1" if rules.drifts else "alphabeta"
