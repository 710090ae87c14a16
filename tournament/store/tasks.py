"""What is to be done, as rows of the plan's table: here alone it is decided which kind a row is.

A game has two players and is played by the run's rules. A search of a study has one, and rules of its own; where it
starts stands in the column of the opening.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

from tournament.games.connect4 import Rules

IS_GAME = "second IS NOT NULL"  # of a row, in SQL


class GameTask(NamedTuple):
    """A game that is to be played: what a worker needs to know of it."""

    id: str
    first: str  # the player's key
    second: str
    opening: str
    level: str  # of the deeper of the two searches, in words

    @property
    def players(self) -> tuple[str, ...]:
        return self.first, self.second


class SearchTask(NamedTuple):
    """A search of a study that is to be made, of a position or of every position of a game."""

    id: str
    player: str  # its key
    rules: Rules
    start: str
    level: str  # of the search, in words
    part: str  # of the study
    place: str  # the name of the position or game

    @property
    def players(self) -> tuple[str, ...]:
        return (self.player,)


Task = GameTask | SearchTask


class Planned(NamedTuple):
    """A task with about what it costs: the costly ones are begun first."""

    task: Task
    weight: float


COLUMNS = ("game", "first", "second", "opening", "level", "rules", "part", "place")  # of the plan's table, for a task


def row_of(task: Task) -> tuple[Any, ...]:
    """A task as a row of COLUMNS."""
    if isinstance(task, GameTask):
        return (*task, None, "", "")
    return (task.id, task.player, None, task.start, task.level, rules_text(task.rules), task.part, task.place)


def task_of(row: Sequence[Any]) -> Task:
    """The task that a row of COLUMNS is."""
    id, first, second, opening, level, rules, part, place = row
    if second is not None:
        return GameTask(id, first, second, opening, level)
    return SearchTask(id, first, rules_of(rules), opening, level, part, place)


@lru_cache(maxsize=64)
def rules_text(rules: Rules) -> str:
    return json.dumps(asdict(rules))


@lru_cache(maxsize=64)
def rules_of(text: str) -> Rules:
    return Rules(**json.loads(text))
