"""Minimax and alpha-beta: one compiled body for every evaluator, board size and move order.

Values are from the view of the side to move and change sign from ply to ply; what the caller gets is
from the view of the searching player. A win is worth more than any evaluation, and one that comes a
ply sooner is worth 1 more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numba import from_dtype, types

from tournament import jit
from tournament.bitboard import has_line, playable, word, words
from tournament.errors import TourneyError, nearest
from tournament.evaluator import WIN
from tournament.jit import call_evaluator
from tournament.position import Position, undecided
from tournament.scorer import Scorer

Algorithm = Literal["alphabeta", "minimax"]
Order = Literal["left", "centre"]

MOST_DEPTH = 128  # no board has more cells
MOST_COLUMNS = 64  # a board of one row and 128 bits

# What a search is told (first part) and what it finds out, shared by all its nodes. Boards are two words.
STATE = np.dtype(
    [
        ("evaluator", np.int64),
        ("stride", np.int64),
        ("columns", np.int64),
        ("depth", np.int64),
        ("pruning", np.int64),
        ("win", np.float64),
        ("full", np.int64, 2),
        ("bottom", np.int64, 2),
        ("order", np.int64, (MOST_COLUMNS, 2)),
        ("generated", np.int64),
        ("expanded", np.int64),
        ("evaluated", np.int64),
        ("cutoffs", np.int64),
        ("values", np.float64, MOST_COLUMNS),  # of the root's moves, in move order
        ("known", np.int64, MOST_COLUMNS),  # how those values are known
        ("fault", np.int64, 5),  # the position on which the evaluator raised: mine, theirs, my turn
    ]
)
UNKNOWN, EXACT, AT_MOST = range(3)
NO_FAULT = -1  # where a fault would say whose turn it was
CONNECT = 4  # replaced when `visit` is compiled: as a constant it makes the test for a line twice as fast


def visit(state: Any, mine: int, occupied: int, depth: int, alpha: float, beta: float, side: int) -> float:
    """The value of an undecided position for the side to move, whose discs are `mine`.

    value <= alpha:         the position is worth at most `value`
    alpha < value < beta:   it is worth exactly `value`
    beta <= value:          it is worth at least `value`

    `side` is 1 where the searching player is to move and -1 where the opponent is.
    """
    full = word(mine, state.full[0], state.full[1])
    moves = playable(occupied, word(mine, state.bottom[0], state.bottom[1]), full)
    stride = int(state.stride)
    best = -math.inf
    generated = 0
    evaluated = 0
    for index in range(state.columns):
        move = moves & word(mine, state.order[index, 0], state.order[index, 1])
        if move == 0:
            continue
        generated += 1
        after = mine | move
        filled = occupied | move
        if has_line(after, stride, state.columns, CONNECT):
            value = state.win + depth
        elif filled == full:
            value = 0.0
        elif depth > 1:
            value = -visit(state, filled ^ after, filled, depth - 1, -beta, -alpha, -side)
        else:
            evaluated += 1
            other = filled ^ after
            if side > 0:
                value = call_evaluator(state, after, other, False)
            else:
                value = -call_evaluator(state, other, after, True)
        if depth == state.depth:
            state.values[index] = value
            state.known[index] = EXACT if value > alpha else AT_MOST
        if value > best:
            best = value
        if state.pruning:
            if value > alpha:
                alpha = value
            if alpha >= beta:
                state.cutoffs += 1
                break
    state.expanded += 1
    state.generated += generated
    state.evaluated += evaluated
    return best


def choose(state: Any, mine: int, occupied: int) -> int:
    """Search from the root and return the place of the best move in the move order: the first of equals."""
    state.generated = 0
    state.expanded = 0
    state.evaluated = 0
    state.cutoffs = 0
    state.fault[4] = NO_FAULT
    for index in range(state.columns):
        state.known[index] = UNKNOWN
    visit(state, mine, occupied, state.depth, -math.inf, math.inf, 1)
    best = -1
    for index in range(state.columns):
        if state.known[index] == EXACT and (best < 0 or state.values[index] > state.values[best]):
            best = index
    return best


def new_state() -> Any:
    """A state of zeros: a record whose fields compiled code and, while numba is off, Python read as attributes."""
    return np.zeros(1, STATE).view(np.recarray if jit.DISABLED else np.ndarray)[0]


@cache
def _compiled(connect: int, bits: Any) -> Callable[[Any, int, int], int]:
    """`choose`, compiled for boards of this width and lines of this length."""
    state, depth, value = from_dtype(STATE), types.int64, types.float64
    signature = value(state, bits, bits, depth, value, value, types.int64)
    compiled = jit.specialise(visit, signature, f"{connect}_{bits}", {"CONNECT": connect})
    return jit.specialise(choose, types.int64(state, bits, bits), f"{connect}_{bits}", {"visit": compiled})


@dataclass(frozen=True)
class Settings:
    """How to search: the algorithm, how deep, and in which order moves are tried."""

    depth: int
    algorithm: Algorithm = "alphabeta"
    order: Order = "left"

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MOST_DEPTH:
            raise TourneyError(f"depth is {self.depth}: a search looks 1 to {MOST_DEPTH} plies ahead.")
        for value, known, what in (
            (self.algorithm, get_args(Algorithm), "algorithm"),
            (self.order, get_args(Order), "order"),
        ):
            if value not in known:
                raise TourneyError(
                    f"{what} `{value}` is not known{nearest(value, known)} Known are {', '.join(known)}."
                )


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
    score: float
    counters: Counters
    seconds: float
    cpu_seconds: float
    saved: int  # calls of an interpreted evaluator answered from memory
    root_moves: tuple[RootMove, ...] = ()  # where asked for


def column_order(order: Order, columns: int) -> list[int]:
    """The columns, from 0, in the order in which moves are tried."""
    if order == "left":
        return list(range(columns))
    return sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column))


def fault_of(scorer: Scorer, state: Any, error: Exception) -> Exception:
    """The evaluator's fault that ended a compiled function, or the error itself where it was not the evaluator's."""
    mine_low, mine_high, theirs_low, theirs_high, my_turn = state["fault"]
    if my_turn == NO_FAULT:
        return error
    return scorer.explain(error, word(0, mine_low, mine_high), word(0, theirs_low, theirs_high), bool(my_turn))


class Searcher:
    """A search made ready for one evaluator, one set of rules and one set of settings."""

    def __init__(self, scorer: Scorer, settings: Settings) -> None:
        rules = scorer.rules
        self.scorer = scorer
        self.settings = settings
        self._choose = _compiled(rules.connect, jit.bits_type(rules.bits))
        self._columns = column_order(settings.order, rules.columns)
        self._state = state = new_state()
        state["evaluator"] = scorer.address
        state["stride"] = rules.stride
        state["columns"] = rules.columns
        state["pruning"] = settings.algorithm == "alphabeta"
        state["depth"] = settings.depth
        state["win"] = WIN - settings.depth - 1  # to which `visit` adds the depth that was left
        state["full"] = words(rules.full)
        state["bottom"] = words(rules.bottom)
        for index, column in enumerate(self._columns):
            state["order"][index] = words(rules.column(column))

    def search(self, position: Position) -> Found:
        """The best move for the side to move in an undecided position."""
        bits = position.rules.bits
        state = self._state
        self.scorer.forget()
        mine, occupied = jit.as_bits(position.mover, bits), jit.as_bits(position.occupied, bits)
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            best = self._choose(state, mine, occupied)
        except Exception as error:
            raise fault_of(self.scorer, state, error) from error
        seconds, cpu_seconds = time.perf_counter() - wall, time.thread_time() - cpu
        counters = Counters(*(int(state[name]) for name in Counters._fields))
        score = float(state["values"][best])
        return Found(self._columns[best], score, counters, seconds, cpu_seconds, self.scorer.saved)

    def root_moves(self) -> tuple[RootMove, ...]:
        """What the last search knows of each move at its root, in the order in which they were tried."""
        values, known = self._state["values"].tolist(), self._state["known"].tolist()
        return tuple(
            RootMove(column, values[index], known[index] == EXACT)
            for index, column in enumerate(self._columns)
            if known[index] != UNKNOWN
        )


def search(position: Position, scorer: Scorer, settings: Settings) -> Found:
    """The best move in `position`, which must be undecided, and what is known of the other moves."""
    searcher = Searcher(scorer, settings)
    found = searcher.search(undecided(position))
    return found._replace(root_moves=searcher.root_moves())
