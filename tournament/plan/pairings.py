"""Who is paired with whom, and who moves first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, TypeVar

T = TypeVar("T")
PairingName = Literal["round-robin"]  # what a config may write as one word
Seats = Literal["both", "as-listed", "random"]


def round_robin(players: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Everybody against everybody, in the order of the list."""
    return combinations(players, 2)


def gauntlet(hero: T, players: Sequence[T]) -> Iterator[tuple[T, T]]:
    """One against everybody else."""
    return ((hero, other) for other in players if other != hero)


PAIRERS: dict[PairingName, Callable[[Sequence[Any]], Iterator[tuple[Any, Any]]]] = {"round-robin": round_robin}
