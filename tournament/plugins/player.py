"""A player: a named evaluator with search settings, or an agent that plays by itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property

from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules
from tournament.plugins.agent import Agent
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.perfect import Perfect


@dataclass(frozen=True)
class Player:
    """Who plays: a name for the tables, a file, and how it searches.

    An agent searches as it likes, and so does the oracle; their settings say at which depth or budget their opponents
    are met.
    """

    name: str
    plugin: Evaluator | Agent | Perfect
    settings: Settings
    has_book: bool = False  # it plays without search while the position is in the book

    @property
    def evaluator(self) -> Evaluator:
        assert isinstance(self.plugin, Evaluator)
        return self.plugin

    @cached_property
    def key(self) -> str:
        """A short name for all that decides this player's moves: its settings and the text of its file."""
        told = [self.name, self.plugin.name, self.plugin.source_hash, self.settings.non_defaults()]
        if isinstance(self.plugin, Agent):
            told.append("connectx")
        if isinstance(self.plugin, Perfect):
            told.append("oracle")
        if self.has_book:
            told.append("book")
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def ready(self, rules: Rules) -> Searcher:
        """The player's search, compiled for these rules. An agent has none."""
        return Searcher(scorer(self.evaluator, rules), self.settings)


@cache
def scorer(evaluator: Evaluator, rules: Rules) -> Scorer:
    """The evaluator compiled for these rules, once in a process, whatever the number of depths it plays at."""
    return Scorer(evaluator, rules)
