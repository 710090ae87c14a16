"""The algorithms and move orders: a table of each, with what it can do and what it switches on in the search."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tournament.games.connect4 import Rules

Algorithm = Literal["alphabeta", "minimax", "pvs", "expectiminimax", "star1", "star2"]
Order = Literal["left", "centre", "killers", "history", "random"]


class AlgorithmInfo(NamedTuple):
    """What there is to know of an algorithm."""

    help: str
    chance: bool = False  # whether it is for boards on which discs drift, and for no others
    prunes: bool = True
    extended: bool = False  # whether it needs what plain minimax and alpha-beta are compiled without
    repeats: bool = False  # whether it searches a position again that it has searched: to scout, or to probe
    switches: tuple[str, ...] = ()  # fields of the search's state that it sets to 1


class OrderInfo(NamedTuple):
    """What there is to know of a move order."""

    help: str
    learns: bool = False  # from the search itself; it begins as `centre`
    ties: Literal["left", "centre"] = "centre"  # the fixed order by which equally good moves are told apart
    switches: tuple[str, ...] = ()


ALGORITHMS: dict[Algorithm, AlgorithmInfo] = {
    "alphabeta": AlgorithmInfo("Leaves out what can't change the value of the root."),
    "minimax": AlgorithmInfo("Looks at every position.", prunes=False),
    "pvs": AlgorithmInfo(
        "Principal variation search: scouts with an empty window.",
        extended=True,
        repeats=True,
        switches=("use_scouts",),
    ),
    "expectiminimax": AlgorithmInfo("Looks at every position and every outcome.", chance=True, prunes=False),
    "star1": AlgorithmInfo("Ballard's pruning by the bounds of all values.", chance=True),
    "star2": AlgorithmInfo(
        "Ballard's pruning that probes one reply first.", chance=True, repeats=True, switches=("use_probes",)
    ),
}
ORDERS: dict[Order, OrderInfo] = {
    "left": OrderInfo("From the left.", ties="left"),
    "centre": OrderInfo("From the centre."),
    "killers": OrderInfo("First what has cut off at this depth.", learns=True, switches=("use_killers",)),
    "history": OrderInfo("First what has cut off anywhere.", learns=True, switches=("use_history",)),
    "random": OrderInfo("Shuffled at each position.", ties="left", switches=("use_shuffle",)),
}

WITH_CHANCE = tuple(name for name, known in ALGORITHMS.items() if known.chance)
WITHOUT_CHANCE = tuple(name for name, known in ALGORITHMS.items() if not known.chance)
UNPRUNED = tuple(name for name, known in ALGORITHMS.items() if not known.prunes)
DYNAMIC = tuple(name for name, known in ORDERS.items() if known.learns)
USUAL: Algorithm = "alphabeta"
USUAL_WITH_CHANCE: Algorithm = "star1"


def algorithms_for(rules: Rules) -> tuple[Algorithm, ...]:
    """Those that can search by these rules."""
    return WITH_CHANCE if rules.drifts else WITHOUT_CHANCE


def usual_algorithm(rules: Rules) -> Algorithm:
    """The algorithm where none is named: one that prunes, with chance where discs drift."""
    return USUAL_WITH_CHANCE if rules.drifts else USUAL
