"""An agent: a file in the manner of Kaggle's ConnectX, with a function that is shown the board and names a column."""

from __future__ import annotations

import inspect
import math
import operator
import time
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from tournament.engine.result import Counters, SearchResult
from tournament.errors import EvaluatorError, PlayerFault
from tournament.games.connect4 import Position, Rules
from tournament.plugins.plugin import Plugin, by_a_person, kind_of, read_text
from tournament.text import error_line

NAMES = ("my_agent", "agent", "act")  # looked for in this order, before the last function of the file
NOTHING = Counters()  # an agent searches by itself, and nobody counts


class Shown(dict[str, Any]):
    """What an agent is shown: by attribute, as in `observation.board`, or by key."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Agent(Plugin):
    """A file with a function that plays."""

    def load(self) -> Agent:
        """Itself, once it has been run; EvaluatorError where it can't be, or where it has no function."""
        assert self._function
        return self

    @cached_property
    def _function(self) -> FunctionType:
        values = vars(self.module)
        for name in NAMES:
            if inspect.isfunction(values.get(name)):
                return values[name]  # type: ignore[no-any-return]
        own = [f for f in values.values() if inspect.isfunction(f) and f.__code__.co_filename == str(self.file)]
        if not own:
            raise EvaluatorError(
                f"{self.label}:1: has no function: an agent is `def agent(observation, configuration)`, which "
                "returns a column from 0."
            )
        return max(own, key=lambda function: function.__code__.co_firstlineno)

    def choose(self, position: Position, seconds: float) -> int:
        """The column that the agent names, from 0; any fault of it is a PlayerFault."""
        function = self._function
        shown_to_it = (observation(position), configuration(position.rules, seconds))
        wanted = function.__code__.co_argcount if not function.__code__.co_flags & inspect.CO_VARARGS else 2
        try:
            answer = function(*shown_to_it[:wanted])
        except BaseException as error:
            if by_a_person(error):
                raise
            where = f"{self.label}:{self.line_in(error) or function.__code__.co_firstlineno}"
            what = f"{where}: {function.__name__} raised {error_line(error)}. It was to move in `{position}`."
            raise PlayerFault(what, kind_of(error), self.traceback_of(error)) from error
        try:
            return operator.index(answer)
        except TypeError:
            where = f"{self.label}:{function.__code__.co_firstlineno}"
            what = f"{where}: {function.__name__} returned {answer!r:.60}, and a column is a whole number from 0."
            raise PlayerFault(what, "illegal move") from None


def read_agent(path: Path, origin: str) -> Agent:
    """The agent in a file; the file is not run."""
    return Agent(path.stem, path, origin, read_text(path))


def observation(position: Position) -> Shown:
    """The board as a flat list, row by row from the top; 1 moved first, 2 second."""
    marks = {".": 0, "X": 1, "O": 2}
    board = [marks[disc] for row in position.rows_from_top() for disc in row]
    mark = 1 if position.to_move == "first" else 2
    return Shown(board=board, mark=mark, step=position.occupied.bit_count(), remainingOverageTime=0)


def configuration(rules: Rules, seconds: float) -> Shown:
    return Shown(rows=rules.rows, columns=rules.columns, inarow=rules.connect, actTimeout=seconds, timeout=seconds)


def played(agent: Agent, position: Position, seconds: float) -> SearchResult:
    """An agent's move, in the form of a search that has counted nothing."""
    wall, cpu = time.perf_counter(), time.thread_time()
    column = agent.choose(position, seconds)
    return SearchResult(column, math.nan, NOTHING, time.perf_counter() - wall, time.thread_time() - cpu, 0, 0, 0)
