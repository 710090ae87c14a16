"""A remote side: a player in a process of its own, which is told positions and names columns.

Both ends speak JSON, since whatever runs over there may write anything: nothing that comes back is more than numbers
and text, and a column is only a wish until the referee has seen that it is open.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast, get_args

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.jit.cache import checked
from tournament.engine.result import MOST_COUNTED, TOLD_FIELDS, SearchResult, found_of, numbers_of
from tournament.engine.settings import Settings
from tournament.errors import FaultKind, PlayerFault
from tournament.games.connect4 import Position, Rules
from tournament.isolation.ending import Ending
from tournament.isolation.environment import ProcessState, cut, read_output
from tournament.isolation.limits import LOAD_SECONDS, Isolation, Limits
from tournament.isolation.lines import Lines, send_line
from tournament.isolation.namespaces import PR_SET_DUMPABLE, prctl
from tournament.isolation.process import Process
from tournament.isolation.procfs import end_children
from tournament.isolation.rlimits import allow_no_timers, limit_memory, limit_processor, pin_to, size
from tournament.match.clock import too_late
from tournament.match.journal import close_all as close_all_journals
from tournament.match.sandboxed import MOST_CODE, command, keep_code, kept_code, own_code, take_code
from tournament.match.side import LocalSide
from tournament.plugins.agent import Agent, TimeLeft
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.perfect import Perfect
from tournament.plugins.player import Player
from tournament.plugins.plugin import MOST_TRACEBACK, Plugin
from tournament.plugins.plugin import forget_all as forget_all_plugins

MOST_ANSWER = 2 * MOST_CODE + (1 << 20)  # bytes, of an answer with machine code in it
TIMING_SECONDS = 0.5  # for timing an evaluator, of which most take a few milliseconds
ENDING_SECONDS = 2.0  # for a process that has closed its connection to end
MOST_ALIVE = 12  # processes that wait for their player's next game
MOST_WINDOWS = 200  # that a search at one depth is repeated with, from the narrowest to the widest that numbers have
LOADING_MB = 2048  # what compiling may take, on top of the limit
PLUGINS: dict[str, type[Evaluator] | type[Agent]] = {"evaluator": Evaluator, "connectx": Agent}


# ── on this side ─────────────────────────────────────────────────────────────────────────────────


class RemoteSide:
    """A player's file in a process of its own, as the referee sees it."""

    def __init__(
        self, plugin: Evaluator | Agent, rules: Rules, seed: int, limits: Limits, isolation: Isolation
    ) -> None:
        self._limits = limits
        self.is_agent = isinstance(plugin, Agent)
        self._settings: Settings | None = None  # of the game that has begun
        self._file = (plugin, rules)
        self.output = ""
        kept = kept_code(plugin, rules) if isolation == "sandbox" else None
        self._wants_code = kept is not None and checked(kept) is None
        main = command(plugin, rules) if isolation == "sandbox" else serve
        self._process = Process(main, namespaced=isolation != "game")
        self._lines = Lines(self._process.connection, MOST_ANSWER)
        told = {"file": _told(plugin), "rules": asdict(rules), "seed": seed, "limits": asdict(limits)}
        self._tell(told | {"code": self._wants_code})
        self.reason: str | None = None  # why it is not compiled, once it is loaded
        self.is_new = False  # it was compiled then

    def load(self) -> RemoteSide:
        """Itself, once it has loaded its file; PlayerFault where it can't."""
        try:
            answer = self._answer(LOAD_SECONDS, _not_loaded)
        except PlayerFault as fault:
            self.close()
            raise PlayerFault(str(fault), "load", fault.traceback) from None
        self.reason = cut(str(answer["reason"])) if answer.get("reason") is not None else None
        self.is_new = answer.get("new") is True
        if self._wants_code:
            with suppress(ValueError, TypeError):
                keep_code(*self._file, bytes.fromhex(answer.get("code")))  # type: ignore[arg-type]
        return self

    def seconds_per_call(self) -> float | None:
        """How long a call of its evaluator takes, if it tells soon: it is the last that it is asked."""
        self._tell({"calls": True})
        try:
            told = self._answer(TIMING_SECONDS, _not_loaded).get("seconds_per_call")
        except PlayerFault:
            return None
        return told if isinstance(told, float) and 0 < told < TIMING_SECONDS else None

    def begin(self, settings: Settings, processor: int | None = None) -> bool:
        """Make it ready for a new game; False where it has left something behind, and a fresh one is needed."""
        self.output = ""
        self._settings = settings
        self._tell({"begin": self._limits.game_seconds, "settings": settings.non_defaults(), "processor": processor})
        return self._answer(LOAD_SECONDS, _not_loaded).get("clean") is True

    def move(self, position: Position, time_left: TimeLeft) -> SearchResult:
        told = {"first": position.first, "second": position.second, "to_move": position.to_move, "time": time_left}
        began = time.perf_counter()
        self._tell(told)
        answer = self._answer(
            time_left.seconds, lambda: too_late(self._limits, by_game=time_left.by_game, agent=self.is_agent)
        )
        self.output = cut(self.output + str(answer.get("printed", "")))
        found = _found_of(answer.get("found"), time.perf_counter() - began)
        if found is None:
            raise self._blame("it answered with what is no move.", "illegal move")
        assert self._settings is not None, "a game has begun"
        if not self.is_agent and not can_be(found, position, self._settings):
            raise self._blame("it answered with numbers that no search of this position has.", "illegal move")
        return found

    def _tell(self, told: dict[str, Any]) -> None:
        with suppress(OSError):  # it has ended, as its answer will show
            send_line(self._process.connection, told)
        self._process.resume()

    def _answer(self, seconds: float, late: Callable[[], PlayerFault]) -> dict[str, Any]:
        """Its answer, or the fault it answers with, or that it does not answer."""
        try:
            line = self._lines.next(time.monotonic() + min(seconds, 1e6))
            if line is None:
                self._process.end()
                raise late()
            self._process.pause()  # so that nothing of it runs while the opponent thinks
            answer = json.loads(line)
        except (EOFError, OSError):
            raise self._ended() from None
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._blame("it answered with what is no answer.", "illegal move")
        if "fault" in answer:
            self.output = cut(self.output + str(answer.get("printed", "")))
            raise _fault_of(answer["fault"])
        return answer

    def _ended(self) -> PlayerFault:
        ending = self._process.end(ENDING_SECONDS)
        printed = read_output(self._process.output)
        self.output = cut(self.output + printed)
        return death(ending, printed)

    def _blame(self, what: str, kind: FaultKind) -> PlayerFault:
        self._process.end()
        return PlayerFault(what, kind)

    def close(self) -> None:
        self._process.close()


