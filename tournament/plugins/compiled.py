"""An evaluator made ready for one set of rules: compiled as it is written, or Python behind a compiled function."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload, register_jitable

from tournament.engine.jit.cache import cache_folder
from tournament.engine.jit.calls import address_of, callable_from_search
from tournament.engine.jit.specialise import JIT_DISABLED, as_bits, bits_type, compile_for, copy_into, njit, rebind
from tournament.engine.values import SCORE_LIMIT
from tournament.errors import BadScore, EvaluatorError, EvaluatorFault
from tournament.games.connect4 import BoardRules, Position, Rules, Seat, View
from tournament.games.connect4.inputs import MADE_BY, make_board
from tournament.plugins import safety
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.safety import digest_of_globals, own_functions, refuse_unsafe, uses_others

BITBOARD_BITS = 63  # so that `mine` and `theirs` are ordinary non-negative integers, compiled or not
MOST_INLINED = 12  # functions of a file; inlining doubles its speed, but more could multiply beyond measure
MOST_REMEMBERED = 1 << 18  # scores of an interpreted evaluator; about 50 MB

# The cache folder is named after the engine and the games. What is made here depends on these two files as well.
OWN_SOURCES = hashlib.sha256(b"".join(Path(file).read_bytes() for file in (__file__, safety.__file__))).hexdigest()

register_jitable(make_board)


def as_score(value: float) -> float:
    """What an evaluator returned, as a float; anything but a number is refused when it is compiled."""
    return float(value)


@overload(as_score, strict=False)
def _compiled_as_score(value: Any) -> Any:
    if isinstance(value, types.Boolean):
        return lambda value: 1.0 if value else 0.0
    if isinstance(value, types.Integer | types.Float):
        return lambda value: float(value)
    if isinstance(value, types.Optional):
        raise TypingError("ValueError: evaluate does not return a number in every case")
    raise TypingError(f"ValueError: evaluate returns {value}, and a score is a number")


class Scorer:
    """What the search calls. `compiled` says how it runs, and `reason` why it is not compiled."""

    def __init__(self, evaluator: Evaluator, rules: Rules) -> None:
        asked = [name for name in ("mine", "theirs") if name in evaluator.parameters]
        if asked and rules.bits > BITBOARD_BITS:
            raise EvaluatorError(
                f"{evaluator.where}: evaluate asks for `{asked[0]}`, and a board of {rules} takes {rules.bits} bits, "
                f"more than the {BITBOARD_BITS} of a plain integer: ask for `position` and use the toolkit, or for "
                "`board`."
            )
        self.evaluator = evaluator
        self.name = evaluator.name
        self.rules = rules
        self.reason: str | None = None
        self.is_new = False  # it was compiled now, and not found on disk
        self.saved = 0  # calls answered from memory since the last search began
        self.prints = any("print" in one.__code__.co_names for one in own_functions(evaluator.module).values())
        self._board_rules = BoardRules.of(rules)
        self._remembered: dict[tuple[int, int, bool], float] = {}
        bits = bits_type(rules.bits)
        self._signature = types.float64(bits, bits, types.boolean)
        self._in_python = self._score_in_python  # one object, to be kept as long as this one
        self._adapter = self._compiled() or callable_from_search(self._in_python, self._signature)
        self.address = address_of(self._adapter, self._signature)

    @property
    def compiled(self) -> bool:
        return self.reason is None

    def score(self, position: Position, seat: Seat) -> float:
        """The score of a position for the player in `seat`, as the search gets it."""
        view = position.seen_by(seat)
        mine, theirs = as_bits(view.mine, self.rules.bits), as_bits(view.theirs, self.rules.bits)
        try:
            return float(self._adapter(mine, theirs, view.my_turn))
        except Exception as error:
            raise self.explain(error, view.mine, view.theirs, view.my_turn) from error

    def forget(self) -> None:
        """Start a new search: nothing remembered, no calls saved."""
        self._remembered.clear()
        self.saved = 0

    def explain(self, error: Exception, mine: int, theirs: int, my_turn: bool) -> EvaluatorFault:
        """The fault with its file, line and position. Compiled code knows none of them, so Python calls again."""
        if isinstance(error, EvaluatorFault):
            return error
        view = View(mine, theirs, my_turn, self._board_rules)
        try:
            self.evaluator.score(view)
        except EvaluatorFault as fault:
            return fault
        return self.evaluator.fault(view, f"evaluate raised {type(error).__name__} ({error}) when it was compiled")

    def _score_in_python(self, mine: int, theirs: int, my_turn: bool) -> float:
        """The score by plain Python, which costs so much that it is remembered within a search."""
        key = (mine, theirs, my_turn)
        known = self._remembered.get(key)
        if known is not None:
            self.saved += 1
            return known
        score = self.evaluator.score(View(mine, theirs, my_turn, self._board_rules))
        if len(self._remembered) < MOST_REMEMBERED:
            self._remembered[key] = score
        return score

    def _compiled(self) -> Any:
        """The compiled adapter, or None with the reason kept."""
        if JIT_DISABLED:
            self.reason = "numba is switched off (NUMBA_DISABLE_JIT)"
            return None
        functions = own_functions(self.evaluator.module)
        told = [self.evaluator.source_hash, repr(self._board_rules), numba.__version__, OWN_SOURCES]
        told.append(digest_of_globals(functions, vars(self.evaluator.module)))
        key = hashlib.sha256(" ".join(told).encode()).hexdigest()[:20]
        folder = cache_folder()
        refusal = folder / f"{key}.refused.json" if folder else None
        if refusal and refusal.exists():
            self.reason = json.loads(refusal.read_text())["reason"]
            return None
        try:
            refuse_unsafe(functions, vars(self.evaluator.module))
            return self._adapt(f"evaluate_{key}", functions)
        except Exception as error:  # numba raises more kinds than its own
            self.reason = why_not(error, self.evaluator)
            if refusal and not isinstance(error, OSError | MemoryError):  # which pass: the next time it may compile
                with suppress(OSError):
                    part = refusal.with_suffix(f".{os.getpid()}")
                    part.write_text(json.dumps({"reason": self.reason}))
                    part.replace(refusal)
            return None

    def _adapt(self, name: str, functions: dict[str, Any]) -> Any:
        """A function of the search's signature that hands `evaluate` what it asks for."""
        evaluator = self.evaluator
        inline = len(functions) <= MOST_INLINED
        namespace = rebind(functions, dict(vars(evaluator.module)), boundscheck=True, forceinline=inline)
        # numba's cache wants a function to stand in a file, and its errors name a line of it. So the adapter stands, as
        # it were, in the evaluator's file, behind its last line: no line of the evaluator's own is blamed for it.
        place = (str(evaluator.file), evaluator.lines)
        dispatcher = njit(adapter(name, namespace["evaluate"], evaluator.parameters, self._board_rules, place))
        others = uses_others(functions, vars(evaluator.module))
        self.is_new = compile_for(dispatcher, self._signature, needs_numba=others)
        return dispatcher


