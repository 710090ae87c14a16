"""The order in which a node tries its moves: what was best before, killers, history."""

from __future__ import annotations

import math
from typing import Any

from tournament.engine.jit.specialise import helper
from tournament.games.connect4 import lowest, word


@helper
def arrange(state: Any, moves: int, depth: int, side: int, first: int) -> int:
    """Write the order in which a node tries its moves to `state.sequence`, and return how many there are."""
    tries = 0
    for index in range(state.columns):
        move = moves & word(moves, state.order[index, 0], state.order[index, 1])
        if move == 0:
            continue
        cell = lowest(move)
        rank = 0.0
        if index == first:
            rank = math.inf
        elif state.use_killers and cell == state.killers[depth, 0]:
            rank = 2.0
        elif state.use_killers and cell == state.killers[depth, 1]:
            rank = 1.0
        elif state.use_history:
            rank = float(state.history[(side + 1) // 2, cell])
        place = tries
        while place > 0 and state.rank[place - 1] < rank:
            state.rank[place] = state.rank[place - 1]
            state.sequence[depth, place] = state.sequence[depth, place - 1]
            place -= 1
        state.rank[place] = rank
        state.sequence[depth, place] = index
        tries += 1
    return tries


@helper
def reward(state: Any, cell: int, depth: int, side: int) -> None:
    """Remember that a disc in this cell has caused a cutoff."""
    if state.use_killers and state.killers[depth, 0] != cell:
        state.killers[depth, 1] = state.killers[depth, 0]
        state.killers[depth, 0] = cell
    if state.use_history:
        state.history[(side + 1) // 2, cell] += depth * depth
