"""Whether algorithms that must agree do: the same value everywhere, and the same move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tournament.engine.algorithms import ORDERS, UNPRUNED
from tournament.games.connect4 import column_digit
from tournament.store import StoredSearches


class Answer(NamedTuple):
    """What an algorithm said of a position."""

    algorithm: str
    order: str  # in which ties are broken
    score: float | None
    column: int
    equals: str | None  # the columns it knows to be as good, all of them where nothing was pruned
    complete: bool


class Difference(NamedTuple):
    """Two answers to one question that can't both be right."""

    board: str
    evaluator: str
    place: str
    depth: int
    one: Answer
    other: Answer


class Agreement(NamedTuple):
    """How many positions several algorithms have searched, and each answer that differs from one before."""

    positions: int  # each once for every evaluator and depth
    differences: list[Difference]
    other_moves: int  # positions on which two orders chose two moves of one value
    repeated: tuple[str, ...]  # why a position counts more than once: by several of an `evaluator`, `depth`


def agreement_of(found: Iterable[StoredSearches]) -> Agreement:
    """What the searches of one part of a study say of each other."""
    answers: dict[tuple[str, str, str, int], list[Answer]] = {}
    for one in found:
        settings = one.player.settings
        order = ORDERS[settings.order].ties
        for number, move in enumerate(one.moves, start=1):
            place = f"{one.place}, move {number}" if len(one.moves) > 1 else one.place
            key = (one.rules.described, one.player.name, place, settings.depth or 0)
            complete = settings.algorithm in UNPRUNED
            answer = Answer(settings.described, order, move.score, move.chosen, move.equals, complete)
            answers.setdefault(key, []).append(answer)
    differences = []
    for where, given in answers.items():
        for number, other in enumerate(given):
            differing = next((earlier for earlier in given[:number] if not agree(earlier, other)), None)
            if differing is not None:
                differences.append(Difference(*where, differing, other))
    other_moves = sum(len({answer.column for answer in given}) > 1 for given in answers.values())
    compared = [where for where, given in answers.items() if len(given) > 1]
    _, evaluators, _, depths = ({where[part] for where in compared} for part in range(4))
    repeated = [name for name, found in (("evaluator", evaluators), ("depth", depths)) if len(found) > 1]
    return Agreement(len(compared), differences, other_moves, tuple(repeated))


def agree(one: Answer, other: Answer) -> bool:
    """Whether two searches of one position say the same.

    Of equally good moves each takes the first in its own order, so between different orders another move is as
    good if it is among those that a search without pruning knows to be equal.
    """
    if one.score != other.score:
        return False
    if one.column == other.column:
        return True
    if one.order == other.order:
        return False
    for knows, chose in ((one, other), (other, one)):
        if knows.complete and column_digit(chose.column) not in (knows.equals or ""):
            return False
    return True
