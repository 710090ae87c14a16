"""An agent: a file in the manner of Kaggle's ConnectX, with a callable that is shown the board and names a column."""

from __future__ import annotations

import inspect
import math
import operator
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tournament.engine.result import MOST_COUNTED, Counters, SearchResult
from tournament.errors import EvaluatorError, PlayerFault
from tournament.games.connect4 import Position, Rules
from tournament.plugins.beside import Home, files_beside
from tournament.plugins.plugin import Plugin, by_a_person, kind_of, read_text
from tournament.text import error_line, without_addresses

NAMES = ("my_agent", "agent", "act")  # looked for in this order, before the last callable of the file
NOTHING = Counters()  # an agent searches by itself, and nobody counts
SHOWN = 2  # what an agent is shown: an observation, and the configuration
ORDINARY = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
EPISODE_STEPS, AGENT_TIMEOUT, RUN_TIMEOUT = 1000, 60, 1200  # as at Kaggle


class TimeLeft(NamedTuple):
    """The seconds that a player has: for a move, for what its moves take beyond that, and for the rest of the game."""

    move: float
    overage: float
    game: float

    @property
    def seconds(self) -> float:
        """For the next move."""
        return min(self.move + self.overage, self.game)

    @property
    def by_game(self) -> bool:
        """Whether the game's time ends first."""
        return self.game < self.move + self.overage


class Shown(dict[str, Any]):
    """What an agent is shown: by attribute, as in `observation.board`, or by key."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__


class Agent(Plugin):
    """A file with a callable that plays."""

    def load(self) -> LoadedAgent:
        """What plays, its file run anew; EvaluatorError where it can't be, or where it has nothing to call."""
        own = {self.module_name, *(place.partition("/")[0].removesuffix(".py") for place, _ in self.beside)}
        home = Home(self.file.parent, own)
        with home:
            values = vars(self.run())
        found = [value for value in values.values() if callable(value) and not isinstance(value, type)]
        if not found:
            raise EvaluatorError(
                f"{self.label}:1: has no function: an agent is `def agent(observation, configuration)`, which "
                "returns a column from 0."
            )
        known = [values[name] for name in NAMES if any(values.get(name) is one for one in found)]
        return LoadedAgent(self, home, known[0] if known else found[-1])

    def load_hint(self, error: BaseException) -> str:
        is_import = isinstance(error, ImportError)
        return " An agent can import what is installed here, and Python files of its own folder." if is_import else ""


class LoadedAgent:
    """An agent whose file has been run, for one game."""

    def __init__(self, file: Agent, home: Home, called: Callable[..., Any]) -> None:
        self._file, self._home, self._called = file, home, called
        self._takes = _positional(called)
        while isinstance(called, partial):
            called = called.func
        plain = called if inspect.isroutine(called) or isinstance(called, type) else type(called)
        self._name = plain.__name__
        code = getattr(called if plain is called else plain.__call__, "__code__", None)
        place = file.place(code.co_filename, code.co_firstlineno) if code is not None else None
        self._where = place or f"{file.label}:1"

    def choose(self, position: Position, time_left: TimeLeft) -> int:
        """The column that the agent names, from 0; any fault of it is a PlayerFault."""
        told = (observation(position, time_left), configuration(position.rules, time_left))
        try:
            with self._home:
                answer = _column(self._called(*told[: self._takes]))
        except BaseException as error:
            if by_a_person(error):
                raise
            where = self._file.place_in(error) or self._where
            what = f"{where}: {self._name} raised {error_line(error)}. It was to move in `{position}`."
            raise PlayerFault(what, kind_of(error), self._file.traceback_of(error)) from error
        if isinstance(answer, str):
            what = f"{self._where}: {self._name} returned {answer}, and a column is a whole number from 0."
            raise PlayerFault(what, "illegal move")
        return answer


def _column(answer: Any) -> int | str:
    """What an agent has answered, as a number, or in words where it is none, or too large to be told."""
    try:
        number = int.__index__(operator.index(answer))  # of what only calls itself a number, the number
        return number if abs(number) <= MOST_COUNTED else "a number that no board has a column for"
    except TypeError:
        return f"{without_addresses(repr(answer)):.60}"


def _positional(called: Callable[..., Any]) -> int:
    """How much of what is shown to an agent it takes."""
    try:
        parameters = inspect.signature(called, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):  # which something that is not written in Python need not have
        return SHOWN
    takes_any = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return SHOWN if takes_any else sum(parameter.kind in ORDINARY for parameter in parameters)


def read_agent(path: Path, origin: str) -> Agent:
    """The agent in a file, with the files beside it that it imports; none of them is run."""
    text = read_text(path)
    return Agent(path.stem, path, origin, text, beside=files_beside(path, text))


def observation(position: Position, time_left: TimeLeft) -> Shown:
    """The board as a flat list, row by row from the top; 1 moved first, 2 second."""
    marks = {".": 0, "X": 1, "O": 2}
    return Shown(
        board=[marks[disc] for row in position.rows_from_top() for disc in row],
        mark=1 if position.to_move == "first" else 2,
        step=position.occupied.bit_count(),
        remainingOverageTime=max(0.0, time_left.seconds - time_left.move),
    )


def configuration(rules: Rules, time_left: TimeLeft) -> Shown:
    """The rules and the clock, in Kaggle's words; its times are never longer than what is left of the game's."""
    seconds = min(time_left.move, time_left.game)
    return Shown(
        rows=rules.rows,
        columns=rules.columns,
        inarow=rules.connect,
        actTimeout=seconds,
        timeout=seconds,  # an older name of it
        agentTimeout=AGENT_TIMEOUT,
        runTimeout=min(RUN_TIMEOUT, time_left.game),
        episodeSteps=EPISODE_STEPS,
    )


def played(agent: LoadedAgent, position: Position, time_left: TimeLeft) -> SearchResult:
    """An agent's move, in the form of a search that has counted nothing."""
    wall, cpu = time.perf_counter(), time.thread_time()
    column = agent.choose(position, time_left)
    return SearchResult(column, math.nan, NOTHING, time.perf_counter() - wall, time.thread_time() - cpu, 0, 0, 0)
