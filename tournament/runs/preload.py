"""Before a run every player's file is run and compiled once, in a process of its own.

So the process that holds the store runs no plug-in's code, and what a file can't do is known before the first game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tournament.engine import nodes
from tournament.engine.jit.specialise import load_compiler
from tournament.engine.timing import load_timing
from tournament.errors import PlayerFault
from tournament.games.connect4 import Rules
from tournament.isolation.bubblewrap import check_sandbox
from tournament.isolation.limits import Isolation, Limits
from tournament.isolation.namespaces import has_name_spaces
from tournament.isolation.rlimits import limits_memory
from tournament.match.remote_side import RemoteSide
from tournament.plugins.agent import Agent
from tournament.plugins.compiled import warm_up
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.perfect import Perfect
from tournament.plugins.player import Player
from tournament.truth.book import book
from tournament.truth.compiled import compiled

MANY = 3  # files to compile for one board, from which on it pays to warm up for them

File = tuple[Evaluator | Agent, Rules]  # that is run, and the rules it is compiled for


class Preloaded(NamedTuple):
    """How a player's file did: why it is not compiled, why it can't be loaded at all, and what a call takes."""

    reason: str | None
    fault: str | None
    call_seconds: float | None  # None: it was not timed, or could not be


def reached(isolation: Isolation) -> str:
    """The level of isolation that this system lets us reach, in the words of the report."""
    if isolation == "sandbox":
        return isolation
    lacking = ["name spaces"] if isolation == "player" and not has_name_spaces() else []
    lacking += [] if limits_memory() else ["a memory limit"]
    return f"{isolation} without {' or '.join(lacking)}" if lacking else isolation


def preload(
    searches: Iterable[tuple[Player, Rules]],
    limits: Limits,
    isolation: Isolation,
    jobs: int,
    tell: Callable[[str], None],
    *,
    timed: bool,
) -> dict[tuple[Player, Rules], Preloaded]:
    """Load every player by its rules, each file once by each; the engine is compiled in this process.

    Where wanted each evaluator is timed, in the same process of its own and after all that could be its fault.
    """
    if isolation == "sandbox":
        check_sandbox()
    wanted = list(searches)
    tell("loading the search")
    for player, rules in wanted:
        nodes.compiled(rules, player.settings.extended)
        if timed:
            load_timing(rules)
    files: list[File] = []
    found: dict[tuple[Evaluator | Agent | Perfect, Rules], Preloaded] = {}
    for player, rules in wanted:
        plugin = player.plugin
        if isinstance(plugin, Perfect):
            compiled(rules.rows, rules.columns, rules.connect)  # the solver, here, for all that are forked from us
            found[plugin, rules] = Preloaded(None, None, None)
        elif (plugin, rules) not in files:
            files.append((plugin, rules))
        if player.has_book:
            book()
    loaded = len(found)
    is_warm = isolation == "sandbox"  # whose processes are not forked from this one
    while files:
        some, files = files[:jobs], files[jobs:]
        names = ", ".join(plugin.name for plugin, _ in some)
        now = len(found) - loaded + len(some)
        tell(f"loading {names}: file {now} of {now + len(files)}")
        started = [((plugin, rules), RemoteSide(plugin, rules, 1, limits, isolation)) for plugin, rules in some]
        found |= dict(_loaded(started, timed=timed))
        if not is_warm and any(side.is_new or side.reason is not None for _, side in started):
            is_warm = True
            load_compiler()  # once, for all that are forked from here: for more files, and those that stay in Python
            for rules, many in Counter(rules for _, rules in files).items():
                if many >= MANY:
                    warm_up(rules)
    return {(player, rules): found[player.plugin, rules] for player, rules in wanted}


def _loaded(started: list[tuple[File, RemoteSide]], *, timed: bool) -> Iterator[tuple[File, Preloaded]]:
    for of, side in started:
        try:
            reason = side.load().reason
            yield of, Preloaded(reason, None, side.seconds_per_call() if timed else None)
        except PlayerFault as fault:
            yield of, Preloaded(str(fault), str(fault), None)
        finally:
            side.close()
