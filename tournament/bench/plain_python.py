"""The search as one would write it for an afternoon, in plain Python: what the engine's speed is measured against.

Left-to-right alpha-beta on a grid, with the evaluation of `windows`. It visits the very same tree, and the
benchmark checks that it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from tournament.games.connect4 import Rules

WEIGHTS = (0, 1, 5, 10, 100)
WIN = 1e9


@dataclass
class PlainSearch:
    """A board as a list of rows, and the counters of the search on it."""

    COUNTED: ClassVar = ("generated", "expanded", "evaluated", "cutoffs")

    rules: Rules
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    board: list[list[int]] = field(init=False)
    windows: list[list[tuple[int, int]]] = field(init=False)

    def __post_init__(self) -> None:
        rows, columns, connect = self.rules.rows, self.rules.columns, self.rules.connect
        self.board = [[0] * columns for _ in range(rows)]
        self.windows = [
            [(row + step * up, column + step * right) for step in range(connect)]
            for row in range(rows)
            for column in range(columns)
            for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
            if 0 <= row + up * (connect - 1) < rows and column + right * (connect - 1) < columns
        ]

    def search(self, depth: int, alpha: float = -math.inf, beta: float = math.inf, side: int = 1) -> float:
        """The value of the board for the side to move."""
        self.expanded += 1
        best = -math.inf
        for column in range(self.rules.columns):
            row = next((row for row in range(self.rules.rows) if self.board[row][column] == 0), None)
            if row is None:
                continue
            self.board[row][column] = side
            self.generated += 1
            best = max(best, self.value_after(row, column, depth, max(alpha, best), beta, side))
            self.board[row][column] = 0
            if best >= beta:
                self.cutoffs += 1
                break
        return best

    def value_after(self, row: int, column: int, depth: int, alpha: float, beta: float, side: int) -> float:
        """The value of the move just made for the side that made it."""
        if self.completes_line(row, column, side):
            return WIN + depth
        if all(cell for cell in self.board[-1]):
            return 0.0
        if depth > 1:
            return -self.search(depth - 1, -beta, -alpha, -side)
        self.evaluated += 1
        return side * self.evaluate()

    def completes_line(self, row: int, column: int, side: int) -> bool:
        """Whether the disc in this cell is part of a line."""
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            length = 1
            for direction in (1, -1):
                r, c = row + direction * up, column + direction * right
                while 0 <= r < self.rules.rows and 0 <= c < self.rules.columns and self.board[r][c] == side:
                    length += 1
                    r, c = r + direction * up, c + direction * right
            if length >= self.rules.connect:
                return True
        return False

    def evaluate(self) -> float:
        score = 0
        for window in self.windows:
            discs = [self.board[row][column] for row, column in window]
            if -1 not in discs:
                score += WEIGHTS[min(sum(discs), len(WEIGHTS) - 1)]
        return score
