"""Charts are drawn in a process of its own: it imports what draws while games are played, or read, on another core."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from tournament.isolation.process import Process

if TYPE_CHECKING:
    from tournament.report.drawing import Chart
    from tournament.report.results import Results
    from tournament.report.study import StudyResults


class Charting:
    """The process that draws. Use it with `with`, and as early as can be: it is forked from this one."""

    def __init__(self) -> None:
        self._process = Process(_serve)

    def __enter__(self) -> Charting:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def __call__(self, results: Results | StudyResults) -> Callable[[], list[Chart]]:
        """Begin to draw the results, and return what waits for their charts."""
        with suppress(ConnectionError):  # it has ended, as its answer will show
            self._process.connection.send(results)
        return lambda: self._charts(results)

    def _charts(self, results: Results | StudyResults) -> list[Chart]:
        from tournament.report.write import drawn

        try:
            charts: list[Chart] = self._process.connection.recv()
        except (EOFError, ConnectionError):  # it has ended, and so we draw them ourselves
            return drawn(results)
        return charts


def _serve(connection: Connection) -> None:
    from tournament.report import drawing, write

    drawing.warm_up()
    connection.send(write.drawn(connection.recv()))
