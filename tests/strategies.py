"""What Hypothesis draws: rules, and undecided positions on them."""

from __future__ import annotations

import naive
from hypothesis import strategies as st

from tournament.position import Position, read_position
from tournament.rules import Rules

STANDARD = Rules(6, 7, 4)
SMALL = Rules(4, 5, 3)
WORD = Rules(7, 8, 4)  # all 64 bits of one word
WIDE = Rules(8, 8, 4)  # 72 bits: two words
LARGE = Rules(10, 11, 5)  # 121 bits
ROW = Rules(1, 9, 3)
COLUMN = Rules(5, 1, 3)
TINY = Rules(2, 3, 2)
FEW = (STANDARD, SMALL, WIDE)
# Few of them, as each costs its compilation: the search by connect and width, an evaluator by all of it.
MANY = (*FEW, WORD, LARGE, ROW, COLUMN, TINY)


@st.composite
def positions(draw: st.DrawFn, among: tuple[Rules, ...] = MANY) -> Position:
    """An undecided position, either played with alternating discs or with any discs and either side to move."""
    rules = draw(st.sampled_from(among))
    is_played = draw(st.booleans())
    tries = draw(st.integers(0, rules.rows * rules.columns))
    discs = st.tuples(st.integers(0, rules.columns - 1), st.sampled_from("X" if is_played else "XO"))
    board, side = naive.empty(rules.rows, rules.columns), "X"
    for column, disc in draw(st.lists(discs, min_size=tries, max_size=tries)):
        mover = side if is_played else disc
        if naive.is_open(board, column):
            after = naive.drop(board, column, mover)
            if not naive.has_line(after, mover, rules.connect) and not naive.is_full(after):
                board, side = after, naive.OTHER[mover]
    return read_position(f"{naive.write(board)} {side}", rules)
