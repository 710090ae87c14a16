"""Fast features for evaluators. Ask for `position` and pass it on:

    from tournament.toolkit import open_windows, swap

    def evaluate(position):
        return open_windows(position, 3) - open_windows(swap(position), 3)

Every feature is about *my* discs; `swap` gives the opponent's side. A window is `connect` cells in a
line; it is open for me while it holds none of theirs. All of it works on whole boards at once, bit by
bit in parallel, compiled or in plain Python, on boards of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tournament.games.connect4.bitboard import (
    directions,
    has_line,
    least,
    lines,
    lowest,
    playable,
    popcount,
    summed,
    together,
    united,
    word,
    words,
)
from tournament.games.connect4.position import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "bit_planes",
    "blocked_windows",
    "centre_discs",
    "count",
    "discs",
    "discs_in_column",
    "open_ends",
    "open_windows",
    "playable_cells",
    "playable_threats",
    "swap",
    "threat_cells",
    "threats",
    "weigh_lines_through",
    "weigh_planes",
    "weigh_squares",
    "weigh_windows",
    "wins",
]


# ── whole boards ─────────────────────────────────────────────────────────────────────────────────


def swap(position: View) -> View:
    """The same position from the opponent's side."""
    return View(position.theirs, position.mine, not position.my_turn, position.rules)


def count(cells: int) -> int:
    """The number of cells in a set of cells."""
    return popcount(cells)


def all_cells(position: View) -> int:
    """Every cell of the board."""
    rows = position.rules.rows
    cells = zero = position.mine & 0  # in the width of this board
    for column in range(position.rules.columns):
        cells |= ((zero + 1 << rows) - 1) << column * (rows + 1)
    return cells


def fits(position: View, length: int, shift: int) -> bool:
    """Whether so many cells in a row, one every `shift` bits, can lie on the board; of several, whether one can."""
    return (length - 1) * least(shift) < position.rules.columns * (position.rules.rows + 1)


def playable_cells(position: View) -> int:
    """The cells where the next disc can come to rest, one for each column that is not full."""
    cells = all_cells(position)
    bottom = cells & ~(cells << 1)
    return playable(position.mine | position.theirs, bottom, cells)


# ── discs ────────────────────────────────────────────────────────────────────────────────────────


def discs(position: View) -> int:
    """How many discs I have."""
    return popcount(position.mine)


def discs_in_column(position: View, column: int) -> int:
    """How many discs I have in a column; columns count from 0."""
    rows = position.rules.rows
    one = (position.mine & 0) + 1
    return popcount(position.mine & ((one << rows) - 1) << column * (rows + 1))


