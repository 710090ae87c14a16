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


def together(bits: int, stride: int, factor: float = 1) -> tuple[int, ...]:
    """The four directions in which boards like `bits` are gone through: `for shift in together(...)`.

    Compiled for boards of one word, they come as one value, and what is computed from it has a lane for each:
    `jit/lanes`. So what was found on the way goes through one of the next three functions before it is returned.
    `factor` is of the kind that counts are multiplied by: fractions are added up one direction after the other.
    """
    return directions(stride)


def summed(found: int) -> int:
    """The sum over the directions that are gone through at once."""
    return found


def united(found: int) -> int:
    """The bits found in any of the directions that are gone through at once."""
    return found


def least(found: int) -> int:
    """The smallest over the directions that are gone through at once."""
    return found


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
    if connect > columns:
        return lines(bits, 1, connect) != 0
    for shift in together(bits, stride):
        if lines(bits, shift, connect) != 0:
            return True
    return False


def count_lines(bits: int, stride: int, columns: int, connect: int) -> int:
    """How many sets of `connect` cells in a line there are: six in a row are three lines of four."""
    if connect > columns:
        return popcount(lines(bits, 1, connect))
    found = 0
    for shift in together(bits, stride):
        found += popcount(lines(bits, shift, connect))
    return summed(found)


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
