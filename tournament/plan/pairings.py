"""Who is paired with whom, and who moves first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from tournament.plugins.player import Player

T = TypeVar("T")
Pairing = tuple[Player, Player]
Seats = Literal["both", "as-listed", "random"]


def round_robin(entrants: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Everybody against everybody, in the order of the list."""
    return combinations(entrants, 2)


def gauntlet(hero: T, entrants: Sequence[T]) -> Iterator[tuple[T, T]]:
    """One against everybody else."""
    return ((hero, other) for other in entrants if other != hero)
