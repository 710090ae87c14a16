"""How a game under way is written down: the header of a journal, and its moves, as compiled code writes them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tournament.engine.result import BY_NAME, TOLD_FIELDS

IDLE, LOADING, THINKING, REFEREEING = range(4)
NOBODY = -1
MOST_MOVES = 128  # no board has more cells

# Written word by word, and read by another process: `moves` after the move that it counts, `deadline` last when
# somebody is to think and first when nobody is any more. So whoever reads a deadline that is over reads whose it was.
HEADER: Final[np.dtype[Any]] = np.dtype(
    [
        ("doing", np.int64),
        ("task", np.int64),  # its place among the tasks of the batch
        ("seat", np.int64),
        ("began", np.float64),  # when it was asked to think, by time.monotonic()
        ("deadline", np.float64),  # by the same
        ("by_game", np.int64),  # whether the game's time is what ends first
        ("moves", np.int64),
    ]
)
WRITTEN_FIELDS: Final = (BY_NAME["landed"], *TOLD_FIELDS)
MOVE: Final[np.dtype[Any]] = np.dtype([(field.name, np.dtype(field.kind).str) for field in WRITTEN_FIELDS])
