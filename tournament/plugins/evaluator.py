"""One evaluator: a file with a function `evaluate`, which asks for what it needs by parameter name."""

from __future__ import annotations

import inspect
import numbers
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from tournament.engine.values import SCORE_LIMIT
from tournament.errors import EvaluatorError, EvaluatorFault, FaultKind
from tournament.games.connect4 import Position, Rules, View
from tournament.games.connect4.inputs import PARAMETERS
from tournament.plugins.plugin import Plugin, by_a_person, kind_of, read_text
from tournament.text import closest, error_line, nearest

ORDINARY = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Called(NamedTuple):
    """What running an evaluator's file has shown: where `evaluate` stands, and what it asks for."""

    function: FunctionType
    line: int
    parameters: tuple[str, ...]


class Evaluator(Plugin):
    """A file with a function `evaluate`. It is run when something is asked that only running it can tell."""

    def load(self) -> Evaluator:
        """Itself, once it has been run; EvaluatorError where it can't be, or where it has no `evaluate` to call."""
        assert self._called
        return self

    @property
    def function(self) -> FunctionType:
        function: FunctionType = _plain_function(self.module.evaluate)  # as it is now
        return function

    @property
    def line(self) -> int:
        """Where `evaluate` stands."""
        return self._called.line

    @property
    def parameters(self) -> tuple[str, ...]:
        return self._called.parameters

    @property
    def where(self) -> str:
        return f"{self.label}:{self.line}"

    @cached_property
    def _called(self) -> Called:
        function = _plain_function(getattr(self.module, "evaluate", None))
        if not inspect.isfunction(function):
            others = [other for other, value in vars(self.module).items() if inspect.isfunction(value)]
            close = closest("evaluate", others)
            told = f"; it has `{close}`: call it `evaluate`." if close else "."
            raise EvaluatorError(f"{self.label}:1: has no function `evaluate`{told}")
        where = f"{self.label}:{function.__code__.co_firstlineno}"
        parameters = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind not in ORDINARY:
                raise EvaluatorError(f"{where}: evaluate has `{parameter}`: only ordinary parameters can be asked for.")
            if parameter.name in PARAMETERS:
                parameters.append(parameter.name)
            elif parameter.default is inspect.Parameter.empty:
                raise EvaluatorError(
                    f"{where}: evaluate asks for `{parameter.name}`, which is not known"
                    f"{nearest(parameter.name, PARAMETERS)} It can ask for {', '.join(PARAMETERS)}."
                )
        return Called(function, function.__code__.co_firstlineno, tuple(parameters))

    def arguments(self, view: View) -> dict[str, Any]:
        """What `evaluate` is called with for a position."""
        return {name: PARAMETERS[name](view) for name in self.parameters}

    def score(self, view: View) -> float:
        """What `evaluate` returns for a position, called in plain Python; any fault of it is an EvaluatorFault."""
        try:
            with np.errstate(divide="raise"):  # as compiled code does
                score: Any = self.function(**self.arguments(view))
        except BaseException as error:
            if by_a_person(error):
                raise
            kind = kind_of(error)
            what = f"evaluate raised {error_line(error)}"
            raise self.fault(view, what, self.line_in(error), kind, self.traceback_of(error)) from error
        if not isinstance(score, numbers.Real | np.bool_):
            raise self.fault(view, f"evaluate returned {_named(score)}, and a score is a number", kind="score")
        if not abs(score) < SCORE_LIMIT:  # type: ignore[operator]  # Real has no order for mypy
            what = f"evaluate returned {_number(score)}, and a score is finite and below {SCORE_LIMIT:,.0f}"
            raise self.fault(view, what, kind="score")
        return float(score)

    def fault(
        self, view: View, what: str, line: int | None = None, kind: FaultKind = "raised", traceback: str | None = None
    ) -> EvaluatorFault:
        """The message about what went wrong, with file, line and position."""
        rules = Rules(view.rules.rows, view.rules.columns, view.rules.connect)  # all that a diagram needs
        board = Position(rules, view.mine, view.theirs, "first" if view.my_turn else "second")
        where = f"{self.label}:{line or self.line}"
        return EvaluatorFault(f"{where}: {what}. Its discs are X in `{board}`.", kind, traceback)


def _plain_function(evaluate: Any) -> Any:
    """The function behind what others have wrapped around it: numba's decorators, a cache."""
    return inspect.unwrap(getattr(evaluate, "py_func", evaluate))


def _named(value: object) -> str:
    return "None" if value is None else f"{' '.join(repr(value).split()):.40} ({type(value).__name__})"


def _number(score: Any) -> str:
    """A number of any size, in a few characters."""
    return str(score) if not isinstance(score, int) or score.bit_length() < 128 else f"{score.bit_length()} bits"


def read_file(path: Path, origin: str) -> Evaluator:
    """The evaluator in a file, its name being the file's name; the file is not run."""
    return Evaluator(path.stem, path, origin, read_text(path))


def load_file(path: Path, origin: str) -> Evaluator:
    """The evaluator in a file, which has been run."""
    return read_file(path, origin).load()
