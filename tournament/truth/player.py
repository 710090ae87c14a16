"""A move that keeps what a position is worth, of these the one that wins soonest or loses latest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.games.connect4 import Position, Rules
from tournament.truth.book import PLIES, book
from tournament.truth.judge import Judge
from tournament.truth.solver import Solver
from tournament.truth.verdict import plies_to_end

JUDGING_MB, COUNTING_MB = 128, 32  # of its two tables; the second is emptied before each move


class Chosen(NamedTuple):
    """A move, from 0, and what it is worth for who makes it."""

    column: int
    sign: int  # 1, 0 or -1
    plies: int | None = None  # to the end, the move counted; None where it is not known


class PerfectPlayer:
    """Plays one board perfectly.

    Whether a move keeps the value is the truth, whatever was solved before. How soon it ends is searched for with an
    empty table and within a number of nodes, so that the same is found whatever was played before, and wherever.
    """

    def __init__(self, rules: Rules, exact_nodes: int) -> None:
        self._rules, self._exact_nodes = rules, exact_nodes
        self._judge = Judge(rules, JUDGING_MB)
        self._judge.solver()  # now, and not in the middle of a game
        self._solver = Solver(rules, COUNTING_MB)

    def choose(self, position: Position, seconds: float | None = None) -> Chosen | None:
        """The move in an undecided position; None where it can't be found within so many seconds, or nearly so."""
        after = {column: position.play(column) for column in position.open_columns()}
        for column, reached in after.items():
            if reached.result is not None:
                return Chosen(column, 0 if reached.result == "draw" else 1, 1)
        sign = self._judge.sign(position, seconds=seconds)
        if sign is None:
            return None
        keeping: list[int] = []
        for column, reached in after.items():
            found = 1 if sign < 0 else self._judge.sign(reached, seconds=seconds)
            if found is None:
                return None
            if found == -sign:
                keeping.append(column)
            if keeping and sign == 0:
                break
        return self._soonest_or_latest(sign, {column: after[column] for column in keeping})

    def _soonest_or_latest(self, sign: int, after: dict[int, Position]) -> Chosen:
        """Of these moves the one that wins soonest or loses latest, or the first where that takes too many nodes."""
        first = next(iter(after))
        cells = self._rules.rows * self._rules.columns
        if sign == 0:
            return Chosen(first, 0, cells - after[first].occupied.bit_count() + 1)
        self._solver.forget()
        self._solver.limit(self._exact_nodes)
        lasts: dict[int, int] = {}
        for column, reached in after.items():
            score = None if self._solver.stopped else self._solver.score(reached, exact=True, sign=-sign)
            if score is None:
                return Chosen(first, sign)
            lasts[column] = plies_to_end(score, reached.occupied.bit_count(), cells) + 1
        best = min(lasts.values()) if sign > 0 else max(lasts.values())
        return Chosen(next(column for column, plies in lasts.items() if plies == best), sign, best)


def book_move(position: Position, order: Sequence[int]) -> Chosen | None:
    """A move that keeps the value by the book alone, the first of them in this order of columns.

    None where the position is not in the book, or has as many plies as the book knows, so that no move leads to
    another of its positions.
    """
    if position.occupied.bit_count() >= PLIES:
        return None
    value = book().value(position)
    if value is None:
        return None
    for column in order:
        if column in position.open_columns() and _worth(position.play(column)) == value:
            return Chosen(column, value)
    return None


def _worth(after: Position) -> int:
    """What a move is worth that leads here, by the book; where it knows nothing, the other side wins at once."""
    if after.result is not None:
        return 0 if after.result == "draw" else 1
    value = book().value(after)
    return -1 if value is None else -value
