"""How to search: the algorithm, how deep or for how long, and the improvements that are switched on."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from tournament.engine.algorithms import DYNAMIC, UNPRUNED, WITH_CHANCE, Algorithm, Order
from tournament.engine.values import MOST_DEPTH
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules
from tournament.system import memory_available
from tournament.text import nearest

MOST_TABLE = 36  # a power of two: 2 TB, so that the mistake is named by its size and not by a crash


class Effort(NamedTuple):
    """How far a search may go: so many plies, or as far as a budget of nodes or of seconds lets it."""

    kind: Literal["depth", "nodes", "seconds"]
    size: float  # a whole number, but of seconds

    @property
    def is_depth(self) -> bool:
        return self.kind == "depth"

    @property
    def text(self) -> str:
        """As tables show it: `8`, `20,000 nodes` or `0.05 s`."""
        if self.kind == "depth":
            return str(self.size)
        return f"{self.size:,} nodes" if self.kind == "nodes" else f"{self.size:g} s"

    @property
    def sentence(self) -> str:
        """As a sentence names it: `depth 8`, `20,000 nodes`."""
        return f"depth {self.text}" if self.is_depth else self.text

    @property
    def order(self) -> tuple[int, float]:
        """Sorts efforts of one kind by size: depths, then nodes, then seconds."""
        return ("depth", "nodes", "seconds").index(self.kind), self.size


@dataclass(frozen=True)
class Settings:
    """A search to a fixed depth, or within a budget of nodes or seconds, and what is switched on in it.

    None of the options changes the value of a search to a fixed depth, nor its move: of equally good ones the
    first in the fixed move order is chosen, whatever order they were searched in.
    """

    depth: int | None = None
    algorithm: Algorithm = "alphabeta"
    order: Order = "left"
    table: int = 0  # a transposition table of 2 ** table positions; 0 is none
    iterative: bool = False
    aspiration: float = 0.0  # half the width of the window around the score of the depth before; 0 is none
    nodes: int | None = None  # the most positions to generate
    seconds: float | None = None

    def __post_init__(self) -> None:
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        given = [f"{name} {value}" for name, value in limits.items() if value is not None]
        if len(given) != 1:
            told = f"{' and '.join(given)} are given" if given else "no limit is given"
            raise TourneyError(f"{told}: a search has either a depth, or a budget of nodes or of seconds.")
        if self.depth is not None and not 1 <= self.depth <= MOST_DEPTH:
            raise TourneyError(f"depth is {self.depth}: a search looks 1 to {MOST_DEPTH} plies ahead.")
        if self.nodes is not None and not 1 <= self.nodes < 1 << 62:
            raise TourneyError(f"nodes is {self.nodes}: a budget is at least 1 node.")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise TourneyError(f"seconds is {self.seconds}: a budget is a positive number of seconds.")
        for value, known, what in (
            (self.algorithm, get_args(Algorithm), "algorithm"),
            (self.order, get_args(Order), "order"),
        ):
            if value not in known:
                raise TourneyError(
                    f"{what} `{value}` is not known{nearest(value, known)} Known are {', '.join(known)}."
                )
        if not 0 <= self.table <= MOST_TABLE:
            raise TourneyError(
                f"table is {self.table}: it is the power of two of its positions, 1 to {MOST_TABLE}, or 0 for none."
            )
        if not 0 <= self.aspiration < math.inf:
            raise TourneyError(f"aspiration is {self.aspiration}: half the width of a window is a positive number.")
        if self.aspiration and not self.deepens:
            raise TourneyError("aspiration needs `iterative`: its window stands around the score of the depth before.")
        if self.aspiration and self.algorithm in UNPRUNED:
            raise TourneyError(f"aspiration has no use in {self.algorithm}, which prunes nothing.")

    @property
    def deepens(self) -> bool:
        """Whether it searches depth 1, then 2, and so on."""
        return self.iterative or self.depth is None

    @property
    def improved(self) -> bool:
        """Whether anything is switched on that plain minimax and alpha-beta are compiled without."""
        return self.deepens or self.table > 0 or self.algorithm == "pvs" or self.order in DYNAMIC

    @property
    def effort(self) -> Effort:
        """How far it may go: its depth or its budget."""
        if self.depth is not None:
            return Effort("depth", self.depth)
        return Effort("nodes", self.nodes) if self.nodes is not None else Effort("seconds", self.seconds or 0)

    @property
    def limit(self) -> str:
        """The effort as tables show it: `8`, `20,000 nodes` or `0.05 s`."""
        return self.effort.text

    @property
    def level(self) -> str:
        """The effort in a sentence: `depth 8`, `20,000 nodes`."""
        return self.effort.sentence

    @property
    def rank(self) -> tuple[int, float]:
        """Sorts efforts of one kind by size: depths, then nodes, then seconds."""
        return self.effort.order

    @property
    def weight(self) -> float:
        """About the depth of a search that costs as much: what is dear is played first."""
        if self.depth is not None:
            return self.depth
        return math.log(self.nodes if self.nodes is not None else 3e7 * (self.seconds or 0) + 1, 3)

    @property
    def described(self) -> str:
        """The algorithm and what is switched on in it, as in `pvs, history, table 20`."""
        told: list[str] = [self.algorithm]
        if self.order != "left":
            told.append(self.order)
        if self.table:
            told.append(f"table {self.table}")
        if self.iterative:
            told.append("iterative")
        if self.aspiration:
            told.append(f"aspiration {self.aspiration:g}")
        return ", ".join(told)

    def told(self) -> dict[str, Any]:
        """What is not as usual, by name: what a key is made from and what files keep."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}

    def suit(self, rules: Rules) -> None:
        """Raise where the algorithm can't search by these rules."""
        if rules.drifts and self.algorithm not in WITH_CHANCE:
            raise TourneyError(
                f"{self.algorithm} knows no chance, and discs drift on this board: use {', '.join(WITH_CHANCE)}."
            )
        if not rules.drifts and self.algorithm in WITH_CHANCE:
            without = [name for name in get_args(Algorithm) if name not in WITH_CHANCE]
            raise TourneyError(
                f"{self.algorithm} is for boards on which discs drift, and on this one none does: "
                f"use {', '.join(without)}, or let discs drift."
            )


ENTRY_BYTES = 32  # of a position in a transposition table


def check_memory(size: int, copies: int = 1) -> None:
    """Raise where so many tables do not fit into the memory that is free."""
    wanted, free = copies * ENTRY_BYTES << size, memory_available()
    if wanted > free:
        largest = max(0, (free // (copies * ENTRY_BYTES)).bit_length() - 1)
        each = f" in each of {copies} processes" if copies > 1 else ""
        raise TourneyError(
            f"a table of 2^{size} positions{each} takes {wanted / 2**30:,.1f} GB and {free / 2**30:,.1f} GB are free: "
            f"use a table of at most {largest}."
        )
