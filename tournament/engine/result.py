"""What a search found and what it took: plain records, which need no compiler."""

from __future__ import annotations

from typing import NamedTuple


class Counters(NamedTuple):
    """What a search did, counted the same way for every algorithm."""

    generated: int  # positions made by playing a move below the root
    expanded: int  # positions whose moves were tried, the root included
    evaluated: int  # calls of the evaluator
    cutoffs: int  # times a position's moves were left because alpha >= beta


class RootMove(NamedTuple):
    """A move at the root and what it was worth: exactly, or at most so much."""

    column: int
    value: float
    exact: bool


class Found(NamedTuple):
    """What a search found: the column to play (from 0), its score, and what it cost."""

    column: int
    score: float  # NaN where an agent has moved, which tells nobody
    counters: Counters
    seconds: float
    cpu_seconds: float
    saved: int  # calls of an interpreted evaluator answered from memory
    depth: int  # the depth that was finished
    deepest: int  # the plies to the deepest position: fewer where every game ends before
    memory: int | None = None  # bytes that it took, where that was measured
    root_moves: tuple[RootMove, ...] = ()  # where asked for
