"""How many positions the tree of a search has where nothing is pruned: what pruning is held against."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from numba import types

from tournament.engine.jit.specialise import as_bits, bits_type, specialise
from tournament.games.connect4 import Position, Rules, has_line, other_seat, playable

MOST_WALKED = 3e7  # positions: some tenths of a second

CONNECT = 4
MOST_LINES = False


def below(
    mover: int, occupied: int, depth: int, full: int, bottom: int, stride: int, columns: int, drifts: int, later: int
) -> int:
    """The positions below one that is undecided; `drifts` says whether the disc of who moves may, `later` the other's.

    Where a disc drifts, a cell is reached by choosing its column, or one beside it that is open.
    """
    moves = playable(occupied, bottom, full)
    other = occupied ^ mover
    column = full & ~(full << stride)  # the cells of the leftmost one
    found = 0
    while column != 0:
        move = moves & column
        if move != 0:
            ways = 1
            if drifts != 0:
                ways += int((moves & (column << stride)) != 0) + int((moves & (column >> stride)) != 0)
            found += ways
            filled = occupied | move
            if depth > 1 and filled != full and (MOST_LINES or not has_line(mover | move, stride, columns, CONNECT)):
                rest = below(other, filled, depth - 1, full, bottom, stride, columns, later, drifts)
                found += ways * rest
        column = (column << stride) & full
    return found


@cache
def _compiled(rules: Rules) -> Callable[..., int]:
    bits, number = bits_type(rules.bits), types.int64
    signature = number(bits, bits, number, bits, bits, *[number] * 4)
    constants = {"CONNECT": rules.connect, "MOST_LINES": rules.objective == "most-lines"}
    return specialise(below, signature, "_".join(map(str, (*constants.values(), bits))), constants)


def whole_tree(position: Position, depth: int) -> int | None:
    """The positions that are made below this one without pruning; None where they are too many to be walked."""
    rules = position.rules
    if (rules.columns * (3 if rules.drifts else 1)) ** (depth - 1) > MOST_WALKED:
        return None
    drifting = [rules.drift_players in ("both", seat) for seat in (position.to_move, other_seat(position.to_move))]
    boards = (as_bits(board, rules.bits) for board in (position.mover, position.occupied))
    whole = (as_bits(board, rules.bits) for board in (rules.full, rules.bottom))
    drifts = (int(rules.drifts and one) for one in drifting)
    return int(_compiled(rules)(*boards, depth, *whole, rules.stride, rules.columns, *drifts))
