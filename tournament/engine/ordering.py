"""The order in which a node tries its moves: what was best before, killers, history, or chance."""

from __future__ import annotations

import math
from typing import Any

from tournament.engine.jit.specialise import helper
from tournament.games.connect4 import lowest, word, words

BITS = (1 << 31) - 1  # of a mixed number: two of them multiplied are still an int64, compiled and in Python


@helper
def arrange(state: Any, mine: int, occupied: int, moves: int, depth: int, side: int, first: int) -> int:
    """Write the order in which a node tries its moves to `state.sequence`, and return how many there are."""
    tries = 0
    drawn = 0
    if state.use_shuffle:
        drawn = int(state.order_seed)
        for part in (*words(mine), *words(occupied)):
            drawn = mixed(mixed(mixed(drawn, part), part >> 31), part >> 62)
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
        elif state.use_shuffle:
            rank = float(mixed(drawn, index))
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
def mixed(drawn: int, part: int) -> int:
    """A number that looks like chance, from one drawn before and another part of what it is drawn from."""
    drawn = ((drawn ^ (part & BITS)) * 1103515245 + 12345) & BITS
    drawn ^= drawn >> 15
    drawn = (drawn * 1540483477) & BITS
    return drawn ^ (drawn >> 13)


@helper
def reward(state: Any, cell: int, depth: int, side: int) -> None:
    """Remember that a disc in this cell has caused a cutoff."""
    if state.use_killers and state.killers[depth, 0] != cell:
        state.killers[depth, 1] = state.killers[depth, 0]
        state.killers[depth, 0] = cell
    if state.use_history:
        state.history[(side + 1) // 2, cell] += depth * depth
