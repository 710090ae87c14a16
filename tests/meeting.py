"""Games that meet as real ones do: those of four players at depth 4 over the 568 openings of four plies.

Which games end on one board is real. Outcomes are drawn by `drawn`: one for each game that differs, so that openings
that share a game share its outcome.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from folders import ROOT

from tournament.evidence.clusters import clusters

PLAYERS = ("balanced", "points", "windows", "squares")
PAIRINGS = list(combinations(range(len(PLAYERS)), 2))
_LINES = (ROOT / "tests" / "reference" / "meeting_games.txt").read_text("utf-8").splitlines()
_CELLS = np.array([line.split() for line in _LINES if not line.startswith("#")])
_SHAPE = (len(_CELLS), len(PAIRINGS), 2)  # an opening, a pairing, a seat
BOARDS = np.char.rstrip(_CELLS, "wdl").astype(int).reshape(_SHAPE)  # on which games ended
HALVES = np.array(["ldw".index(cell[-1]) for cell in _CELLS.flat]).reshape(_SHAPE)  # points of who began, in halves
CLUSTERS = np.stack([clusters(BOARDS[:, pairing].tolist()) for pairing in range(len(PAIRINGS))], axis=1)
RESULTS = np.array(["second", "draw", "first"])


def drawn(random: np.random.Generator, pairing: int, worth: np.ndarray, gap: float, draws: float) -> np.ndarray:
    """The half points of who began, both games of each opening, where the first of the pairing is stronger by the gap.

    `worth` is that of moving first, in natural units, and `draws` the share of drawn games.
    """
    found = np.empty_like(BOARDS[:, pairing])
    for seat, ahead in enumerate((gap, -gap)):
        won = (1 - draws) / (1 + np.exp(-(worth + ahead)))
        chance = random.random(len(worth))
        by_opening = np.where(chance < won, 2, np.where(chance < won + draws, 1, 0))
        _, first, again = np.unique(BOARDS[:, pairing, seat], return_index=True, return_inverse=True)
        found[:, seat] = by_opening[first][again]
    return found


def first_of_clusters(pairing: int) -> np.ndarray:
    """For each opening the one that stands first in its cluster."""
    _, first, again = np.unique(CLUSTERS[:, pairing], return_index=True, return_inverse=True)
    return first[again]
