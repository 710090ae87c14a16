"""The moves of a game as compiled code has written them: taken apart only where somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from tournament.engine.layout import MOVE
from tournament.engine.result import SearchResult, found_of


class PackedMoves(Sequence[SearchResult]):
    """What each search of a game found, with the columns in which the discs came to rest."""

    __slots__ = ("records",)

    def __init__(self, records: NDArray[Any]) -> None:
        self.records = records

    @classmethod
    def from_bytes(cls, written: bytes) -> PackedMoves:
        return cls(np.frombuffer(written, MOVE))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedMoves.from_bytes, (self.records.tobytes(),)

    @property
    def landed(self) -> tuple[int, ...]:
        return tuple(self.records["landed"].tolist())

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[SearchResult]:
        return (found_of(numbers) for _, *numbers in self.records.tolist())

    @overload
    def __getitem__(self, place: int) -> SearchResult: ...
    @overload
    def __getitem__(self, place: slice) -> PackedMoves: ...
    def __getitem__(self, place: int | slice) -> SearchResult | PackedMoves:
        if isinstance(place, slice):
            return PackedMoves(self.records[place])
        _, *numbers = self.records[place].tolist()
        return found_of(numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def generated(found: Sequence[SearchResult]) -> int:
    """Positions that these searches have generated."""
    if isinstance(found, PackedMoves):
        return int(found.records["generated"].sum())
    return sum(each.counters.generated for each in found)
