"""One evaluator: a file with a function `evaluate`, which asks for what it needs by parameter name."""

from __future__ import annotations

import hashlib
import inspect
import numbers
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.errors import EvaluatorError, EvaluatorFault, nearest, shown, valid_name
from tournament.position import Position, View
from tournament.rules import Rules
from tournament.settings import WIN as WIN  # where evaluators and tests look for it

SCORE_LIMIT = WIN - 256  # no game lasts 256 plies, so every score below it is below every win

PARAMETERS: dict[str, Callable[[View], Any]] = {  # what an evaluator may ask for
    "board": lambda view: _read_only_board(view),
    "mine": lambda view: view.mine,
    "theirs": lambda view: view.theirs,
    "my_turn": lambda view: view.my_turn,
    "rules": lambda view: view.rules,
    "position": lambda view: view,
}
ORDINARY = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def make_board(mine: int, theirs: int, rows: int, columns: int) -> NDArray[np.int64]:
    """The grid of a position: 1 mine, -1 theirs, 0 empty, row 0 at the bottom."""
    board = np.zeros((rows, columns), np.int64)
    for column in range(columns):
        for row in range(rows):
            if (mine & 1) != 0:
                board[row, column] = 1
            if (theirs & 1) != 0:
                board[row, column] = -1
            mine = mine >> 1
            theirs = theirs >> 1
        mine = mine >> 1
        theirs = theirs >> 1
    return board


def _read_only_board(view: View) -> NDArray[np.int64]:
    board = make_board(view.mine, view.theirs, view.rules.rows, view.rules.columns)
    board.flags.writeable = False
    return board


@dataclass(frozen=True)
class Evaluator:
    """An evaluator's file, loaded: its function, what it asks for, and what it says of itself."""

    name: str
    path: Path
    origin: str
    description: str
    source_hash: str
    line: int  # where `evaluate` stands
    lines: int  # of the whole file
    parameters: tuple[str, ...]
    module: ModuleType = field(repr=False, compare=False)

    @property
    def function(self) -> FunctionType:
        function: FunctionType = _plain_function(self.module.evaluate)
        return function

    @property
    def where(self) -> str:
        return f"{shown(self.path)}:{self.line}"

    def arguments(self, view: View) -> dict[str, Any]:
        """What `evaluate` is called with for a position."""
        return {name: PARAMETERS[name](view) for name in self.parameters}

    def score(self, view: View) -> float:
        """What `evaluate` returns for a position, called in plain Python; any fault of it is an EvaluatorFault."""
        try:
            with np.errstate(divide="raise"):  # as compiled code does
                score: Any = self.function(**self.arguments(view))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.fault(view, f"evaluate raised {_told(error)}", _line_in(self.path, error)) from error
        if not isinstance(score, numbers.Real | np.bool_):
            raise self.fault(view, f"evaluate returned {_named(score)}, and a score is a number")
        if not abs(score) < SCORE_LIMIT:  # type: ignore[operator]  # Real has no order for mypy
            what = f"evaluate returned {score}, and a score is finite and below {SCORE_LIMIT:,.0f}"
            raise self.fault(view, what)
        return float(score)

    def fault(self, view: View, what: str, line: int | None = None) -> EvaluatorFault:
        """The message about what went wrong, with file, line and position."""
        rules = Rules(view.rules.rows, view.rules.columns, view.rules.connect)  # all that a diagram needs
        board = Position(rules, view.mine, view.theirs, "first" if view.my_turn else "second")
        return EvaluatorFault(f"{shown(self.path)}:{line or self.line}: {what}. Its discs are X in `{board}`.")


def _plain_function(evaluate: Any) -> Any:
    """The function behind what others have wrapped around it: numba's decorators, a cache."""
    return inspect.unwrap(getattr(evaluate, "py_func", evaluate))


def _told(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _named(value: object) -> str:
    return "None" if value is None else f"{' '.join(repr(value).split()):.40} ({type(value).__name__})"


def load_file(path: Path, origin: str) -> Evaluator:
    """The evaluator in a file, its name being the file's name."""
    valid_name(path.stem, f"{shown(path)}: ")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise EvaluatorError(f"{shown(path)}: can't be read ({error.strerror}).") from error
    module = ModuleType(f"tourney_evaluator_{hashlib.sha256(str(path).encode() + source).hexdigest()[:16]}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        raise EvaluatorError(f"{shown(path)}:{error.lineno or 1}: is not Python: {error.msg}.") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise EvaluatorError(
            f"{shown(path)}:{_line_in(path, error) or 1}: raised {type(error).__name__} while being loaded: {error}. "
            "An evaluator is one file; keep its helpers in it."
        ) from error
    return from_module(path.stem, module, path, origin, source)


def from_module(name: str, module: ModuleType, path: Path, origin: str, source: bytes) -> Evaluator:
    """The evaluator in a module that has been loaded already."""
    function = _plain_function(getattr(module, "evaluate", None))
    if not inspect.isfunction(function):
        others = [other for other, value in vars(module).items() if inspect.isfunction(value)]
        raise EvaluatorError(f"{shown(path)}:1: has no function `evaluate`{nearest('evaluate', others)}")
    where = f"{shown(path)}:{function.__code__.co_firstlineno}"
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
    return Evaluator(
        name=name,
        path=path,
        origin=origin,
        description=(inspect.getdoc(module) or "").partition("\n")[0],
        source_hash=hashlib.sha256(source).hexdigest(),
        line=function.__code__.co_firstlineno,
        lines=source.count(b"\n") + 1,
        parameters=tuple(parameters),
        module=module,
    )


def _line_in(path: Path, error: BaseException) -> int | None:
    """The last line of that file in an exception's traceback."""
    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return frames[-1] if frames else None
