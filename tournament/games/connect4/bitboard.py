"""Bitboard arithmetic, the only place where bits are counted and lines are found.

Plain functions on plain integers: they run as they stand in Python, on boards of any size, and
`jit` compiles the same text for boards of one machine word and of two. `rules` draws the layout.
"""

from __future__ import annotations

WORD = 64
WORD_MASK = (1 << WORD) - 1


def popcount(bits: int) -> int:
    """The number of bits that are set."""
    return bits.bit_count()


def lowest(bits: int) -> int:
    """The index of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def word(like: int, low: int, high: int) -> int:
    """The board in these two signed words; compiled, in the type of `like`, which may need only the first."""
    return (int(low) & WORD_MASK) | (int(high) << WORD)


def words(bits: int) -> tuple[int, int]:
    """A board as two signed words, low first: what `word` takes."""
    low, high = bits & WORD_MASK, (bits >> WORD) & WORD_MASK
    return low - ((low >> WORD - 1) << WORD), high - ((high >> WORD - 1) << WORD)


def directions(stride: int) -> tuple[int, int, int, int]:
    """The bit distances to the neighbours above, lower right, right and upper right."""
    return (1, stride - 1, stride, stride + 1)


def lines(bits: int, shift: int, length: int) -> int:
    """The cells at which `length` set bits in a row begin, one every `shift` bits.

    They must fit into the board: compiled code can't shift by more bits than a board has.
    """
    run = 1
    while 2 * run <= length:
        bits = bits & (bits >> run * shift)
        run *= 2
    if run < length:
        bits = bits & (bits >> (length - run) * shift)
    return bits


def has_line(bits: int, stride: int, columns: int, connect: int) -> bool:
    """Whether there are `connect` in a line."""
    if lines(bits, 1, connect) != 0:
        return True
    if connect > columns:
        return False
    for shift in (stride - 1, stride, stride + 1):
        if lines(bits, shift, connect) != 0:
            return True
    return False


def count_lines(bits: int, stride: int, columns: int, connect: int) -> int:
    """How many sets of `connect` cells in a line there are: six in a row are three lines of four."""
    found = popcount(lines(bits, 1, connect))
    if connect <= columns:
        for shift in (stride - 1, stride, stride + 1):
            found += popcount(lines(bits, shift, connect))
    return found


def line_cells(bits: int, stride: int, columns: int, connect: int) -> int:
    """The cells that stand in a line, in whichever direction."""
    found = 0
    for shift in directions(stride):
        if shift == 1 or connect <= columns:
            begin = lines(bits, shift, connect)
            for step in range(connect):
                found |= begin << step * shift
    return found


def playable(occupied: int, bottom: int, full: int) -> int:
    """The cells where a disc would come to rest, one for each column that is not full."""
    return (occupied + bottom) & full
