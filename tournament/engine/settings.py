"""How to search: the algorithm, how deep or for how long, and the improvements that are switched on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from tournament.engine.algorithms import (
    ALGORITHMS,
    ORDERS,
    USUAL,
    USUAL_WITH_CHANCE,
    WITH_CHANCE,
    WITHOUT_CHANCE,
    Algorithm,
    Order,
    algorithms_for,
    usual_algorithm,
)
from tournament.engine.values import MOST_DEPTH
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules
from tournament.options import Option, choices, option, options
from tournament.system import memory_available
from tournament.text import counted, either, nearest

MOST_TABLE = 36  # a power of two: 2 TB, so that the mistake is named by its size and not by a crash
MOST_ORDER_SEED = (1 << 31) - 1  # what the mixing of seed and position takes
MOST_THREADS = 64  # as many as the root has moves on the widest board
LIMITS = ("depth", "nodes", "seconds")  # of which a search has one


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
        return counted(int(self.size), "node") if self.kind == "nodes" else f"{self.size:g} s"

    @property
    def sentence(self) -> str:
        """As a sentence names it: `depth 8`, `20,000 nodes`."""
        return f"depth {self.text}" if self.is_depth else self.text

    @property
    def order(self) -> tuple[int, float]:
        """Sorts efforts of one kind by size: depths, then nodes, then seconds."""
        return LIMITS.index(self.kind), self.size


@dataclass(frozen=True)
class Settings:
    """A search to a fixed depth, or within a budget of nodes or seconds, and what is switched on in it.

    None of the options changes the value of a search to a fixed depth, nor its move: of equally good ones the
    first in the fixed move order is chosen, whatever order they were searched in.
    """

    depth: int | None = option(None, label="depth", least=1, most=MOST_DEPTH, help="How many plies to look ahead.")
    algorithm: Algorithm = option(
        USUAL,
        label="Algorithm",
        usual=f"{USUAL} or {USUAL_WITH_CHANCE}",
        help=f"{either(WITHOUT_CHANCE)}; where discs drift {either(WITH_CHANCE)}.",
    )
    order: Order = option("left", label="Move order", help=f"The order in which moves are tried: {either(ORDERS)}.")
    order_seed: int = option(
        1,
        label="Seed of the order",
        least=0,
        most=MOST_ORDER_SEED,
        help="Where the move order is random, what it is drawn from.",
        also="seed",
    )
    table: int = option(
        0,
        label="Table, 2^n",
        least=0,
        most=MOST_TABLE,
        help="A transposition table of 2^TABLE positions; 0 is none.",
    )
    iterative: bool = option(False, label="Depth by depth", help="Search depth 1, then 2, and so on.")
    aspiration: float = option(
        0.0, label="Window ±", help="Half the width of a window around the score of the depth before; 0 is none."
    )
    threads: int = option(
        1,
        label="Threads",
        least=1,
        most=MOST_THREADS,
        help="Threads that share the moves at the root: the same value and move; counters depend on timing.",
        needs_cores=True,
    )
    nodes: int | None = option(
        None, label="positions", least=1, help="Instead of a depth: the most positions to generate."
    )
    seconds: float | None = option(None, label="seconds", help="Instead of a depth: the time to search.")

    def __post_init__(self) -> None:
        given = [f"{name} {value}" for name in LIMITS if (value := getattr(self, name)) is not None]
        if len(given) != 1:
            told = f"{' and '.join(given)} are given" if given else "no limit is given"
            raise TourneyError(f"{told}: a search has either a depth, or a budget of nodes or of seconds.")
        if self.depth is not None and not 1 <= self.depth <= MOST_DEPTH:
            raise TourneyError(f"depth is {self.depth}: a search looks 1 to {MOST_DEPTH} plies ahead.")
        if self.nodes is not None and not 1 <= self.nodes < 1 << 62:
            raise TourneyError(f"nodes is {self.nodes}: a budget is at least 1 node.")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise TourneyError(f"seconds is {self.seconds}: a budget is a positive number of seconds.")
        for name, known in choices(Settings).items():
            if (value := getattr(self, name)) not in known:
                raise TourneyError(
                    f"{name} `{value}` is not known{nearest(value, known)} Known are {', '.join(known)}."
                )
        if not 0 <= self.order_seed <= MOST_ORDER_SEED:
            raise TourneyError(f"order_seed is {self.order_seed}: a seed is 0 to {MOST_ORDER_SEED:,}.")
        if self.order_seed != 1 and self.order != "random":
            raise TourneyError(f"order_seed is {self.order_seed}: only the order `random` is drawn from a seed.")
        if not 0 <= self.table <= MOST_TABLE:
            raise TourneyError(
                f"table is {self.table}: it is the power of two of its positions, 1 to {MOST_TABLE}, or 0 for none."
            )
        if not 0 <= self.aspiration < math.inf:
            raise TourneyError(f"aspiration is {self.aspiration}: half the width of a window is a positive number.")
        if self.aspiration and not self.deepens:
            raise TourneyError("aspiration needs `iterative`: its window stands around the score of the depth before.")
        if self.aspiration and not ALGORITHMS[self.algorithm].prunes:
            raise TourneyError(f"aspiration has no use in {self.algorithm}, which prunes nothing.")

        if not 1 <= self.threads <= MOST_THREADS:
            raise TourneyError(f"threads is {self.threads}: a search has 1 to {MOST_THREADS} of them.")
        if self.threads > 1 and self.nodes is not None:
            raise TourneyError(
                f"threads is {self.threads} and nodes {self.nodes}: how many nodes several threads take depends on "
                "timing, so that such a budget would end anywhere. Choose a depth or a budget of seconds."
            )

    @property
    def deepens(self) -> bool:
        """Whether it searches depth 1, then 2, and so on."""
        return self.iterative or self.depth is None

    @property
    def repeats(self) -> bool:
        """Whether it may come to one place of the tree more than once."""
        return self.deepens or ALGORITHMS[self.algorithm].repeats

    def missing_of(self, whole: int | None, generated: int) -> int | None:
        """Of the positions of a whole tree those that this search has never made.

        None where it may make a position more than once, since a difference then says nothing.
        """
        return None if whole is None or self.repeats else whole - generated

    @property
    def extended(self) -> bool:
        """Whether anything is switched on that plain minimax and alpha-beta are compiled without."""
        improved = ALGORITHMS[self.algorithm].extended or bool(ORDERS[self.order].switches)
        return self.deepens or self.table > 0 or self.threads > 1 or improved

    @cached_property
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
        others = (each for each in options(Settings) if each.name not in (*LIMITS, "algorithm"))
        values = ((each, getattr(self, each.name)) for each in others)
        return ", ".join([self.algorithm, *(_shown(each, value) for each, value in values if value != each.default)])

    @property
    def seedless(self) -> str:
        """The same without the seed of a random order: searches that differ in no more are one algorithm's."""
        return replace(self, order_seed=1).described

    def non_defaults(self) -> dict[str, Any]:
        """The settings that differ from their defaults, by name.

        Player keys, and so the ids of all stored games, are made from this: a renamed field or a changed default makes
        every stored game a stranger.
        """
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}

    def suit(self, rules: Rules) -> None:
        """Raise where the algorithm can't search by these rules."""
        if self.algorithm in algorithms_for(rules):
            return
        if rules.drifts:
            raise TourneyError(
                f"{self.algorithm} knows no chance, and discs drift on this board: use {', '.join(WITH_CHANCE)}."
            )
        raise TourneyError(
            f"{self.algorithm} is for boards on which discs drift, and on this one none does: "
            f"use {', '.join(WITHOUT_CHANCE)}, or let discs drift."
        )


