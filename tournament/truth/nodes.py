"""The search of the solver: whether a position is worth more than a number, by null windows.

A value is a score in the usual notation, for the side to move: 0 is a draw, 1 a win with its last disc, 2 with the one
before that, and so on; below 0 the same for the other side. Every call answers one question, 'is it more than alpha?':
what `visit` returns is above alpha and at most the value, or at most alpha and at least the value.

A node is a position in which nobody can win at once and the side to move has a move that does not lose at once:
whatever is forced is played before, in `settle`. So each side's winning cells are known when a node is begun, and a
child costs one look for lines.

The constants below are replaced by those of the board when it is compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tournament.engine.jit.records import prefetch, records
from tournament.games.connect4 import has_line, playable, popcount, together, united, words

# Of the board: replaced in `compiled`.
ROWS = COLUMNS = CONNECT = STRIDE = CELLS = BITS = FULL = BOTTOM = HALF = KEY_MASK = HIGH_MASK = 0
LOWER = UPPER = 0  # the rows that each gets where every disc of the mover is followed by one on top of it
PARITY: tuple[int, ...] = ()  # the cells in which the first and the second to move like a winning cell to be
COLUMN_CELLS: tuple[int, ...] = ()  # each column's bits, from the middle outwards
MIRROR_PLIES = 0  # up to where mirror images are looked up as one
TABLE_PLIES = 0  # up to where positions are looked up
ODD = 0x9E3779B97F4A7C15 - (1 << 64)  # an odd number without a pattern, as a signed word

BOUND_BITS, WORK_BITS = 7, 6
BOUND_MASK, WORK_MASK = (1 << BOUND_BITS) - 1, (1 << WORK_BITS) - 1
WORK_AT = 2 * BOUND_BITS
REST_AT = WORK_AT + WORK_BITS
REST_MASK = (1 << 63 - REST_AT) - 1
ZERO = 1 << BOUND_BITS - 1  # what a bound of 0 is kept as
NODE = 1000  # no value: there is something to search

STATE = np.dtype(
    [
        ("table", np.int64),  # its address
        ("buckets", np.int64),  # the bits of a bucket's number
        ("frames", np.int64),  # their address
        ("nodes", np.int64),
        ("most_nodes", np.int64),
        ("deadline", np.float64),
        ("look_at", np.int64),  # the number of nodes at which budget and clock are looked at next
        ("stopped", np.int64),
    ]
)
FRAME = np.dtype(  # a position to be searched
    [
        ("mine", np.int64),
        ("mask", np.int64),
        ("plies", np.int64),
        ("my_wins", np.int64),
        ("their_wins", np.int64),
        ("key", np.int64),
        ("sign", np.int64),  # whose value it is: 1 where the side to move is that of the position before
        ("rank", np.int64),
    ]
)
WORD = np.dtype([("word", np.int64)])
LOOK_EVERY = 5_000  # nodes, about a millisecond

state_at = records(STATE)
frame_at = records(FRAME)
word_at = records(WORD)


def now() -> float:
    """The clock: replaced when it is compiled."""
    return 0.0


def winning(discs: int, empty: int) -> int:
    """The empty cells that would complete a line of these discs."""
    if CONNECT > COLUMNS:  # lines stand upright, and in other directions they might be longer than a word
        return completing(discs, 1) & empty
    if CONNECT > ROWS:
        return completing(discs, STRIDE) & empty
    found = 0
    for shift in together(discs, STRIDE):
        found |= completing(discs, shift)
    return united(found) & empty


def completing(discs: int, shift: int) -> int:
    """The cells that would complete a line in one direction, whatever stands there."""
    if CONNECT == 4:
        before, after = discs << shift, discs >> shift
        two_before, two_after = before & (discs << 2 * shift), after & (discs >> 2 * shift)
        return two_before & (after | discs << 3 * shift) | two_after & (before | discs >> 3 * shift)
    found = 0
    for gap in range(CONNECT):
        line = -1
        for step in range(1, CONNECT - gap):
            line &= discs >> step * shift
        for step in range(1, gap + 1):
            line &= discs << step * shift
        found |= line
    return found


def has_room(cells: int) -> bool:
    """Whether a line fits into these cells."""
    return has_line(cells, STRIDE, COLUMNS, CONNECT)


def key_of(mine: int, mask: int, plies: int) -> int:
    """A number for the position, the same for its mirror image while there are few discs, in which bits are mixed."""
    key = mine + mask
    if plies < MIRROR_PLIES:
        mirrored = 0
        for column in range(COLUMNS):
            bits = (key >> column * STRIDE) & ((1 << STRIDE) - 1)
            mirrored |= bits << (COLUMNS - 1 - column) * STRIDE
        key = min(key, words(mirrored)[0])
    key ^= (key >> HALF) & HIGH_MASK
    key = words((key * ODD) & KEY_MASK)[0]
    return key ^ (key >> HALF) & HIGH_MASK


def settle(frame: Any, theirs: int, mover: int, mask: int, plies: int, my_wins: int, their_wins: int) -> int:
    """Play what is forced from here, and write the node that is reached to `frame`; or say what the position is worth.

    Returns the value for who made the last move, or NODE. Nobody who is to move can win at once.
    """
    sign = -1
    while True:
        if plies == CELLS:
            return 0
        cells = playable(mask, BOTTOM, FULL)
        forced = cells & their_wins
        if forced == 0:
            if cells & ~(their_wins >> 1) == 0:
                return -sign * ((CELLS - plies) >> 1)
            if plies >= CELLS - 2:
                return 0
            frame.mine = mover
            frame.mask = mask
            frame.plies = plies
            frame.my_wins = my_wins
            frame.their_wins = their_wins
            frame.sign = sign
            return NODE
        if forced & (forced - 1) != 0 or forced & (their_wins >> 1) != 0:
            return -sign * ((CELLS - plies) >> 1)
        mask |= forced
        mine = mover | forced
        mover, theirs = theirs, mine
        my_wins, their_wins = their_wins & ~forced, winning(mine, FULL & ~mask)
        plies += 1
        sign = -sign


def bucket_of(state: Any, key: int) -> int:
    return (key & ((1 << int(state.buckets)) - 1)) * 2


def look_up(state: Any, key: int) -> int:
    """What the table holds of this key: a word with two bounds, or 0."""
    bucket = bucket_of(state, key)
    rest = (key >> int(state.buckets)) & REST_MASK
    found = int(word_at(state.table, bucket).word)
    if found >> REST_AT == rest and found != 0:
        return found
    found = int(word_at(state.table, bucket + 1).word)
    if found >> REST_AT == rest and found != 0:
        return found
    return 0


def keep(state: Any, key: int, lower: int, upper: int, work: int) -> None:
    """Write bounds of a position to the table, in place of the older or the cheaper of two."""
    bucket = bucket_of(state, key)
    rest = (key >> int(state.buckets)) & REST_MASK
    first, second = word_at(state.table, bucket), word_at(state.table, bucket + 1)
    one, two = int(first.word), int(second.word)
    known = 0
    to_first = True
    if one >> REST_AT == rest and one != 0:
        known = one
    elif two >> REST_AT == rest and two != 0:
        known = two
        to_first = False
    elif work >= (one >> WORK_AT) & WORK_MASK:
        second.word = one
    else:
        to_first = False
    if known != 0:
        lower = max(lower, (known & BOUND_MASK) - ZERO)
        upper = min(upper, ((known >> BOUND_BITS) & BOUND_MASK) - ZERO)
        work = max(work, (known >> WORK_AT) & WORK_MASK)
    word = rest << REST_AT | work << WORK_AT | (upper + ZERO) << BOUND_BITS | (lower + ZERO)
    if to_first:
        first.word = word
    else:
        second.word = word


def work_of(nodes: int) -> int:
    """How much work so many nodes were, in a few bits."""
    work = 0
    while nodes > 0:
        nodes >>= 1
        work += 1
    return work


def visit(state_address: int, index: int, alpha: int) -> int:
    """Whether the node in frame `index` is worth more than alpha: a bound of its value on the right side of alpha."""
    state = state_at(state_address, 0)
    state.nodes += 1
    before = int(state.nodes)
    if before >= state.look_at:
        if before >= state.most_nodes or now() >= state.deadline:
            state.stopped = 1
        state.look_at = min(before + LOOK_EVERY, state.most_nodes)
    if state.stopped != 0:
        return alpha
    frame = frame_at(state.frames, index)
    mine, mask, plies = int(frame.mine), int(frame.mask), int(frame.plies)
    their_wins = int(frame.their_wins)
    theirs = mine ^ mask
    cells = playable(mask, BOTTOM, FULL) & ~(their_wins >> 1)
    first_child = (plies + 1) * COLUMNS
    children = 0
    best = -((CELLS - 2 - plies) >> 1)
    good = PARITY[plies & 1]
    for column in range(COLUMNS):
        move = cells & COLUMN_CELLS[column]
        if move == 0:
            continue
        after, discs = mask | move, mine | move
        wins = winning(discs, FULL & ~after)
        child = frame_at(state.frames, first_child + children)
        value = settle(child, discs, theirs, after, plies + 1, their_wins & ~move, wins)
        if value == NODE:
            child_mine, child_mask, child_plies = int(child.mine), int(child.mask), int(child.plies)
            empty = FULL & ~child_mask
            child_theirs = child_mine ^ child_mask
            most = (CELLS - 1 - child_plies) >> 1
            least = -((CELLS - 2 - child_plies) >> 1)
            asked = alpha if child.sign > 0 else -alpha - 1  # of the child; what can't answer it is not looked for
            if asked >= -1:
                if not has_room(child_mine | empty):
                    most = 0
                elif (child_mask + BOTTOM) & UPPER == 0 and not has_room(child_mine | LOWER & empty):
                    # Each column has an even number of empty cells, and each disc can be followed by one on top of it.
                    most = -1 if has_room(child_theirs | UPPER & empty) else 0
            if asked < 0 and not has_room(child_theirs | empty):
                least = 0
            if child.sign < 0:
                least, most = -most, -least
            if least > alpha:
                return least
            if most > alpha:
                if child_plies < TABLE_PLIES:
                    child.key = key_of(child_mine, child_mask, child_plies)
                    prefetch(state.table + bucket_of(state, child.key) * 8)
                child.rank = (2 * popcount(wins) + popcount(wins & good)) << 8 | COLUMNS - column
                children += 1
            else:
                best = max(best, most)
        elif value > alpha:
            return value
        else:
            best = max(best, value)
    for number in range(children):
        child = frame_at(state.frames, first_child + number)
        if child.plies < TABLE_PLIES:
            found = look_up(state, int(child.key))
            if found != 0:
                lower = (found & BOUND_MASK) - ZERO
                upper = ((found >> BOUND_BITS) & BOUND_MASK) - ZERO
                if child.sign < 0:
                    lower, upper = -upper, -lower
                if lower > alpha:
                    return lower
                if upper <= alpha:
                    best = max(best, upper)
                    child.rank = -1
    for _ in range(children):
        chosen = -1
        rank = -1
        for number in range(children):
            child = frame_at(state.frames, first_child + number)
            if child.rank > rank:
                rank = child.rank
                chosen = number
        if chosen < 0:
            break
        child = frame_at(state.frames, first_child + chosen)
        child.rank = -1
        state.nodes += child.plies - plies - 1  # those on the way, whose moves were forced
        if child.sign < 0:
            value = -visit(state_address, first_child + chosen, -alpha - 1)
        else:
            value = visit(state_address, first_child + chosen, alpha)
        if state.stopped != 0:
            return alpha
        if value > alpha:
            if plies < TABLE_PLIES:
                keep(state, int(frame.key), value, (CELLS - 1 - plies) >> 1, work_of(state.nodes - before))
            return value
        best = max(best, value)
    if plies < TABLE_PLIES:
        keep(state, int(frame.key), -((CELLS - 2 - plies) >> 1), best, work_of(state.nodes - before))
    return best
