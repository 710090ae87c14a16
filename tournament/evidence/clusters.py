"""Openings whose games are the same game again: what must count once.

Deterministic players whose games meet in one position, with the same player to move, play the same moves from there
on and end on the same board. So the boards on which games ended say which of them met.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def board_after(moves: str) -> Hashable:
    """The board after moves (a column a character) from the empty one: the same for any order that leads to it."""
    columns: dict[str, int] = {}
    for ply, column in enumerate(moves):
        columns[column] = 2 * columns.get(column, 1) + ply % 2  # its discs from below, a bit each, after a leading 1
    return frozenset(columns.items())


def clusters(ends: Sequence[Sequence[Hashable]]) -> list[int]:
    """For each opening of one pairing the number of its cluster; those whose games meet have the same.

    `ends` has for each opening the boards on which its games ended, one for each seat that a player may have, always
    in the same order: `(board_after(moves of the game that one began), board_after(moves of the game that the other
    began))`. Games that meet have equal ends at the same place. Openings meet through others too: where A meets B in
    one seat and B meets C in the other, all three are one cluster. Clusters are counted from 0, in the order in which
    their first openings stand.
    """
    joined = list(range(len(ends)))  # with an opening that stands before it, or with itself

    def first_of(opening: int) -> int:
        while joined[opening] != opening:
            joined[opening] = joined[joined[opening]]
            opening = joined[opening]
        return opening

    seen: dict[tuple[int, Hashable], int] = {}
    for opening, boards in enumerate(ends):
        for seat, board in enumerate(boards):
            one, other = first_of(opening), first_of(seen.setdefault((seat, board), opening))
            joined[max(one, other)] = min(one, other)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(first_of(opening), len(numbers)) for opening in range(len(ends))]