def _shown(option: Option, value: Any) -> str:
    """What is switched on, in a word or two: `history`, `iterative`, `table 20`."""
    if option.choices:
        return str(value)
    if option.kind is bool:
        return option.name
    return f"{option.name} {value:g}" if option.kind is float else f"{option.name} {value}"


def settings_for(rules: Rules, chosen: Mapping[str, Any], usual_depth: int | None = None) -> Settings:
    """The settings with these values by name, checked by themselves and against the rules. What is None is as usual."""
    given = {name: value for name, value in chosen.items() if value is not None}
    if usual_depth is not None and not any(name in given for name in LIMITS):
        given["depth"] = usual_depth
    settings = Settings(**{"algorithm": usual_algorithm(rules), **given})
    settings.suit(rules)
    return settings


ENTRY_BYTES = 32  # of a position in a transposition table


def check_memory(size: int, copies: int = 1, of: str = "processes") -> None:
    """Raise where so many tables do not fit into the memory that is free."""
    wanted, free = copies * ENTRY_BYTES << size, memory_available()
    if wanted > free:
        largest = max(0, (free // (copies * ENTRY_BYTES)).bit_length() - 1)
        each = f" in each of {copies} {of}" if copies > 1 else ""
        raise TourneyError(
            f"a table of 2^{size} positions{each} takes {wanted / 2**30:,.1f} GB and {free / 2**30:,.1f} GB are free: "
            f"use a table of at most {largest}."
        )
