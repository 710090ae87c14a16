"""A side with a book: while the position is in it, a move that keeps the value is played without search."""

from __future__ import annotations

import time

from tournament.engine.result import SearchResult
from tournament.engine.searcher import column_order
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position
from tournament.match.oracle import found_by
from tournament.match.side import Side
from tournament.plugins.agent import TimeLeft
from tournament.truth.player import book_move


class BookSide:
    """A side that asks the book before it searches."""

    is_agent = False

    def __init__(self, side: Side, settings: Settings) -> None:
        self._side = side
        self._order = column_order(settings.order, STANDARD.columns)

    @property
    def output(self) -> str:
        return self._side.output

    @output.setter
    def output(self, text: str) -> None:
        self._side.output = text

    def move(self, position: Position, time_left: TimeLeft) -> SearchResult:
        wall, cpu = time.perf_counter(), time.thread_time()
        chosen = book_move(position, self._order)
        if chosen is None:
            return self._side.move(position, time_left)
        return found_by(chosen, time.perf_counter() - wall, time.thread_time() - cpu)
