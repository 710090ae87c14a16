"""Before a run every player's file is run and compiled once, in a process of its own.

So the process that holds the store runs no plug-in's code, and what a file can't do is known before the first game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from tournament.engine import nodes
from tournament.errors import PlayerFault
from tournament.games.connect4 import Rules
from tournament.isolation.bubblewrap import check_sandbox
from tournament.isolation.limits import Isolation, Limits
from tournament.isolation.namespaces import has_name_spaces
from tournament.match.remote_side import RemoteSide
from tournament.plugins.agent import Agent
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import Player

File = tuple[Evaluator | Agent, Rules]  # that is run, and the rules it is compiled for


class Preloaded(NamedTuple):
    """How a player's file did: why it is not compiled, and why it can't be loaded at all."""

    reason: str | None
    fault: str | None


def reached(isolation: Isolation) -> str:
    """The level of isolation that this system lets us reach, in the words of the report."""
    return "player without name spaces" if isolation == "player" and not has_name_spaces() else isolation


def preload(
    searches: Iterable[tuple[Player, Rules]], limits: Limits, isolation: Isolation, jobs: int
) -> dict[tuple[Player, Rules], Preloaded]:
    """Load every player by its rules, each file once by each; the engine is compiled in this process."""
    if isolation == "sandbox":
        check_sandbox()
    wanted = list(searches)
    for player, rules in wanted:
        nodes.compiled(rules, player.settings.extended)
    files = iter({(player.plugin, rules): None for player, rules in wanted})
    found: dict[File, Preloaded] = {}
    while some := list(islice(files, jobs)):
        started = [((plugin, rules), RemoteSide(plugin, rules, 1, limits, isolation)) for plugin, rules in some]
        found |= dict(_loaded(started))
    return {(player, rules): found[player.plugin, rules] for player, rules in wanted}


def _loaded(started: list[tuple[File, RemoteSide]]) -> Iterator[tuple[File, Preloaded]]:
    for of, side in started:
        try:
            yield of, Preloaded(side.load().reason, None)
        except PlayerFault as fault:
            yield of, Preloaded(str(fault), str(fault))
        finally:
            side.close()