def _found_of(told: Any, spent: float) -> SearchResult | None:
    """A move as the process tells it, if it is one in form: numbers that a search can have come to."""
    try:
        numbers: list[Any] = [field.kind(number) for field, number in zip(TOLD_FIELDS, told, strict=True)]
    except (TypeError, ValueError, OverflowError):
        return None
    if any(number < field.low or number > field.high for field, number in zip(TOLD_FIELDS, numbers, strict=True)):
        return None
    found = found_of(numbers)
    wall, cpu = (
        min(max(0.0, seconds), spent) if seconds == seconds else spent for seconds in (found.seconds, found.cpu_seconds)
    )
    return found._replace(seconds=wall, cpu_seconds=cpu)


def can_be(found: SearchResult, position: Position, settings: Settings) -> bool:
    """Whether a search of this position can have come to such numbers: within what the whole tree has, and to spare."""
    rules = position.rules
    left = rules.rows * rules.columns - position.occupied.bit_count()
    depth = settings.depth
    if found.score != found.score or found.deepest > left or found.depth > (depth or left):
        return False
    counters = found.counters
    moves = rules.columns * (3 if rules.drifts else 1)  # with where their discs may land
    if depth is not None:  # a position may be searched again at each level, and the whole once for each depth
        again = depth * (MOST_WINDOWS if settings.aspiration else 1)
        whole = 0
        for _ in range(min(depth, left)):
            whole = min(MOST_COUNTED, (whole + again) * 2 * moves)
        if counters.generated > whole:
            return False
    searched = 4 * (counters.generated + left + 1)
    of_searched = (counters.expanded, counters.evaluated, counters.cutoffs)
    return max(of_searched) <= searched and (counters.untried or 0) <= rules.columns * counters.expanded


def death(ending: Ending, printed: str = "") -> PlayerFault:
    """What to say of a player whose process ended while it was to move."""
    crash = printed[printed.rfind("Fatal Python error") :] if "Fatal Python error" in printed else None
    kind: FaultKind = "signal" if ending.signal else "exit"
    return PlayerFault(f"its process ended with {ending}.", kind, crash[:MOST_TRACEBACK] if crash else None)


def _not_loaded() -> PlayerFault:
    return PlayerFault(f"its file could not be loaded within {LOAD_SECONDS:g} seconds.", "load")


def _fault_of(told: Any) -> PlayerFault:
    """A fault as the process tells it of itself, which need not be true in form."""
    try:
        kind, message, traceback = told
    except (TypeError, ValueError):
        return PlayerFault("it answered with what is no answer.", "illegal move")
    known = cast("FaultKind", kind if kind in get_args(FaultKind) else "raised")
    kept = None if traceback is None else str(traceback)[:MOST_TRACEBACK]
    return PlayerFault(str(message)[:MOST_TRACEBACK], known, kept)


def _told(plugin: Evaluator | Agent) -> list[Any]:
    """A file in words: what `_plugin` makes it from again."""
    kind = next(kind for kind, its in PLUGINS.items() if isinstance(plugin, its))
    name, path, origin, text, package, label, beside = plugin.parts
    files = [[place, its.hex()] for place, its in beside]
    return [kind, name, str(path), origin, text.hex(), package, label, files]


