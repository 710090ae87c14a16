"""Random positions of every phase of a game, the same for the same seed: what evaluators are tried on."""

from __future__ import annotations

import random

from tournament.games.connect4 import Position, Rules


def random_positions(rules: Rules, count: int, seed: int = 1) -> list[Position]:
    """Undecided positions from random play, spread evenly over the plies of a game."""
    chance = random.Random(seed)
    cells = rules.rows * rules.columns
    return [_random_position(rules, number * cells // count, chance) for number in range(count)]


def _random_position(rules: Rules, plies: int, chance: random.Random) -> Position:
    """A position after so many plies, or after the last one before somebody wins."""
    position = Position(rules)
    for _ in range(plies):
        columns = position.open_columns()
        chance.shuffle(columns)
        undecided = (after for column in columns if (after := position.play(column)).result is None)
        following = next(undecided, None)
        if following is None:
            break
        position = following
    return position
