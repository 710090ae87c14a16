"""How fast this machine searches, beside plain Python on the same tree."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from tournament.bench.plain_python import PlainSearch
from tournament.engine.algorithms import Algorithm
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.timing import nanoseconds_per_call
from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules
from tournament.plugins.catalogue import BUNDLED, Catalogue
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator, load_file
from tournament.plugins.new import TEMPLATE

PLAIN_DEPTH = 6  # a third of a second in plain Python
LARGE = Rules(10, 11, 4)
DRIFTING = Rules(drift=0.6)
DEEP = 12  # where the improvements show
REPEATS = 5


@dataclass(frozen=True)
class Speed:
    """One search of the empty board, timed: the best of several runs."""

    evaluator: str
    rules: str
    algorithm: str  # with what is switched on in it
    depth: int
    compiled: bool
    generated: int
    seconds: float
    ns_per_evaluation: float | None

    @property
    def name(self) -> str:
        board = "" if self.rules == str(STANDARD) else f", {self.rules}"
        return f"{self.evaluator}, depth {self.depth}, {self.algorithm}{board}"

    @property
    def nodes_per_second(self) -> float:
        return self.generated / self.seconds


def bench(catalogue: Catalogue) -> Iterator[Speed]:
    """The speeds, one after the other; first that of plain Python."""
    windows = catalogue.load("windows")
    yield _plain(windows)
    for depth in (PLAIN_DEPTH, 8, 10, 11):
        yield _timed(windows, STANDARD, Settings(depth))
    yield _timed(windows, STANDARD, Settings(7, "minimax"))
    for path in sorted(BUNDLED.glob("*.py")):
        if path.stem != windows.name:
            yield _timed(load_file(path, "bundled"), STANDARD, Settings(8))
    yield _timed(load_file(TEMPLATE, "what `tourney new` writes"), STANDARD, Settings(8))
    yield _timed(windows, LARGE, Settings(6))
    yield _timed(windows, STANDARD, Settings(DEEP))
    yield _timed(windows, STANDARD, Settings(DEEP, table=20, iterative=True))
    yield _timed(windows, STANDARD, Settings(DEEP, order="killers", table=20))
    yield _timed(catalogue.load("lines"), DRIFTING, Settings(4, "expectiminimax"))
    yield _timed(catalogue.load("lines"), DRIFTING, Settings(4, "star2"))


def _timed(evaluator: Evaluator, rules: Rules, settings: Settings) -> Speed:
    scorer = Scorer(evaluator, rules)
    searcher = Searcher(scorer, settings)
    runs = [searcher.search(Position(rules)) for _ in range(REPEATS if scorer.compiled else 1)]
    return Speed(
        evaluator.name,
        "drift" if rules.drifts else str(rules),
        settings.described,
        settings.depth or 0,
        scorer.compiled,
        runs[0].counters.generated,
        min(run.seconds for run in runs),
        nanoseconds_per_call(scorer),
    )


def _plain(windows: Evaluator) -> Speed:
    """The speed of plain Python, once its counters have been held against the engine's."""
    algorithm: Algorithm = "alphabeta"
    plain = PlainSearch(STANDARD)
    start = time.perf_counter()
    plain.search(PLAIN_DEPTH)
    seconds = time.perf_counter() - start
    found = Searcher(Scorer(windows, STANDARD), Settings(PLAIN_DEPTH, algorithm)).search(Position())
    if any(getattr(found.counters, name) != getattr(plain, name) for name in plain.COUNTED):
        raise TourneyError(f"plain Python searched another tree than the engine: {plain} and {found.counters}.")
    return Speed("plain Python", str(STANDARD), algorithm, PLAIN_DEPTH, False, plain.generated, seconds, None)
