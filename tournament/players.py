"""A player: a named evaluator with search settings."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property

from tournament.evaluator import Evaluator
from tournament.rules import Rules
from tournament.scorer import Scorer
from tournament.search import Searcher
from tournament.settings import Settings


@dataclass(frozen=True)
class Player:
    """Who plays: a name for the tables, an evaluator, and how it searches."""

    name: str
    evaluator: Evaluator
    settings: Settings

    @cached_property
    def key(self) -> str:
        """A short name for all that decides this player's moves: its settings and the text of its evaluator."""
        told = [self.name, self.evaluator.name, self.evaluator.source_hash, self.settings.told()]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]

    def ready(self, rules: Rules) -> Searcher:
        """The player's search, compiled for these rules."""
        return Searcher(scorer(self.evaluator, rules), self.settings)


@cache
def scorer(evaluator: Evaluator, rules: Rules) -> Scorer:
    """The evaluator compiled for these rules, once in a process, whatever the number of depths it plays at."""
    return Scorer(evaluator, rules)
