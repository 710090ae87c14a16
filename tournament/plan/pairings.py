"""Who is paired with whom, and who moves first."""

from __future__ import annotations

import random
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


# ── pools ────────────────────────────────────────────────────────────────────────────────────────

MOST_MEETINGS = 2000  # pairings of a pool in which all meet unless it says otherwise: 63 players
FEWEST_OPPONENTS = 2  # that keep everybody connected
USUAL_OPPONENTS = 12  # where there are more


def meetings(players: Sequence[T], opponents: int | None, seed: int) -> list[tuple[T, T]]:
    """Everybody against everybody or, where that is too much or each is to meet so many others, a sample of it.

    A sample is drawn from the seed: all stand in a circle, and each meets its neighbours and those at some other
    distances along it. So everybody is connected, and has met as many.
    """
    number = len(players)
    if opponents is None:
        opponents = number if number * (number - 1) // 2 <= MOST_MEETINGS else USUAL_OPPONENTS
    distances = -(-opponents // 2)  # each of which has an opponent on either side
    if distances > (number - 1) // 2:
        return list(round_robin(players))
    chance = random.Random(f"pool {seed}")
    circle = chance.sample(range(number), number)
    apart = [1, *chance.sample(range(2, (number - 1) // 2 + 1), distances - 1)]
    met = {tuple(sorted((circle[place], circle[(place + far) % number]))) for place in range(number) for far in apart}
    return [(players[one], players[other]) for one, other in sorted(met)]


PAIRERS: dict[PairingName, Callable[[Sequence[Any]], Iterator[tuple[Any, Any]]]] = {"round-robin": round_robin}
