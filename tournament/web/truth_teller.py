"""The teller of truth: a process of its own that says what perfect play makes of positions.

It gives way to whatever else wants to run. A position is solved a little at a time, so that nobody waits long for
another's: each question gets what is known by now, and asks again until all is.
"""

from __future__ import annotations

import os
import sys
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from typing import Any

from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules, undecided
from tournament.truth.book import book
from tournament.truth.remembered import Known, folder, keep, key_of, recall
from tournament.truth.solver import Solver
from tournament.truth.verdict import VALUE_OF_SIGN, MoveTruth, of_moves, plies_to_end, sign_of
from tournament.web.streams import Answer, Question, serve

TABLE_MB = 128
FIRST_SECONDS, MOST_SECONDS = 0.15, 1.0  # of one question, the first and the later ones about a position
ENOUGH_SECONDS = 60.0  # about one position: what is not proven then is called so
MOST_ASKED = 200  # positions of which the time is known that they took
WORTH_KEEPING = 0.5  # seconds, from which on what was found is kept for the next time
GENTLY = 10  # how much lower its priority is


@dataclass
class Teller:
    """What is known of one board, and how long was spent on each position."""

    rules: Rules
    known: Known = field(default_factory=dict)
    spent: OrderedDict[int, float] = field(default_factory=OrderedDict)
    slices: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._solver = Solver(self.rules, TABLE_MB)
        self._cells = self.rules.rows * self.rules.columns
        self._kept = folder()
        self.known = recall(self._kept, self.rules)
        self._new: Known = {}

    def tell(self, position: Position) -> Answer:
        """What is known of each column after a little more work, and whether that is all."""
        key, began = key_of(undecided(position)), time.monotonic()
        seconds = min(MOST_SECONDS, FIRST_SECONDS * 2 ** self.slices.get(key, 0))
        if self.spent.get(key, 0.0) > ENOUGH_SECONDS:
            seconds = 0.0
        self._solver.limit(seconds=seconds)
        after = {column: position.play(column) for column in position.open_columns()}
        for exact in (False, True):  # first who wins, then when
            for reached in after.values():
                self._learn(reached, exact=exact)
        self.spent[key] = self.spent.pop(key, 0.0) + time.monotonic() - began
        self.slices[key] = self.slices.get(key, 0) + 1
        if len(self.spent) > MOST_ASKED:
            self.slices.pop(self.spent.popitem(last=False)[0], None)
        moves = tuple(self._worth(column, reached) for column, reached in after.items())
        done = all(one.value != "unknown" and one.plies is not None for one in moves)
        if done and self._new and self.spent[key] > WORTH_KEEPING:
            keep(self._kept, self.rules, recall(self._kept, self.rules) | self._new)
            self._new = {}
        value, plies = of_moves(moves)
        done = done or self.spent[key] > ENOUGH_SECONDS
        return {"value": value, "plies": plies, "moves": [asdict(one) for one in moves], "done": done}

    def _learn(self, reached: Position, *, exact: bool) -> None:
        """Search for what a position is worth, as far as there is time."""
        key = key_of(reached)
        score, is_exact = self.known.get(key, (None, False))
        if reached.result is not None or is_exact or (score is not None and not exact):
            return
        if score is None and self.rules == STANDARD:
            score = book().value(reached)
        if score is None or (exact and score != 0):
            if self._solver.stopped:
                return
            score = self._solver.score(reached, exact=exact, sign=None if score is None else sign_of(score))
        if score is not None:
            self.known[key] = self._new[key] = (score, exact or score == 0)

    def _worth(self, column: int, reached: Position) -> MoveTruth:
        plies = reached.occupied.bit_count()
        if reached.result is not None:
            return MoveTruth(column + 1, "draw" if reached.result == "draw" else "win", 1)
        score, is_exact = self.known.get(key_of(reached), (None, False))
        if score is None:
            return MoveTruth(column + 1, "unknown")
        last = plies_to_end(score, plies, self._cells) + 1 if is_exact else None
        return MoveTruth(column + 1, VALUE_OF_SIGN[-sign_of(score)], last)


_tellers: list[Teller] = []  # the one of the board that was asked about last: a table is large


def _teller(rules: Rules) -> Teller:
    if not _tellers or _tellers[0].rules != rules:
        _tellers[:] = [Teller(rules)]
    return _tellers[0]


def answer(question: Question) -> Answer:
    """The answer to a question, or what is wrong with it."""
    try:
        rules = Rules(**question["rules"])
        position = Position(rules, *question["position"])
        return _teller(rules).tell(position)
    except TourneyError as error:
        return {"error": str(error)}


def main(_: list[Any]) -> None:
    """Answer questions until there are no more."""
    os.nice(GENTLY)
    serve(answer)


if __name__ == "__main__":
    main(sys.argv[1:])
