"""Makes the book with our own solver: `python -m tournament.truth.make_book [JOBS]`, some core-hours of work.

What is solved so far stands in a file beside the book, so that it can be stopped at any moment and begun again.
Neighbours in the book's order share much of their future, so each process gets a run of them and keeps its table.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Iterable
from contextlib import nullcontext
from functools import cache

import numpy as np

from tournament.games.connect4 import STANDARD, Position
from tournament.truth.book import FILE, packed, positions
from tournament.truth.solver import Solver

PART = FILE.with_suffix(".part")
UNKNOWN = 9
RUN = 100  # positions that are solved by one process before they are written down


@cache
def _solver() -> Solver:
    return Solver(STANDARD)


def solved(run: tuple[int, int]) -> tuple[int, list[int]]:
    """The values of the positions of the book from one number to another, and the first number."""
    _, mine, mask = positions()
    values = []
    for number in range(*run):
        value = _solver().score(Position(STANDARD, int(mine[number]), int(mine[number] ^ mask[number])))
        assert value is not None  # it had no limit
        values.append(value)
    return run[0], values


def make(jobs: int) -> None:
    """Solve what is missing, and write the book once nothing is."""
    count = len(positions().keys)
    values = np.full(count, UNKNOWN, np.int8)
    if PART.exists():
        values = np.frombuffer(PART.read_bytes(), np.int8).copy()
    runs = [(start, min(start + RUN, count)) for start in range(0, count, RUN) if values[start] == UNKNOWN]
    begun, before = time.monotonic(), int((values != UNKNOWN).sum())
    with multiprocessing.Pool(jobs) if jobs > 1 else nullcontext() as pool:
        results: Iterable[tuple[int, list[int]]] = pool.imap_unordered(solved, runs) if pool else map(solved, runs)
        for start, found in results:
            values[start : start + len(found)] = found
            part = PART.with_suffix(".new")
            part.write_bytes(values.tobytes())
            os.replace(part, PART)
            done = int((values != UNKNOWN).sum())
            left = (time.monotonic() - begun) / (done - before) * (count - done)
            print(f"{done:,} of {count:,} solved, {left / 60:,.0f} minutes left", file=sys.stderr, flush=True)
    FILE.write_bytes(packed(values))
    PART.unlink()


if __name__ == "__main__":
    make(int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1)
