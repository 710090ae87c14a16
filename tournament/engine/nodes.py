"""The nodes of a game tree: one body for every algorithm, evaluator, board and option.

`visit` is a node at which a side is to move (MAX or MIN), `expect` one at which a disc drifts (CHANCE), and `follow`
the way down from one node to the next. Values are from the view of the side to move and change sign from ply to ply;
what the caller gets is from the view of the searching player. A win is worth more than any evaluation, and one that
comes a ply sooner is worth 1 more.

    choose ──► visit ──► follow ──► visit …            no drift
               visit ──► expect ──► follow ──► visit … where the disc of who moves may drift

The text of these functions has three lives:
1. compiled: `jit/specialise` puts the capitals below into the functions as constants, so that a search pays nothing
   for what it does not use, and pastes `follow` and `expect` into `visit`;
2. in plain Python, where numba is switched off: the capitals are set the same way, and `state` is a record array;
3. in plain Python inside of a recorded search: `tree.Recorder` copies them into a namespace in which `visit`, `follow`,
   `expect` and `call_evaluator` are its own methods, which keep what they see and call the copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from tournament.engine.jit.calls import address_of, call_evaluator
from tournament.engine.jit.clocks import wall_clock
from tournament.engine.jit.specialise import JIT_DISABLED, bits_type, by_address, helper, specialise
from tournament.engine.ordering import arrange, reward
from tournament.engine.state import MOST_COLUMNS, MOST_OUTCOMES, NO_FAULT, NO_MOVE, STATE
from tournament.engine.transpositions import AT_LEAST, AT_MOST, EXACT, UNKNOWN, entry_at, slot
from tournament.engine.values import SCORE_LIMIT, WIN
from tournament.games.connect4 import Rules, count_lines, has_line, lowest, playable, popcount, word, words

CONNECT = 4
MOST_LINES = False  # the board is played full
DRIFTS = False
EXTENDED = False  # has a table, learns its move order, scouts, or has a budget
MARGIN = 1e-5  # more than the rounding of sums of values as large as a win
BETWEEN_LOOKS = 63  # at the clock, of positions generated


def visit(state: Any, mine: int, occupied: int, depth: int, alpha: float, beta: float, side: int) -> float:
    """The value of an undecided position for the side to move, whose discs are `mine`.

    value <= alpha:         the position is worth at most `value`
    alpha < value < beta:   it is worth exactly `value`
    beta <= value:          it is worth at least `value`

    `side` is 1 where the searching player is to move and -1 where the opponent is.
    """
    bottom = word(mine, state.bottom[0], state.bottom[1])
    moves = playable(occupied, bottom, word(mine, state.full[0], state.full[1]))
    tries = int(state.columns)
    floor = alpha
    if EXTENDED:
        only = int(state.alone) if depth == state.depth else 0
        first = NO_MOVE
        if state.table_size > 0 and depth > 1:  # the last ply is searched sooner than looked up
            low, high = words((occupied + bottom) | mine)  # marks each column's lowest empty cell, and my discs below
            entry = entry_at(state.table, slot(low, high, state.table_size))
            if entry.age == state.age and entry.low == low and entry.high == high:
                first = int(entry.move)
                if entry.depth == depth and depth < state.depth:
                    value, known = float(entry.value), int(entry.known)
                    if known == EXACT or (known == AT_LEAST and value >= beta) or (known == AT_MOST and value <= alpha):
                        return value
        tries = arrange(state, mine, occupied, moves, depth, side, first)
    whole = True
    if DRIFTS and state.tries[depth] < tries:
        whole = False
        state.tries[depth] = MOST_COLUMNS
    best = -math.inf
    best_index = NO_MOVE
    tried = 0
    for place in range(tries):
        index = int(state.sequence[depth, place]) if EXTENDED else place
        move = moves & word(mine, state.order[index, 0], state.order[index, 1])
        if not EXTENDED and move == 0:
            continue
        if EXTENDED and only != 0 and index + 1 != only:
            continue  # which another thread searches
        if EXTENDED and (state.generated & BETWEEN_LOOKS) == 0 and state.deadline > 0 and wall_clock() > state.deadline:
            state.stop = 1
        if EXTENDED and out_of_budget(state):
            return 0.0
        tried += 1
        bar = alpha
        if EXTENDED and depth == state.depth and index < best_index and state.use_pruning:
            # Moves may be tried out of order, and of equals the first in move order is chosen. A move that comes before
            # the best one in that order wins a tie, so a value that equals alpha must come back exact and not as "at
            # most alpha": the window opens one step below it.
            bar = np.nextafter(alpha, -math.inf)
        if DRIFTS and state.drifting[(side + 1) // 2]:
            value = expect(state, mine, occupied, moves, index, depth, bar, beta, side)
        else:
            top = beta
            if EXTENDED and not DRIFTS and state.use_scouts and best_index != NO_MOVE:
                top = np.nextafter(bar, math.inf)
            value = follow(state, mine, occupied, move, depth, bar, top, side)
            if EXTENDED and not DRIFTS and top <= value < beta:  # the scout found more than was known, and not how much
                value = follow(state, mine, occupied, move, depth, bar, beta, side)
        if EXTENDED and state.stopped:
            return 0.0
        if depth == state.depth:
            state.values[index] = value
            state.known[index] = EXACT if value > bar else AT_MOST
        if value > best:
            best = value
            best_index = index
        if state.use_pruning:
            if value > alpha:
                alpha = value
            if alpha >= beta:
                state.cutoffs += 1
                if EXTENDED:
                    reward(state, lowest(move), depth, side)
                break
        if DRIFTS and not whole:
            break
    state.expanded += 1
    state.untried += popcount(moves) - tried
    if EXTENDED and state.table_size > 0 and depth > 1:
        entry = entry_at(state.table, slot(low, high, state.table_size))
        entry.low, entry.high, entry.age = low, high, state.age
        entry.value, entry.depth, entry.move = best, depth, best_index
        entry.known = AT_LEAST if best >= beta or not whole else AT_MOST if best <= floor else EXACT
    return best


def follow(state: Any, mine: int, occupied: int, move: int, depth: int, alpha: float, beta: float, side: int) -> float:
    """The value, for the side to move, of the position after its disc has come to rest at `move`."""
    state.generated += 1
    after = mine | move
    filled = occupied | move
    other = filled ^ after
    stride, columns = int(state.stride), int(state.columns)
    full = filled == word(mine, state.full[0], state.full[1])
    if MOST_LINES:
        if full:
            state.ended = min(state.ended, depth)
            lead = count_lines(after, stride, columns, CONNECT) - count_lines(other, stride, columns, CONNECT)
            return float(state.win + depth if lead > 0 else -state.win - depth if lead < 0 else 0.0)
    elif has_line(after, stride, columns, CONNECT):
        state.ended = min(state.ended, depth)
        return float(state.win + depth)
    elif full:
        state.ended = min(state.ended, depth)
        return 0.0
    if depth > 1:
        return -visit(state, other, filled, depth - 1, -beta, -alpha, -side)
    state.evaluated += 1
    if side > 0:
        return call_evaluator(state, after, other, False)
    return -call_evaluator(state, other, after, True)


def expect(
    state: Any, mine: int, occupied: int, moves: int, index: int, depth: int, alpha: float, beta: float, side: int
) -> float:
    """The value of choosing a column where the disc may drift: the average over where it lands.

    It promises what `visit` does. What is not known yet is worth at most a win and at least a loss, so an outcome
    that is bad or good enough decides (Star1); the opponent's first reply to it may tighten that bound (Star2).
    """
    beside = 0
    for which in range(1, MOST_OUTCOMES):
        beside += landing(state, mine, moves, index, which) != 0
    chosen = state.chosen if beside > 0 else 1.0
    others = (1.0 - chosen) / max(beside, 1)
    most = WIN  # that the unknown outcomes are worth together
    for which in range(MOST_OUTCOMES):
        state.ceiling[depth, which] = WIN
        move = landing(state, mine, moves, index, which)
        if move != 0 and state.use_probes and depth > 1:
            if EXTENDED and out_of_budget(state):
                return 0.0
            likely = chosen if which == 0 else others
            low = (alpha - (most - likely * WIN) - MARGIN) / likely
            state.tries[depth - 1] = 1  # an argument to the `visit` below `follow`: try one move only
            value = follow(state, mine, occupied, move, depth, low, math.inf, side)
            state.tries[depth - 1] = MOST_COLUMNS
            if EXTENDED and state.stopped:
                return 0.0
            if value <= low:
                return alpha
            state.ceiling[depth, which] = value
            most -= likely * (WIN - value)
    total = 0.0
    rest = 1.0
    for which in range(MOST_OUTCOMES):
        move = landing(state, mine, moves, index, which)
        if move == 0:
            continue
        if EXTENDED and out_of_budget(state):
            return 0.0
        likely = chosen if which == 0 else others
        rest -= likely
        low, high = -math.inf, math.inf
        if state.use_pruning:
            most -= likely * state.ceiling[depth, which]
            low = (alpha - total - most - MARGIN) / likely
            high = (beta - total + rest * WIN + MARGIN) / likely
        value = follow(state, mine, occupied, move, depth, low, high, side)
        if value <= low:
            return alpha
        if value >= high:
            return beta
        total += likely * value
    return total


@helper
def landing(state: Any, like: int, moves: int, index: int, which: int) -> int:
    """Where the disc lands: in the chosen column (0) or beside it (1, 2); no bit where that is not open."""
    place = index if which == 0 else int(state.beside[index, which - 1])
    if place == NO_MOVE:
        return moves & 0
    return moves & word(like, state.order[place, 0], state.order[place, 1])


@helper
def out_of_budget(state: Any) -> bool:
    """Whether there is no room for a scout and its repetition; the first depth is always searched."""
    if state.reached > 0 and (state.stop != 0 or state.generated + 2 > state.most_generated):
        state.stopped = 1
    return bool(state.stopped != 0)


def choose(state: Any, mine: int, occupied: int) -> int:
    """Search from the root and return the place of the best move in the move order: the first of equals.

    The answer is that of the deepest search that was finished within the budget. It knows none of the capitals, so
    that one for boards of a width is compiled for all rules and options.
    """
    state.generated = state.expanded = state.evaluated = state.cutoffs = state.untried = 0
    state.reached = state.stopped = 0
    state.fault[4] = NO_FAULT
    if state.extended:
        state.killers[:] = NO_MOVE
        state.history[:] = 0.0
    if state.drifting[0] or state.drifting[1]:
        state.tries[:] = MOST_COLUMNS
    best = NO_MOVE
    for depth in range(1 if state.use_deepening else state.most_depth, state.most_depth + 1):
        state.depth = depth
        state.win = WIN - depth - 1  # to which `follow` adds the depth that is left
        state.ended = depth + 1
        evaluated = state.evaluated
        low, high = -math.inf, math.inf
        if state.aspiration > 0 and best != NO_MOVE:
            middle = float(state.answer[best])
            low = min(middle - state.aspiration, np.nextafter(middle, -math.inf))  # so that it is never empty
            high = max(middle + state.aspiration, np.nextafter(middle, math.inf))
        while True:
            for index in range(state.columns):
                state.known[index] = UNKNOWN
            value = visit(state, mine, occupied, depth, low, high, 1)
            if low < value < high or state.stopped:
                break
            if value <= low:
                low = -math.inf
            else:
                high = math.inf
        if state.stopped:
            break
        state.reached = depth
        state.deepest = depth if state.evaluated > evaluated else depth + 1 - state.ended
        best = NO_MOVE
        for index in range(state.columns):
            state.answer[index] = state.values[index]
            state.answered[index] = state.known[index]
            if state.known[index] == EXACT and (best == NO_MOVE or state.values[index] > state.values[best]):
                best = index
        if abs(value) >= SCORE_LIMIT and not (state.drifting[0] or state.drifting[1]):
            break  # the game is decided within this depth, and a deeper search says the same
    return best


class Kernel(NamedTuple):
    """A search, compiled: from the root, and from any node below it; `choose` finds that at the state's `visit`."""

    choose: Callable[[Any, int, int], int]
    visit: Callable[[Any, int, int, int, float, float, int], float]
    address: int  # of `visit`