def centre_discs(position: View) -> int:
    """How many discs I have in the middle column, or in the middle two where their number is even."""
    columns = position.rules.columns
    middle = discs_in_column(position, columns // 2)
    if columns % 2 == 0:
        middle += discs_in_column(position, columns // 2 - 1)
    return middle


def weigh_squares(position: View, weights: NDArray[Any]) -> Any:
    """The sum of the weights of the cells I hold: a numpy array of the board's shape, row 0 at the bottom."""
    stride = position.rules.rows + 1
    cells = position.mine
    total = weights[0, 0] * 0
    while cells != 0:
        index = lowest(cells)
        total += weights[index % stride, index // stride]
        cells &= cells - 1
    return total


class Planes(NamedTuple):
    """Weights of squares on a board of so many rows: each digit's worth, and the cells that have it as two words."""

    rows: int
    digits: tuple[tuple[int, int, int], ...]


def bit_planes(weights: NDArray[Any]) -> Planes:
    """Whole weights of squares, as `weigh_squares` takes them, made ready for `weigh_planes`.

    To be called once, outside of `evaluate`. The cells whose weight has a 1, a 2, a 4 … in it are counted at once,
    so it takes as many counts as the largest weight has binary digits; negative weights have planes of their own.
    """
    stride = len(weights) + 1
    planes: dict[int, int] = {}
    for row, of_row in enumerate(weights.tolist()):
        for column, weight in enumerate(of_row):
            if not isinstance(weight, int):
                raise TypeError(f"bit planes are of whole weights, and {weight} is none: use weigh_squares")
            for digit in range(weight.bit_length()):
                if abs(weight) >> digit & 1:
                    worth = 1 << digit if weight > 0 else -1 << digit
                    planes[worth] = planes.get(worth, 0) | 1 << column * stride + row
    return Planes(
        len(weights), tuple((worth, *words(cells)) for worth, cells in sorted(planes.items())) or ((0, 0, 0),)
    )


def weigh_planes(position: View, planes: Planes) -> int:
    """The sum of the weights of the cells I hold, which `bit_planes` has made ready: the fast `weigh_squares`."""
    if planes.rows != position.rules.rows:
        raise IndexError("bit planes of a board with another number of rows")
    total = 0
    for worth, low, high in planes.digits:
        total += worth * popcount(position.mine & word(position.mine, low, high))
    return total


def weigh_lines_through(position: View) -> int:
    """The sum, over my discs, of how many windows of the empty board go through their cells."""
    connect = position.rules.connect
    cells = all_cells(position)
    total = 0
    for shift in together(cells, position.rules.rows + 1):
        if not fits(position, connect, shift):
            continue
        starts = lines(cells, shift, connect)
        for step in range(connect):
            total += popcount(position.mine & starts << step * shift)
    return summed(total)


# ── windows ──────────────────────────────────────────────────────────────────────────────────────

MOST_COUNTED = 15  # discs in a window, in four bits; longer windows are gone through one by one


def discs_in_windows(cells: int, shift: int, connect: int) -> tuple[int, int, int, int]:
    """The number of `cells` in each window along `shift`, as the four bits of a number: 1s, 2s, 4s, 8s.

    A window is known by its first cell. Windows of one cell are added to their neighbours to make
    windows of two, then of four and eight, and what is missing to `connect` one by one.
    """
    zero = cells & 0
    ones, twos, fours, eights = cells, zero, zero, zero
    run = 1
    while 2 * run <= connect:
        by = run * shift
        ones, twos, fours, eights = add_numbers(
            ones, twos, fours, eights, ones >> by, twos >> by, fours >> by, eights >> by
        )
        run *= 2
    while run < connect:
        ones, twos, fours, eights = add_numbers(ones, twos, fours, eights, cells >> run * shift, zero, zero, zero)
        run += 1
    return ones, twos, fours, eights


def add_numbers(a1: int, a2: int, a4: int, a8: int, b1: int, b2: int, b4: int, b8: int) -> tuple[int, int, int, int]:
    """The sums of four-bit numbers, one number in each bit position, none above 15."""
    carry = a1 & b1
    half = a2 ^ b2
    s2 = half ^ carry
    carry = (a2 & b2) | (half & carry)
    half = a4 ^ b4
    s4 = half ^ carry
    carry = (a4 & b4) | (half & carry)
    return a1 ^ b1, s2, s4, a8 ^ b8 ^ carry


def with_number(windows: int, number: int, most: int, ones: int, twos: int, fours: int, eights: int) -> int:
    """Those of `windows` whose number, in four bits, is this one, given that none exceeds `most`."""
    for bit, plane in ((1, ones), (2, twos), (4, fours), (8, eights)):
        if number & bit:
            windows &= plane
        elif number + bit <= most:  # else no window with that bit set has the other bits of `number` too
            windows &= ~plane
    return windows


def weigh_windows(position: View, weights: tuple[int, ...]) -> int:
    """The sum, over the windows open for me, of the weight for the number of my discs in it.

    `weights[k]` is for k discs, and the last of them for that number and more. `weights[0]` must be
    there and is not used: an empty window belongs to nobody.
    """
    connect = position.rules.connect
    free = all_cells(position) & ~position.theirs
    total = 0
    if connect > MOST_COUNTED:
        for number in range(1, connect + 1):
            total += weights[min(number, len(weights) - 1)] * long_windows(position, free, number)
        return total
    for shift in together(free, position.rules.rows + 1, weights[0]):
        if not fits(position, connect, shift):
            continue
        ones, twos, fours, eights = discs_in_windows(position.mine, shift, connect)
        windows = lines(free, shift, connect)
        for number in range(1, connect + 1):
            found = with_number(windows, number, connect, ones, twos, fours, eights)
            total += weights[min(number, len(weights) - 1)] * popcount(found)
    return summed(total)


def open_windows(position: View, number: int) -> int:
    """How many windows hold exactly `number` of my discs and none of theirs."""
    free = all_cells(position) & ~position.theirs
    return windows_among(position, free, number)


def blocked_windows(position: View) -> int:
    """How many windows of theirs, complete but for one cell, are blocked by a disc of mine in that cell."""
    return windows_among(position, position.mine | position.theirs, 1)


def windows_among(position: View, cells: int, number: int) -> int:
    """How many windows of these cells hold exactly `number` of my discs."""
    connect = position.rules.connect
    if number > connect:
        return 0
    if connect > MOST_COUNTED:
        return long_windows(position, cells, number)
    total = 0
    for shift in together(cells, position.rules.rows + 1):
        if not fits(position, connect, shift):
            continue
        ones, twos, fours, eights = discs_in_windows(position.mine, shift, connect)
        windows = lines(cells, shift, connect)
        total += popcount(with_number(windows, number, connect, ones, twos, fours, eights))
    return summed(total)


def long_windows(position: View, cells: int, number: int) -> int:
    """The same for windows too long to be counted in four bits: they are gone through one by one."""
    connect = position.rules.connect
    total = 0
    for shift in directions(position.rules.rows + 1):
        if not fits(position, connect, shift):
            continue
        windows = lines(cells, shift, connect)
        while windows != 0:
            first = windows & -windows
            windows &= ~first
            discs = 0
            for step in range(connect):
                discs += popcount(position.mine & first << step * shift)
            if discs == number:
                total += 1
    return total


# ── threats and runs ─────────────────────────────────────────────────────────────────────────────


def wins(position: View) -> bool:
    """Whether I have a line."""
    return has_line(position.mine, position.rules.rows + 1, position.rules.columns, position.rules.connect)


def threat_cells(position: View) -> int:
    """The empty cells that would complete a line of mine."""
    connect = position.rules.connect
    empty = all_cells(position) & ~(position.mine | position.theirs)
    threatened = position.mine & 0
    for shift in together(empty, position.rules.rows + 1):
        if not fits(position, connect, shift):
            continue
        for before in range(connect):
            line = empty  # `before` discs lead up to the cell, the rest follow it
            for step in range(1, before + 1):
                line &= position.mine << step * shift
            for step in range(1, connect - before):
                line &= position.mine >> step * shift
            threatened |= line
    return united(threatened)


def threats(position: View) -> int:
    """How many empty cells would complete a line of mine."""
    return popcount(threat_cells(position))


def playable_threats(position: View) -> int:
    """How many of my threats can be played now: their cell is the next of its column."""
    return popcount(threat_cells(position) & playable_cells(position))


def open_ends(position: View, length: int) -> int:
    """How often a run of at least `length` of my discs ends at an empty cell.

    A cell counts once for each direction it is touched from: from below, from either side, and from
    both ends of both diagonals.
    """
    empty = all_cells(position) & ~(position.mine | position.theirs)
    total = 0
    for shift in together(empty, position.rules.rows + 1):
        if not fits(position, length + 1, shift):
            continue
        from_below = empty
        from_above = empty
        for step in range(1, length + 1):
            from_below &= position.mine << step * shift
            from_above &= position.mine >> step * shift
        total += popcount(from_below)
        if shift != 1:  # upwards there is none: no disc rests on an empty cell
            total += popcount(from_above)
    return summed(total)
