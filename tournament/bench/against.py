"""Our search beside somebody's program that searches the same tree, in turns.

The program is called as `PROGRAM DEPTH REPETITIONS`, with `two` behind that where their windows count too, taken off
mine. It prints, as a line of JSON, the counters of a search of the empty board and the nodes per second of the fastest
repetition. `tests/reference/limit.cpp` is one.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tournament.engine.result import Counters
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position
from tournament.plugins.catalogue import BUNDLED
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

SEARCHES = (  # the evaluator, the depth, and what the program is told of it
    (BUNDLED / "windows.py", 11, ()),
    (Path(__file__).with_name("two_sided.py"), 10, ("two",)),
)
ROUNDS = 10  # a machine is not equally fast all the time: in turns, and the best of all
REPEATS = 2  # searches each in a round
MOST_SECONDS = 600  # that the program may take for a round
COUNTED = ("generated", "expanded", "evaluated", "cutoffs")


@dataclass(frozen=True)
class Beside:
    """One search by both, in nodes per second."""

    evaluator: str
    depth: int
    generated: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def against(program: Path) -> Iterator[Beside]:
    """Our speed and the program's, search by search; TourneyError where it searches another tree than we do."""
    for file, depth, told in SEARCHES:
        evaluator = load_file(file, "bundled")
        searcher = Searcher(Scorer(evaluator, STANDARD), Settings(depth))
        counters = searcher.search(Position()).counters
        ours = theirs = 0.0
        for _ in range(ROUNDS):
            theirs = max(theirs, _speed_of(program, (str(depth), str(REPEATS), *told), counters))
            seconds = min(searcher.search(Position()).seconds for _ in range(REPEATS))
            ours = max(ours, counters.generated / seconds)
        yield Beside(evaluator.name, depth, counters.generated, ours, theirs)


def _speed_of(program: Path, arguments: tuple[str, ...], counters: Counters) -> float:
    """The nodes per second that the program says it made, once its counters have been held against ours."""
    command = " ".join((str(program), *arguments))
    try:
        ran = subprocess.run(
            [str(program.resolve()), *arguments], capture_output=True, text=True, check=True, timeout=MOST_SECONDS
        )
        found = json.loads(ran.stdout)
        told = {name: int(found[name]) for name in COUNTED}
        speed = float(found["nodes_per_second"])
    except (OSError, subprocess.SubprocessError) as error:
        raise TourneyError(f"`{command}` could not be run: {error}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TourneyError(
            f"`{command}` does not print its search as JSON with {', '.join(COUNTED)} and nodes_per_second."
        ) from error
    expected = {name: getattr(counters, name) for name in COUNTED}
    if told != expected:
        raise TourneyError(f"`{command}` searched another tree than the engine: {told} and {expected}.")
    return speed
