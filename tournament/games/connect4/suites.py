"""The positions that games may begin with: mirror images once, and something left to play for."""

from __future__ import annotations

from tournament.games.connect4.notation import column_digit, play_moves
from tournament.games.connect4.position import Position
from tournament.games.connect4.rules import Rules


def canonical(position: Position) -> Position:
    """The position or its mirror image, the same one for both."""
    mirrored = position.mirrored()
    return min(position, mirrored, key=lambda either: (either.first, either.second))


def distinct_positions(rules: Rules, plies: int) -> dict[Position, str]:
    """Every position after so many plies, mirror images once, with moves that lead to it."""
    reached = {canonical(Position(rules)): ""}
    for _ in range(plies):
        following: dict[Position, str] = {}
        for moves in reached.values():
            position = play_moves(Position(rules), moves)
            if position.result is None:
                for column in position.open_columns():
                    following.setdefault(canonical(position.play(column)), moves + column_digit(column))
        reached = following
    return reached


def is_open(position: Position) -> bool:
    """Whether nobody has won and the side to move can't win at once."""
    return position.result is None and not any(
        position.play(column).result not in (None, "draw") for column in position.open_columns()
    )


def every_opening(rules: Rules, plies: int) -> list[str]:
    """Every opening of so many plies, mirror images once, none that is decided or can be decided at once."""
    return [moves for position, moves in distinct_positions(rules, plies).items() if is_open(position)]
