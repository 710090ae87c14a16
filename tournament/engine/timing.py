"""How long one call of an evaluator takes, as the search calls it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, types

from tournament.engine.jit.calls import call_evaluator
from tournament.engine.jit.specialise import as_bits, bits_type, specialise
from tournament.engine.scorer import Scorer
from tournament.engine.searcher import fault_of
from tournament.engine.state import STATE, new_state
from tournament.games.connect4 import Rules, word, words
from tournament.games.samples import random_positions

POSITIONS = 64
ENOUGH_SECONDS = 0.02  # of calls in a row, so that the clock's own grain does not matter


def call_all(state: Any, boards: Any, repeats: int, like: int) -> float:
    """The sum of the scores of all boards, so many times over."""
    total = 0.0
    for _ in range(repeats):
        for index in range(len(boards)):
            mine = word(like, boards[index, 0], boards[index, 1])
            theirs = word(like, boards[index, 2], boards[index, 3])
            total += call_evaluator(state, mine, theirs, True)
    return total


@cache
def _compiled_call_all(bits: Any) -> Callable[..., float]:
    boards = types.Array(types.int64, 2, "C")
    return specialise(call_all, types.float64(from_dtype(STATE), boards, types.int64, bits), str(bits))


def load_timing(rules: Rules) -> None:
    """Compile what times evaluators on such boards, or find it on disk."""
    _compiled_call_all(bits_type(rules.bits))


def nanoseconds_per_call(scorer: Scorer, enough: float = ENOUGH_SECONDS, runs: int = 3) -> float:
    """The time of one call, the best of some runs that take `enough` seconds or more, on positions of every phase."""
    views = [position.seen_by(position.to_move) for position in random_positions(scorer.rules, POSITIONS)]
    boards = np.array([[*words(view.mine), *words(view.theirs)] for view in views], np.int64)
    run = _compiled_call_all(bits_type(scorer.rules.bits))
    state = new_state()
    state["evaluator"] = scorer.address
    like = as_bits(0, scorer.rules.bits)

    def seconds(repeats: int) -> float:
        scorer.forget()
        start = time.perf_counter()
        try:
            run(state, boards, repeats, like)
        except Exception as error:
            raise fault_of(scorer, state, error) from error
        return time.perf_counter() - start

    repeats = 1
    best = min(seconds(repeats) for _ in range(3))
    while scorer.compiled and best < enough:  # an interpreted one would only be asked what it remembers
        repeats *= 4
        best = min(seconds(repeats) for _ in range(runs))
    return best / (repeats * POSITIONS) * 1e9
