"""What a search is told and what it finds out, shared by all its nodes: one record, in Python and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import COUNTERS
from tournament.engine.values import MOST_DEPTH

MOST_COLUMNS = 64  # a board of one row and 128 bits
MOST_CELLS = 128
MOST_OUTCOMES = 3  # of a drift: the chosen column and its neighbours
NO_FAULT = -1  # where a fault would say whose turn it was
NO_MOVE = -1

# What a search is told (first part) and what it finds out, shared by all its nodes. Boards are two words.
STATE = np.dtype(
    [
        ("evaluator", np.int64),  # its address
        ("visit", np.int64),  # the address of the compiled search of a node
        ("stride", np.int64),
        ("columns", np.int64),
        ("depth", np.int64),  # of the search under way
        ("use_pruning", np.int64),
        ("win", np.float64),
        ("full", np.int64, 2),
        ("bottom", np.int64, 2),
        ("order", np.int64, (MOST_COLUMNS, 2)),  # the columns in move order
        ("column_numbers", np.int64, MOST_COLUMNS),  # the same, counted from the left
        # ── chance
        ("drifting", np.int64, 2),  # whether the opponent's and my discs drift
        ("chosen", np.float64),  # the probability of the chosen column
        ("use_probes", np.int64),
        ("beside", np.int64, (MOST_COLUMNS, 2)),  # the places, in move order, of a column's neighbours
        # ── improvements
        ("extended", np.int64),  # whether there are any
        ("alone", np.int64),  # 1 more than the place of the only move that the root is to try; 0: all of them
        ("most_depth", np.int64),
        ("use_deepening", np.int64),
        ("use_scouts", np.int64),
        ("use_killers", np.int64),
        ("use_history", np.int64),
        ("use_shuffle", np.int64),
        ("order_seed", np.int64),
        ("aspiration", np.float64),
        ("most_generated", np.int64),
        ("deadline", np.float64),  # when time is up, by `time.monotonic`; 0: never
        ("stop", np.int64),  # set when it is, also from outside
        ("table", np.int64),  # its address
        ("table_size", np.int64),
        ("age", np.int64),
        # ── found out
        *((name, np.int64) for name in COUNTERS),
        ("ended", np.int64),  # the fewest plies that were left where a game ended
        ("deepest", np.int64),  # the plies to the deepest position of the last search that was finished
        ("stopped", np.int64),
        ("reached", np.int64),  # the depth of the last search that was finished
        ("values", np.float64, MOST_COLUMNS),  # of the root's moves, in move order
        ("known", np.int64, MOST_COLUMNS),  # how those values are known
        ("answer", np.float64, MOST_COLUMNS),  # the same of the last search that was finished
        ("answered", np.int64, MOST_COLUMNS),
        ("fault", np.int64, 5),  # the position on which the evaluator raised: mine, theirs, my turn
        # ── remembered, by the plies that are left
        ("tries", np.int64, MOST_DEPTH + 1),  # how many moves the next node may try: one, where it is only probed
        ("ceiling", np.float64, (MOST_DEPTH + 1, MOST_OUTCOMES)),  # what a chance node's outcomes are at most worth
        ("sequence", np.int16, (MOST_DEPTH + 1, MOST_COLUMNS)),  # the order in which a node tries its moves
        ("rank", np.float64, MOST_COLUMNS),
        ("killers", np.int64, (MOST_DEPTH + 1, 2)),  # cells whose moves have caused the last cutoffs
        ("history", np.float64, (2, MOST_CELLS)),  # how much a side's moves to a cell have cut off
    ]
)


def new_state() -> Any:
    """A state of zeros: a record whose fields compiled code and, while numba is off, Python read as attributes."""
    return np.zeros(1, STATE).view(np.recarray if JIT_DISABLED else np.ndarray)[0]