def adapter(
    name: str, evaluate: Any, parameters: Iterable[str], rules: BoardRules, place: tuple[str, int]
) -> Callable[..., float]:
    """A function of the search's signature that hands `evaluate` what it asks for; it stands behind so many lines."""
    arguments = ", ".join(f"{parameter}={MADE_BY[parameter]}" for parameter in parameters)
    text = (
        f"def {name}(mine, theirs, my_turn):\n"
        "    rules = make_rules()\n"
        f"    score = as_score(evaluate({arguments}))\n"
        f"    if not abs(score) < {SCORE_LIMIT!r}:\n"
        "        raise BadScore()\n"
        "    return score\n"
    )
    own_globals = {
        "evaluate": evaluate,
        "as_score": as_score,
        "make_board": make_board,
        "make_rules": constant(rules),
        "read_only": read_only,
        "View": View,
        "BadScore": BadScore,
    }
    exec(compile("\n" * place[1] + text, place[0], "exec"), own_globals)
    return copy_into(own_globals, own_globals[name])


def cell_by_cell(board: Any, rules: Any) -> int:
    """About what the files of most people do."""
    score = 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            score += board[row, column] * abs(column)
    return score


def warm_up(rules: Rules) -> None:
    """Have the compiler make what most files need (`board`, loops over it), and keep it in this process.

    Processes that are forked from it then compile a file in a third of the time.
    """
    if not JIT_DISABLED:
        bits = bits_type(rules.bits)
        evaluate = rebind({"evaluate": cell_by_cell}, {}, boundscheck=True, forceinline=True)["evaluate"]
        made = adapter("warm_up", evaluate, ("board", "rules"), BoardRules.of(rules), (__file__, 0))
        numba.njit(types.float64(bits, bits, types.boolean), nogil=True, no_cfunc_wrapper=True)(made)


NOISE = ("Failed in nopython mode", "During: ", "Invalid use of", "There are ", ">>>", "Type of variable '$")


def why_not(error: Exception, evaluator: Evaluator) -> str:
    """One sentence on why numba refused, with the line where it stands."""
    text = str(error)
    places = re.findall(rf'{re.escape(evaluator.file.name)}"?,? (?:line |\()(\d+)', text)
    if getattr(error, "loc", None):
        places.append(error.loc.line)  # type: ignore[attr-defined]
    number = next((place for place in map(int, places) if 0 < place <= evaluator.lines), evaluator.line)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [match[1] for line in lines if (match := re.match(r"\w*Error: (.+)", line))]
    useful = [line for line in [*told, *lines] if not line.startswith(NOISE)]
    sentence = (useful or ["numba can't tell the types of what is computed here"])[0]
    return f"line {number}: {re.sub(r' *Raised from .*', '', sentence).rstrip('.:')}"


@intrinsic
def read_only(typingctx: Any, array: Any) -> Any:
    """The same array, which compiled code then refuses to write to."""
    kind = array.copy(readonly=True)
    return kind(array), lambda context, builder, sig, args: impl_ret_borrowed(context, builder, kind, args[0])


def constant(values: Any) -> Any:
    """What makes a named tuple of ints in compiled code, each known by its type and so a constant everywhere."""
    kind = types.NamedTuple(tuple(types.literal(value) for value in values), type(values))

    @intrinsic
    def make(typingctx: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            members = [context.get_constant(types.int64, value) for value in values]
            return context.make_tuple(builder, kind, members)

        return kind(), emit

    return make
