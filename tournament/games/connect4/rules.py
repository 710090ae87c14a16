"""The rules of a game: the size of the board, how many make a line, what wins, and whether discs drift.

A board is kept in the bits of one integer, column by column from the left, each column from the
bottom, with one bit more than there are rows. That spare bit always stays 0, so that a line never
runs on from the top of one column into the bottom of the next. For 6 rows and 7 columns:

       6 13 20 27 34 41 48      the spare row
      ---------------------
       5 12 19 26 33 40 47      the top row
       4 11 18 25 32 39 46
       3 10 17 24 31 38 45
       2  9 16 23 30 37 44
       1  8 15 22 29 36 43
       0  7 14 21 28 35 42      the bottom row

One cell up is one bit further, one cell to the right `stride` bits further (rows + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tournament.errors import RulesError
from tournament.options import choices, option
from tournament.text import nearest

Objective = Literal["first-line", "most-lines"]
DriftPlayers = Literal["both", "first", "second"]

MOST_BITS = 128  # two machine words: what the search keeps a board in


@dataclass(frozen=True)
class Rules:
    """Rows, columns, connect (how many make a line), the objective and the drift, checked.

    By `most-lines` the board is played full, and whoever has more lines wins. A disc that drifts lands in the
    chosen column with probability `drift`, otherwise in an open neighbour of it.
    """

    rows: int = option(6, label="Rows", least=1, most=MOST_BITS // 2 - 1, help="Rows of the board.")
    columns: int = option(7, label="Columns", least=1, most=MOST_BITS // 2, help="Columns of the board.")
    connect: int = option(4, label="In a line", least=2, most=MOST_BITS // 2, help="How many make a line.")
    objective: Objective = option(
        "first-line",
        label="Who wins",
        choice_labels={"first-line": "the first line", "most-lines": "most lines, board full"},
        help="What wins: first-line, or most-lines when the board is full.",
    )
    drift: float = option(
        1.0,
        label="Lands as chosen, probability",
        least=0.01,
        most=1,
        step=0.01,
        help="The probability that a disc lands in the chosen column, otherwise in an open neighbour.",
    )
    drift_players: DriftPlayers = option(
        "both", label="Whose discs drift", help="Whose discs drift: both, first or second."
    )

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise RulesError(f"a board of {self} has no cells: rows and columns must be at least 1.")
        if self.bits > MOST_BITS:
            raise RulesError(
                f"a board of {self} needs {self.bits} bits: (rows + 1) × columns must be at most {MOST_BITS}."
            )
        if self.connect < 2:
            raise RulesError(f"connect is {self.connect}: a line has at least 2 discs.")
        if self.connect > max(self.rows, self.columns):
            raise RulesError(
                f"connect is {self.connect}, but no line of a board of {self} is longer than "
                f"{max(self.rows, self.columns)}: choose a smaller connect or a larger board."
            )
        if not 0 < self.drift <= 1:
            raise RulesError(
                f"drift is {self.drift:g}: the probability that a disc lands in the chosen column is more than 0 and "
                "at most 1."
            )
        for name, known in choices(Rules).items():
            if (value := getattr(self, name)) not in known:
                what = name.replace("_", "-")
                raise RulesError(f"{what} is `{value}`{nearest(value, known)} Known are {', '.join(known)}.")

    def __str__(self) -> str:
        return f"{self.rows}×{self.columns}"

    @property
    def described(self) -> str:
        """All of the rules in a few words."""
        return ", ".join([str(self), f"connect {self.connect}", *self.variant])

    @property
    def variant(self) -> list[str]:
        """What they have besides the size of the board and of a line: nothing, as a rule."""
        told = []
        if self.objective != "first-line":
            told.append("most lines win")
        if self.drifts:
            whose = "" if self.drift_players == "both" else f" of the {self.drift_players} player"
            told.append(f"discs{whose} drift, {self.drift:g} in the chosen column")
        return told

    @property
    def drifts(self) -> bool:
        """Whether anybody's discs may land beside the chosen column."""
        return self.drift < 1 and self.columns > 1

    @property
    def bits(self) -> int:
        """The bits a board takes, the spare row included."""
        return (self.rows + 1) * self.columns

    @property
    def stride(self) -> int:
        """The distance in bits from a cell to its neighbour on the right."""
        return self.rows + 1

    @cached_property
    def bottom(self) -> int:
        """The bits of the bottom row."""
        return sum(1 << column * self.stride for column in range(self.columns))

    @cached_property
    def full(self) -> int:
        """The bits of every cell."""
        return self.bottom * ((1 << self.rows) - 1)

    def column(self, column: int) -> int:
        """The bits of one column's cells."""
        return ((1 << self.rows) - 1) << column * self.stride

    def cell(self, row: int, column: int) -> int:
        """The bit of one cell; row 0 is at the bottom."""
        return 1 << column * self.stride + row


STANDARD = Rules()
