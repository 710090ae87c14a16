"""What a report holds, whatever form it is written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TextIO

from tournament.report.drawing import Chart
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.table import Table
from tournament.store import StoredGame, StoredMove


@dataclass(frozen=True)
class Report:
    """The results of a run with everything that is made from them, for a format to write."""

    results: Results | StudyResults
    sentences: list[str]
    tables: list[Table]  # but that of the games
    draw: Callable[[], list[Chart]]  # the charts, which may still be under way elsewhere
    games_table: Table | None = None  # None: a study
    listed: Sequence[StoredGame] = ()  # the games of that table

    @cached_property
    def charts(self) -> list[Chart]:
        return self.draw()

    @property
    def all_tables(self) -> list[Table]:
        """The tables with that of the games before them."""
        return [*([self.games_table] if self.games_table is not None else []), *self.tables]


Write = Callable[[Report, TextIO], None]  # the whole report into an open file
WriteGames = Callable[[TextIO], Callable[[StoredGame], None]]  # into an open file, whatever game is told next
WriteMoves = Callable[[TextIO], Callable[[StoredGame, Sequence[StoredMove]], None]]  # the same with its moves