def constants(rules: Rules, extended: bool) -> dict[str, Any]:
    """What the capitals above stand for in a search by these rules, with or without the improvements."""
    most_lines = rules.objective == "most-lines"
    return {"CONNECT": rules.connect, "MOST_LINES": most_lines, "DRIFTS": rules.drifts, "EXTENDED": extended}


def compiled(rules: Rules, extended: bool) -> Callable[[Any, int, int], int]:
    """`choose`, compiled for boards of this width and lines of this length, with or without the improvements."""
    return kernel(rules, extended).choose


@cache
def kernel(rules: Rules, extended: bool) -> Kernel:
    """The functions of a search, compiled for these rules, with or without the improvements."""
    return _kernel(bits_type(rules.bits), *constants(rules, extended).items())


@cache
def _kernel(bits: Any, *named: tuple[str, Any]) -> Kernel:
    signature = _of_visit(bits)
    variant = "_".join(map(str, (*(constant for _, constant in named), bits)))
    node = specialise(visit, signature, variant, dict(named), parts=(follow, expect))
    from_root = specialise(choose, None, variant, {"visit": node}) if JIT_DISABLED else root(bits)
    return Kernel(from_root, node, address_of(node, signature))


def _of_visit(bits: Any) -> Any:
    """The signature of `visit` on boards of this width."""
    value = types.float64
    return value(from_dtype(STATE), bits, bits, types.int64, value, value, types.int64)


@cache
def root(bits: Any) -> Callable[[Any, int, int], int]:
    """`choose` for boards of this width, whatever the `visit` that its state names."""
    below = by_address(visit, _of_visit(bits), "visit")
    return specialise(choose, types.int64(from_dtype(STATE), bits, bits), str(bits), {"visit": below})
