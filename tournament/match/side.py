"""A side of a game, as the referee sees it: it is told a position and names a column."""

from __future__ import annotations

import random
from typing import Protocol

import numpy as np

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.timing import nanoseconds_per_call
from tournament.errors import EvaluatorError, PlayerFault
from tournament.games.connect4 import Position, Rules
from tournament.isolation.environment import ProcessState, cut
from tournament.plugins.agent import Agent, LoadedAgent, TimeLeft, played
from tournament.plugins.player import Player

TIMED_SECONDS, TIMED_RUNS = 0.0002, 20  # short runs of calls, of which the best is seldom a disturbed one


class Side(Protocol):
    """Who moves. What goes wrong is a PlayerFault."""

    output: str  # what it has printed in this game
    is_agent: bool  # it plays by an agent's clock

    def move(self, position: Position, time_left: TimeLeft) -> SearchResult:
        """The move in an undecided position, within the time that is left."""


class LocalSide:
    """A player that searches in this process."""

    def __init__(self, player: Player, rules: Rules, seed: int, process_state: ProcessState | None = None) -> None:
        try:
            plugin = player.plugin
            self._player = plugin.load() if isinstance(plugin, Agent) else player.ready(rules)
            self.is_agent = isinstance(plugin, Agent)
        except EvaluatorError as error:
            cause = error.__cause__
            kept = player.plugin.traceback_of(cause) if cause is not None else None
            raise PlayerFault(str(error), "load", kept) from error
        self._seed = seed
        self._process_state = process_state
        self.in_python = isinstance(self._player, LoadedAgent) or not self._player.scorer.compiled
        self.reason = None if isinstance(self._player, LoadedAgent) else self._player.scorer.reason
        self.is_new = not isinstance(self._player, LoadedAgent) and self._player.scorer.is_new
        self.output = cut(process_state.printed()) if process_state is not None else ""

    @property
    def compiled(self) -> Searcher | None:
        """Its search, where compiled code can play the whole game: it asks for no clock and prints nothing."""
        player = self._player
        if self.in_python or isinstance(player, LoadedAgent) or JIT_DISABLED:
            return None
        return None if player.settings.seconds is not None or player.scorer.prints else player

    def move(self, position: Position, time_left: TimeLeft) -> SearchResult:
        if self.in_python:
            self._seed_chance(position)
        try:
            if isinstance(self._player, LoadedAgent):
                return played(self._player, position, time_left)
            return self._player.search(position)
        finally:
            if self._process_state is not None:
                if self.in_python:
                    self._process_state.end_alarms()
                self.output = cut(self.output + self._process_state.printed())

    def seconds_per_call(self) -> float | None:
        """How long a call of its evaluator takes; None of an agent's, and where the evaluator fails."""
        if isinstance(self._player, LoadedAgent):
            return None
        try:
            return nanoseconds_per_call(self._player.scorer, TIMED_SECONDS, TIMED_RUNS) / 1e9
        except PlayerFault:
            return None

    def _seed_chance(self, position: Position) -> None:
        """The same luck for the same position, in whatever process and after whatever game."""
        luck = random.Random(f"{self._seed} {position.first} {position.second}")
        random.setstate(luck.getstate())
        np.random.seed(luck.getrandbits(32))
