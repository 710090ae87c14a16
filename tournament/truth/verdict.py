"""What is said of a position: plain records, which need no compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Value = Literal["win", "draw", "loss", "unknown"]
VALUE_OF_SIGN: dict[int, Value] = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class MoveTruth:
    """What a move is worth for who makes it, and in how many plies the game then ends, the move counted."""

    move: int  # its column, from 1
    value: Value
    plies: int | None = None  # None where it was not asked for, or is not proven


@dataclass(frozen=True)
class Truth:
    """What a position is worth for the side to move, by its moves, and what it took to prove that."""

    to_move: str
    value: Value
    plies: int | None
    moves: tuple[MoveTruth, ...]
    nodes: int
    seconds: float

    @property
    def best(self) -> tuple[int, ...]:
        """The columns, from 1, that are proven to keep what the position is worth, as soon or as late as can be."""
        if self.value == "unknown":
            return ()
        return tuple(one.move for one in self.moves if one.value == self.value and self.plies in (None, one.plies))


def sign_of(score: int) -> int:
    return (score > 0) - (score < 0)


def plies_to_end(score: int, plies: int, cells: int) -> int:
    """In how many plies a game ends under perfect play, by the exact score of a position of so many plies."""
    if score == 0:
        return cells - plies
    wins_at = cells + 1 - 2 * abs(score)  # discs on the board before the last move: this or one less, as the turn is
    wins_at -= (wins_at - plies - (score < 0)) % 2
    return wins_at + 1 - plies


def of_moves(moves: tuple[MoveTruth, ...]) -> tuple[Value, int | None]:
    """What a position is worth by its moves, and the plies to the end where they are known of all that matter."""
    values = {one.value for one in moves}
    if "win" not in values and "unknown" in values:
        return "unknown", None
    best = next(value for value in VALUE_OF_SIGN.values() if value in values)
    plies = [one.plies for one in moves if one.value in (best, "unknown")]
    known = [number for number in plies if number is not None]
    if len(known) < len(plies):
        return best, None
    return best, max(known) if best == "loss" else min(known)
