"""One evaluator: a file with a function `evaluate`, and that function made ready for the search.

The function asks for what it needs by parameter name (`PARAMETERS` below). It is compiled as it is
written, the helpers of its file included; where numba can't, it runs in Python behind the same search.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import numbers
import os
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import overload, register_jitable
from numpy.typing import NDArray

from tournament import jit
from tournament.errors import BadScore, EvaluatorError, EvaluatorFault, nearest, shown
from tournament.position import BoardRules, Position, View
from tournament.rules import Rules

WIN = 1e9  # a win at once; each ply that it takes costs 1
SCORE_LIMIT = WIN - 256  # no game lasts 256 plies, so every score below it is below every win

# What an evaluator may ask for, and how the adapter makes it from the bits that the search has.
PARAMETERS = {
    "board": "read_only(make_board(mine, theirs, rules.rows, rules.columns))",
    "mine": "mine",
    "theirs": "theirs",
    "my_turn": "my_turn",
    "rules": "rules",
    "position": "View(mine, theirs, my_turn, rules)",
}
BITBOARD_BITS = 63  # so that `mine` and `theirs` are ordinary non-negative integers, compiled or not
MOST_INLINED = 12  # functions of a file; inlining doubles its speed, but more could multiply beyond measure
MOST_REMEMBERED = 1 << 18  # scores of an interpreted evaluator; about 50 MB


@register_jitable
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


def as_score(value: float) -> float:
    """What an evaluator returned, as a float; anything but a number is refused when it is compiled."""
    return float(value)


@overload(as_score, strict=False)
def _compiled_as_score(value: Any) -> Any:
    kind = value.type if isinstance(value, types.Optional) else value
    if isinstance(kind, types.Boolean):
        return lambda value: 1.0 if value else 0.0
    if isinstance(kind, types.Integer | types.Float):
        return lambda value: float(value)
    raise TypingError(f"evaluate returns {kind}, and a score is a number")


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
    def function(self) -> Callable[..., float]:
        evaluate: Callable[..., float] = getattr(self.module.evaluate, "py_func", self.module.evaluate)
        return evaluate

    @property
    def where(self) -> str:
        return f"{shown(self.path)}:{self.line}"

    def arguments(self, view: View) -> dict[str, Any]:
        """What `evaluate` is called with for a position."""
        given: dict[str, Any] = {
            "mine": view.mine,
            "theirs": view.theirs,
            "my_turn": view.my_turn,
            "rules": view.rules,
            "position": view,
        }
        if "board" in self.parameters:
            given["board"] = make_board(view.mine, view.theirs, view.rules.rows, view.rules.columns)
            given["board"].flags.writeable = False
        return {name: given[name] for name in self.parameters}

    def score(self, view: View) -> float:
        """What `evaluate` returns, called in plain Python and checked."""
        with np.errstate(divide="raise"):  # as compiled code does
            score = self.function(**self.arguments(view))
        if not isinstance(score, numbers.Real | np.bool_):
            raise BadScore(f"evaluate returned {_named(score)}, and a score is a number")
        if not abs(score) < SCORE_LIMIT:
            raise BadScore(f"evaluate returned {score}, and a score is finite and below {SCORE_LIMIT:,.0f}")
        return float(score)


def _named(value: object) -> str:
    return "None" if value is None else f"{' '.join(repr(value).split()):.40} ({type(value).__name__})"


# ── loading ──────────────────────────────────────────────────────────────────────────────────────


def load_file(path: Path, origin: str) -> Evaluator:
    """The evaluator in a file, its name being the file's name."""
    name = path.stem
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name):
        raise EvaluatorError(f"{shown(path)}: a name is letters, digits, `_` and `-`: rename the file.")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise EvaluatorError(f"{shown(path)}: can't be read ({error.strerror}).") from error
    module = ModuleType(f"tourney_evaluator_{name}_{hashlib.sha256(source).hexdigest()[:8]}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        raise EvaluatorError(f"{shown(path)}:{error.lineno or 1}: is not Python: {error.msg}.") from error
    except (Exception, SystemExit) as error:
        line = _line_in(path, error) or 1
        raise EvaluatorError(
            f"{shown(path)}:{line}: raised {type(error).__name__} while being loaded: {error}. "
            "An evaluator is one file; keep its helpers in it."
        ) from error
    return from_module(name, module, path, origin, source)


def from_module(name: str, module: ModuleType, path: Path, origin: str, source: bytes) -> Evaluator:
    """The evaluator in a module that has been loaded already."""
    evaluate = getattr(module, "evaluate", None)
    function = getattr(evaluate, "py_func", evaluate)
    if not inspect.isfunction(function):
        others = list(jit.own_functions(module))
        raise EvaluatorError(f"{shown(path)}:1: has no function `evaluate`{nearest('evaluate', others)}")
    line = function.__code__.co_firstlineno
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in PARAMETERS:
            parameters.append(parameter.name)
        elif parameter.default is inspect.Parameter.empty:
            raise EvaluatorError(
                f"{shown(path)}:{line}: evaluate asks for `{parameter.name}`, which is not known"
                f"{nearest(parameter.name, PARAMETERS)} It can ask for {', '.join(PARAMETERS)}."
            )
    description = (inspect.getdoc(module) or "").partition("\n")[0]
    digest = hashlib.sha256(source).hexdigest()
    lines = source.count(b"\n") + 1
    return Evaluator(name, path, origin, description, digest, line, lines, tuple(parameters), module)


def _line_in(path: Path, error: BaseException) -> int | None:
    """The last line of that file in an exception's traceback."""
    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return frames[-1] if frames else None


# ── what the search calls ────────────────────────────────────────────────────────────────────────


class Scorer:
    """An evaluator made ready for one set of rules: a compiled function, or Python behind a compiled one."""

    def __init__(self, evaluator: Evaluator, rules: Rules) -> None:
        asked = [name for name in ("mine", "theirs") if name in evaluator.parameters]
        if asked and rules.bits > BITBOARD_BITS:
            raise EvaluatorError(
                f"{evaluator.where}: evaluate asks for `{asked[0]}`, and a board of {rules} takes {rules.bits} bits, "
                f"more than the {BITBOARD_BITS} of a plain integer: ask for `position` and use the toolkit, or for "
                "`board`."
            )
        self.evaluator = evaluator
        self.rules = rules
        self.reason: str | None = None  # why it is not compiled
        self.saved = 0
        self._view_rules = BoardRules(rules.rows, rules.columns, rules.connect)
        self._remembered: dict[tuple[int, int, bool], float] = {}
        bits = jit.bits_type(rules.bits)
        self._signature = types.float64(bits, bits, types.boolean)
        self._adapter = self._compiled() or self._interpreted()
        self.address = jit.address_of(self._adapter, self._signature)

    @property
    def compiled(self) -> bool:
        return self.reason is None

    def score(self, position: Position, seat: Any) -> float:
        """The score of a position for the player in `seat`, as the search gets it."""
        view = position.seen_by(seat)
        mine, theirs = jit.as_bits(view.mine, self.rules.bits), jit.as_bits(view.theirs, self.rules.bits)
        try:
            return float(self._adapter(mine, theirs, view.my_turn))
        except (Exception, SystemExit) as error:
            raise self.explain(error, view.mine, view.theirs, view.my_turn) from error

    def forget(self) -> None:
        """Start a new search: nothing remembered, no calls saved."""
        self._remembered.clear()
        self.saved = 0

    def explain(self, error: BaseException, mine: int, theirs: int, my_turn: bool) -> EvaluatorFault:
        """The fault with its file, line and position; compiled code knows none of them, so Python calls again."""
        evaluator = self.evaluator
        view = View(mine, theirs, my_turn, self._view_rules)
        try:
            evaluator.score(view)
        except (Exception, SystemExit) as again:
            error = again
        line = _line_in(evaluator.path, error) or evaluator.line
        what = str(error) if isinstance(error, BadScore) else f"evaluate raised {type(error).__name__}: {error}"
        what = what or f"evaluate returned a score that is not finite and below {SCORE_LIMIT:,.0f}"
        board = Position(self.rules, mine, theirs, "first" if my_turn else "second")
        return EvaluatorFault(f"{shown(evaluator.path)}:{line}: {what}. It was asked for X in `{board}`.")

    # Compiled

    def _compiled(self) -> Any:
        """The compiled adapter, or None with the reason kept."""
        if jit.DISABLED:
            self.reason = "numba is switched off (NUMBA_DISABLE_JIT)"
            return None
        key = hashlib.sha256(f"{self.evaluator.source_hash} {self.rules!r}".encode()).hexdigest()[:16]
        folder = jit.cache_folder()
        refusal = folder / f"{self.evaluator.name}-{key}.refused.json" if folder else None
        if refusal and refusal.exists():
            self.reason = json.loads(refusal.read_text())["reason"]
            return None
        try:
            return self._adapt(f"evaluate_{self.evaluator.name.replace('-', '_')}_{key}")
        except Exception as error:  # numba raises more kinds than its own
            self.reason = _why_not(error, self.evaluator)
            if refusal:
                part = refusal.with_suffix(f".{os.getpid()}")
                part.write_text(json.dumps({"reason": self.reason}))
                part.replace(refusal)
            return None

    def _adapt(self, name: str) -> Any:
        """A function of the search's signature that hands `evaluate` what it asks for."""
        evaluator = self.evaluator
        arguments = ", ".join(f"{parameter}={PARAMETERS[parameter]}" for parameter in evaluator.parameters)
        text = (
            f"def {name}(mine, theirs, my_turn):\n"
            "    rules = make_rules()\n"
            f"    score = as_score(evaluate({arguments}))\n"
            f"    if not abs(score) < {SCORE_LIMIT!r}:\n"
            "        raise BadScore()\n"
            "    return score\n"
        )
        if evaluator.function.__code__.co_kwonlyargcount:
            raise TypeError("parameters after a `*` are left to Python")
        functions = jit.own_functions(evaluator.module)
        jit.refuse_recursion(functions)
        inline = len(functions) <= MOST_INLINED
        namespace = jit.rebind(functions, dict(vars(evaluator.module)), boundscheck=True, forceinline=inline)
        adapter_globals = {
            "evaluate": namespace["evaluate"],
            "as_score": as_score,
            "make_board": make_board,
            "make_rules": jit.constant(self._view_rules),
            "read_only": jit.read_only,
            "View": View,
            "BadScore": BadScore,
        }
        # As lines after the last of the evaluator's own file: the cache wants a file, errors a line.
        exec(compile("\n" * evaluator.lines + text, str(evaluator.path), "exec"), adapter_globals)
        dispatcher = jit.njit(jit.copy_into(adapter_globals, adapter_globals[name]))
        jit.compile_for(dispatcher, self._signature)
        return dispatcher

    # Interpreted

    def _interpreted(self) -> Any:
        """An adapter of the search's signature that calls `evaluate` in Python and remembers its scores."""

        def score(mine: int, theirs: int, my_turn: bool) -> float:
            key = (mine, theirs, my_turn)
            known = self._remembered.get(key)
            if known is not None:
                self.saved += 1
                return known
            found = self.evaluator.score(View(mine, theirs, my_turn, self._view_rules))
            if len(self._remembered) < MOST_REMEMBERED:
                self._remembered[key] = found
            return found

        self._score_in_python = score
        return jit.callable_from_search(score, self._signature)


def _why_not(error: Exception, evaluator: Evaluator) -> str:
    """One sentence on why numba refused, with the line where it stands."""
    text = str(error)
    places = re.findall(rf'{re.escape(evaluator.path.name)}"?,? (?:line |\()(\d+)', text)
    if getattr(error, "loc", None):
        places.append(error.loc.line)  # type: ignore[attr-defined]
    number = next((place for place in map(int, places) if place <= evaluator.lines), evaluator.line)
    specific = re.findall(r"^\s*\w*Error: (.+)$", text, flags=re.MULTILINE)
    ordinary = [
        part.strip()
        for part in text.splitlines()
        if part.strip() and not part.strip().startswith(("Failed in nopython mode", "During: "))
    ]
    sentence = (specific or ordinary or [type(error).__name__])[0]
    sentence = re.sub(r"\s*Raised from .*", "", sentence).rstrip(".:")
    return f"line {number}: {sentence}"