class RemoteSides:
    """The processes of files that have played lately, each ready for its next game."""

    def __init__(self, rules: Rules, seed: int, limits: Limits, isolation: Isolation) -> None:
        self._made_with = (rules, seed, limits, isolation)
        self._alive: OrderedDict[tuple[str, Plugin, bool], RemoteSide] = OrderedDict()

    def ready(self, player: Player, processor: int | None, *, twin: bool) -> RemoteSide:
        """The player in a process that is ready for a new game; PlayerFault where it can't be loaded.

        The same file plays at every depth in one process, but for its `twin`, which sits opposite. An agent has a fresh
        process for each game: nothing that it keeps, wherever it keeps it, reaches its next one.
        """
        key = (player.name, player.plugin, twin)
        alive = self._alive.pop(key, None)
        if alive is not None and (alive.is_agent or not self._begins(alive, player, processor)):
            alive.close()
            alive = None
        if alive is None:
            assert not isinstance(player.plugin, Perfect)  # who has no file to be kept apart
            alive = RemoteSide(player.plugin, *self._made_with).load()
            try:
                alive.begin(player.settings, processor)
            except PlayerFault:
                alive.close()
                raise
        self._alive[key] = alive
        if len(self._alive) > MOST_ALIVE:
            self._alive.popitem(last=False)[1].close()
        return alive

    @staticmethod
    def _begins(side: RemoteSide, player: Player, processor: int | None) -> bool:
        try:
            return side.begin(player.settings, processor)
        except PlayerFault:  # between two games: nobody loses one by it
            return False

    def dismiss(self, player: Player, *, twin: bool) -> None:
        """End the process of a player that has failed."""
        failed = self._alive.pop((player.name, player.plugin, twin), None)
        if failed is not None:
            failed.close()

    def close(self) -> None:
        while self._alive:
            self._alive.popitem()[1].close()


# ── on that side ─────────────────────────────────────────────────────────────────────────────────


def serve(connection: Connection) -> None:
    """The life of the process of a remote side: runs one file, then answers positions until the other end is closed."""
    faulthandler.enable(2)
    prctl(PR_SET_DUMPABLE, 0)  # nobody may look into our memory
    forget_all_plugins()
    close_all_journals()
    allow_no_timers()
    process_state = ProcessState(1)
    told_us = open(os.dup(connection.fileno()), "rb")  # noqa: SIM115  # as long as we live

    def answer(**told: Any) -> None:
        send_line(connection, {"printed": process_state.printed()} | told)

    def hear() -> Any:
        line = told_us.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    told = hear()
    plugin, rules, limits = _plugin(told["file"]), Rules(**told["rules"]), Limits(**told["limits"])
    seed, memory = told["seed"], limits.memory_mb << 20
    limit_memory(size() + memory + (LOADING_MB << 20))
    try:
        side = LocalSide(Player(plugin.name, plugin, Settings(1, usual_algorithm(rules))), rules, seed, process_state)
    except PlayerFault as fault:
        answer(fault=[fault.kind, str(fault), fault.traceback])
        return
    if side.is_agent:
        end_children()  # all else that its file has set is meant for its game: it has one
    else:
        process_state.restore()
    sides: dict[str, LocalSide] = {}
    answer(reason=side.reason, new=side.is_new, code=own_code().hex() if told["code"] else "")
    while True:
        told = hear()
        if "begin" in told:
            limit_memory(None)
            is_clean = not side.in_python or side.is_agent or process_state.restore()
            key = json.dumps(told["settings"])
            if key not in sides and not side.is_agent:  # which is run once in a process
                player = Player(plugin.name, plugin, Settings(**told["settings"]))
                sides[key] = LocalSide(player, rules, seed, process_state)
            side = sides.get(key, side)
            limit_memory(size() + memory)
            limit_processor(told["begin"])
            pin_to(told["processor"])
            answer(clean=is_clean)
            continue
        if "calls" in told:
            answer(seconds_per_call=side.seconds_per_call())
            continue
        try:
            found = side.move(Position(rules, told["first"], told["second"], told["to_move"]), TimeLeft(*told["time"]))
        except PlayerFault as fault:
            answer(fault=[fault.kind, str(fault), fault.traceback], printed=side.output)
            continue
        if side.in_python:
            end_children()  # which also lets the dead go: from outside, `pause` can only kill
        printed, side.output = side.output, ""
        answer(found=numbers_of(found), printed=printed)


def serve_in_sandbox() -> None:
    """The same in a sandbox: what `sandboxed.command` starts."""
    take_code()
    serve(Connection(int(sys.argv[1])))


def _plugin(told: list[Any]) -> Evaluator | Agent:
    kind, name, path, origin, text, package, label, files = told
    beside = tuple((place, bytes.fromhex(its)) for place, its in files)
    return PLUGINS[kind](name, Path(path), origin, bytes.fromhex(text), package, label, beside)
