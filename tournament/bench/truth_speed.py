"""How fast the solver is: positions of 12 to 16 plies beside somebody's program, whole games, and the empty board.

The program is called as `PROGRAM FILE LIMIT WEAK`: a file of lines with moves and the score that we found, how many of
them to solve, each from an empty table, and 1 where the sign alone is asked for. It prints, as a line of JSON, how many
are `wrong`, its `nodes` and `seconds`. `tests/reference/solver.cpp` is one.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position, column_digit, is_open, play_moves
from tournament.plugins.catalogue import BUNDLED
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file
from tournament.truth.oracle import Oracle
from tournament.truth.solver import Solver

EMPTY = [""]
PLIES = range(12, 17)
POSITIONS = 10  # of each number of plies
SEED = 26
OPENINGS = tuple(f"{one}{other}" for one in "1234567" for other in "147")  # of games of `windows` with itself
DEPTH = 6
ROUNDS = 3  # in turns, and the best of all
MEGABYTES = 64  # as much as the table of solver.cpp
MOST_SECONDS = 600  # that the program may take for a round


@dataclass(frozen=True)
class SolverSpeed:
    """What was solved, how, and what that took us and the program."""

    what: str
    nodes: int
    seconds: float
    their_nodes: int | None = None
    their_seconds: float | None = None

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds

    @property
    def times_their_nodes(self) -> float | None:
        return self.nodes / self.their_nodes if self.their_nodes else None

    @property
    def times_their_speed(self) -> float | None:
        """Our nodes per second, as a multiple of theirs."""
        if not self.their_nodes or not self.their_seconds:
            return None
        return self.nodes_per_second / (self.their_nodes / self.their_seconds)


def solver_speeds(program: Path | None) -> Iterator[SolverSpeed]:
    """The positions with the sign alone and exactly, beside the program where there is one; then the rest."""
    texts = sample()
    for exact in (False, True):
        solver = Solver(STANDARD, MEGABYTES)
        solver.forget()
        ours, theirs = [], []
        for _ in range(ROUNDS):
            seconds, nodes, scores = _solved(solver, texts, exact)
            ours.append(seconds)
            if program is not None:
                theirs.append(_by(program, texts, scores, exact))
        their_seconds, their_nodes = min(theirs, default=(None, None))
        plies = f"{len(texts)} positions of {PLIES[0]} to {PLIES[-1]} plies"
        what = f"{plies}, {'exact' if exact else 'win, draw or loss'}"
        yield SolverSpeed(what, nodes, min(ours), their_nodes, their_seconds)
    yield _games_judged()
    seconds, nodes, _ = _solved(Solver(STANDARD), EMPTY, exact=True)
    yield SolverSpeed("the empty board, exact", nodes, seconds)


def sample() -> list[str]:
    """Random positions whose game goes on, in which nobody can win at once, as moves."""
    chance = random.Random(SEED)
    found: list[str] = []
    for plies in PLIES:
        wanted = len(found) + POSITIONS
        while len(found) < wanted:
            position, moves = Position(), ""
            while len(moves) < plies and position.result is None:
                column = chance.choice(position.open_columns())
                position, moves = position.play(column), moves + column_digit(column)
            if is_open(position):
                found.append(moves)
    return found


def _games_judged() -> SolverSpeed:
    """What it takes to say of each position of some games what every column is worth, from the end to the start."""
    oracle, evaluator = Oracle(), load_file(BUNDLED / "windows.py", "bundled")
    searcher = Searcher(Scorer(evaluator, STANDARD), Settings(DEPTH))
    moves, nodes, seconds = 0, 0, 0.0
    for opening in OPENINGS:
        position = play_moves(Position(), opening)
        met = []
        while position.result is None:
            met.append(position)
            position = position.play(searcher.search(position).chosen)
        for position in reversed(met):
            found = oracle.solve(position)
            moves, nodes, seconds = moves + 1, nodes + found.nodes, seconds + found.seconds
    games = f"{len(OPENINGS)} games judged backwards with the book"
    return SolverSpeed(f"{games}, {1e3 * seconds / moves:.1f} ms a move", nodes, seconds)


def _solved(solver: Solver, texts: list[str], exact: bool) -> tuple[float, int, list[int]]:
    """The seconds and nodes that it took to solve these, each from an empty table, and what they are worth."""
    seconds, nodes, scores = 0.0, solver.nodes, []
    for text in texts:
        position = play_moves(Position(), text)
        solver.forget()
        start = time.perf_counter()
        score = solver.score(position, exact=exact)
        seconds += time.perf_counter() - start
        assert score is not None  # it had no limit
        scores.append(score)
    return seconds, solver.nodes - nodes, scores


def _by(program: Path, texts: list[str], scores: list[int], exact: bool) -> tuple[float, int]:
    """The seconds and nodes that the program says it took, once its values have been held against ours."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{text} {score}\n" for text, score in zip(texts, scores, strict=True))
        file.flush()
        try:
            ran = subprocess.run(
                [str(program.resolve()), file.name, str(len(texts)), "0" if exact else "1"],
                capture_output=True, text=True, check=True, timeout=MOST_SECONDS,
            )  # fmt: skip
            found = json.loads(ran.stdout)
            wrong, seconds, nodes = int(found["wrong"]), float(found["seconds"]), int(found["nodes"])
        except (OSError, subprocess.SubprocessError) as error:
            raise TourneyError(f"`{program}` could not be run: {error}.") from error
        except (ValueError, KeyError, TypeError) as error:
            raise TourneyError(f"`{program}` does not print wrong, seconds and nodes as JSON.") from error
    if wrong:
        raise TourneyError(f"`{program}` finds other values than ours, of {wrong} of {len(texts)} positions.")
    return seconds, nodes
