"""A search explained: the tree that it went through, with every window, value and cut.

There is no second search here. The functions of `nodes` are Python, and Python is what they run as near the root, in
a namespace of their own in which each is wrapped by one that keeps what it was asked and what it answered. Deeper than
the tree is wanted the compiled search goes on. So the counts of the tree are those of the search.

Everything is from the view of the searching player: MAX is its turn, MIN the opponent's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from tournament.engine import nodes
from tournament.engine.jit.specialise import as_bits, copy_into
from tournament.engine.result import SearchResult
from tournament.engine.scorer import Scorer
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.state import STATE
from tournament.engine.whole_tree import whole_tree
from tournament.errors import TourneyError
from tournament.games.connect4 import (
    DISC,
    Position,
    Seat,
    column_digit,
    lowest,
    other_seat,
    playable,
    popcount,
    undecided,
)

Kind = Literal["MAX", "MIN", "CHANCE", "LEAF", "END", "PRUNED"]
Bound = Literal["exact", "at most", "at least"]

MOST_NODES = 2_000_000  # about a minute, more than 1 GB of memory and 300 MB of JSON


@dataclass(slots=True)
class Node:
    """A position that the search came to, the choice of a column where the disc may drift, or a move left out."""

    kind: Kind  # LEAF was evaluated, at END the game is over, PRUNED was never looked at
    move: str | None = None  # the column that leads here, as people write it
    probability: float | None = None  # of an outcome of CHANCE
    value: float | None = None  # none where it was pruned, or the budget ran out
    bound: Bound = "exact"  # what the value says of the true one
    alpha: float = -math.inf  # the window on entry
    beta: float = math.inf
    generated: int = 0  # positions below
    from_table: bool = False  # its value was known from before
    scout: bool = False  # searched with an empty window, only to see whether it is better
    probe: bool = False  # only its first move was tried, to bound its value
    children: list[Node] = field(default_factory=list)  # in the order of the search

    @property
    def pruned(self) -> bool:
        return self.kind == "PRUNED"

    @property
    def hidden(self) -> int:
        """How many positions were looked at below and are not among the children."""
        return 0 if self.children else self.generated

    def to_json(self) -> dict[str, Any]:
        """For JSON: its children as they are, infinities as null, and the marks only where they are set."""
        marks = {name: True for name in ("from_table", "scout", "probe") if getattr(self, name)}
        return {
            "kind": self.kind,
            "move": self.move,
            "probability": self.probability,
            "value": self.value,
            "bound": None if self.value is None else self.bound,
            "alpha": None if self.pruned or self.alpha == -math.inf else self.alpha,
            "beta": None if self.pruned or self.beta == math.inf else self.beta,
            "pruned": self.pruned,
            "generated": self.generated,
            **marks,
            "children": self.children,
        }


@dataclass(frozen=True)
class Explained:
    """What a search found, and the tree that led to it.

    Iterative deepening and aspiration windows search from the root more than once. `tree` is the one that the answer
    is from; `earlier` ones came before it, and `unfinished` ones after it, when the budget ran out.
    """

    position: Position
    settings: Settings
    found: SearchResult
    tree: Node
    earlier: tuple[Node, ...] = ()
    unfinished: tuple[Node, ...] = ()

    @cached_property
    def whole(self) -> int | None:
        """How many positions the tree has without pruning, to the depth that was searched; None: too many to walk."""
        return whole_tree(self.position, self.found.depth)

    @property
    def not_in_the_tree(self) -> int | None:
        """How many of those were never made; None where some were made more than once, or they can't be told."""
        return self.settings.missing_of(self.whole, self.found.counters.generated)

    def line(self) -> list[Node]:
        """The moves that both sides are expected to make, the root first; to the first disc that may drift."""
        chosen = column_digit(self.found.chosen)
        found = [self.tree]
        below = _searched(self.tree).get(chosen)
        while below is not None:
            found.append(below)
            if below.kind == "CHANCE":
                break
            value = below.value
            below = next((child for child in _searched(below).values() if child.value == value), None)
        return found

    def to_json(self) -> dict[str, Any]:
        """For JSON, with nodes that are still to be written by their own `to_json`."""
        found = self.found
        return {
            "position": str(self.position),
            "to_move": DISC[self.position.to_move],
            "rules": asdict(self.position.rules),
            "settings": asdict(self.settings),
            "move": column_digit(found.chosen),
            "score": found.score,
            "reached": found.depth,
            "deepest": found.deepest,
            "counters": asdict(found.counters),
            "whole_tree": self.whole,
            "not_in_the_tree": self.not_in_the_tree,
            "line": "".join(node.move for node in self.line() if node.move),
            "tree": self.tree,
            "earlier": self.earlier,
            "unfinished": self.unfinished,
        }


def _searched(node: Node) -> dict[str | None, Node]:
    """The children by move, each as it was searched last."""
    return {child.move: child for child in node.children if not child.pruned and not child.probe}


def explain(
    position: Position, scorer: Scorer, settings: Settings, tree_depth: int, *, most: int = MOST_NODES
) -> Explained:
    """Search a position, then go through the same search again and keep the tree down to `tree_depth` plies.

    A tree is that of one thread: what several have searched would be another one each time.
    """
    settings = replace(settings, threads=1)
    searcher = Searcher(scorer, settings)
    found = searcher.search(undecided(position))
    stopped = int(searcher.state["stopped"])
    if tree_depth >= found.depth + stopped and found.counters.generated > most:
        raise _too_large(most)
    again = Recorder(position, scorer, searcher.repeating(), tree_depth, most).explained()
    timed = again.found._replace(seconds=found.seconds, cpu_seconds=found.cpu_seconds)
    return replace(again, settings=settings, found=timed)


def _too_large(most: int) -> TourneyError:
    return TourneyError(
        f"the tree has more than {most:,} nodes: choose a smaller tree depth (--tree-depth), or a shallower search."
    )


class Recorder(Searcher):
    """A search of one position that keeps its tree: the roots with their depths, in the order of the search."""

    def __init__(self, position: Position, scorer: Scorer, settings: Settings, tree_depth: int, most: int) -> None:
        super().__init__(scorer, settings)
        self.position = position
        self.roots: list[tuple[int, Node]] = []
        self.rules = scorer.rules
        self.seats: dict[int, Seat] = {1: position.to_move, -1: other_seat(position.to_move)}
        self.tree_depth = tree_depth
        self.most = most
        self.recorded = 0
        self.node = Node("MAX")  # the one that the search is at
        self.likely: dict[str, float] = {}  # the outcomes of the chance node that it is at
        self.deeper = nodes.kernel(scorer.rules, self.extended).visit
        namespace = {**vars(nodes), **nodes.constants(scorer.rules, self.extended)}
        self.visit_itself: Callable[..., float] = copy_into(namespace, nodes.visit)
        self.follow_itself: Callable[..., float] = copy_into(namespace, nodes.follow)
        self.expect_itself: Callable[..., float] = copy_into(namespace, nodes.expect)
        namespace |= {name: getattr(self, name) for name in ("visit", "follow", "expect", "call_evaluator")}
        choose, state = copy_into(namespace, nodes.choose), Attributes(self.state)
        self._choose = lambda _, mine, occupied: choose(state, mine, occupied)

    def explained(self) -> Explained:
        """The search with its tree, in one go."""
        found = self.search(undecided(self.position))
        answer = self.answer(found)
        roots = tuple(root for _, root in self.roots)
        found = found._replace(root_moves=self.root_moves())
        return Explained(self.position, self.repeating(), found, roots[answer], roots[:answer], roots[answer + 1 :])

    def answer(self, found: SearchResult) -> int:
        """Which of the roots the answer is from."""
        return max(place for place, (depth, _) in enumerate(self.roots) if depth == found.depth)

    # ── what the search calls in place of its own functions ──────────────────────────────────────

    def visit(self, state: Any, mine: int, occupied: int, depth: int, alpha: float, beta: float, side: int) -> float:
        """The root, or the position that `follow` has come to."""
        if depth == state.depth:
            self.node = self._new("MAX", None, alpha, beta, side)
            self.roots.append((depth, self.node))
        node = self.node
        node.kind = "MAX" if side > 0 else "MIN"
        generated, expanded = state.generated, state.expanded
        legal = playable(occupied, self.rules.bottom, self.rules.full)
        only_first = state.tries[depth] == 1 and popcount(legal) > 1
        in_python = self.keeps(node, state.depth - depth)
        if in_python:
            value = self.visit_itself(state, mine, occupied, depth, alpha, beta, side)
        else:
            bits = self.rules.bits
            boards = as_bits(mine, bits), as_bits(occupied, bits)
            value = self.deeper(self.state, *boards, depth, alpha, beta, side)
        node.generated = state.generated - generated
        if state.stopped:
            return value
        node.value = _seen(value, side)
        node.from_table = state.expanded == expanded
        if not node.alpha < node.value < node.beta:
            node.bound = "at most" if node.value <= node.alpha else "at least"
        elif only_first and not node.from_table:
            node.bound = "at least" if side > 0 else "at most"
        if in_python and not node.from_table and state.use_pruning and value >= beta:
            self._prune(node, {column_digit(column): None for column in self._in_order(state, legal, depth)})
        return value

    def follow(
        self, state: Any, mine: int, occupied: int, move: int, depth: int, alpha: float, beta: float, side: int
    ) -> float:
        """A child of the node that the search is at: a position to `visit`, a leaf, or the end of a game."""
        parent = self.node
        column = column_digit(lowest(move) // self.rules.stride)
        node = self._new("END", column, alpha, beta, side)
        if parent.kind == "CHANCE":
            node.probability = self.likely[column]
            node.probe = bool(depth > 1 and state.tries[depth - 1] == 1)
        elif state.use_scouts and parent.children:
            node.scout = parent.children[-1].move != column  # the same move again is the search that a scout asked for
        parent.children.append(node)
        self.node = node
        value = self.follow_itself(state, mine, occupied, move, depth, alpha, beta, side)
        self.node = parent
        if node.kind in ("END", "LEAF"):
            node.value = _seen(value, side)
        return value

    def expect(
        self,
        state: Any,
        mine: int,
        occupied: int,
        moves: int,
        index: int,
        depth: int,
        alpha: float,
        beta: float,
        side: int,
    ) -> float:
        """A child of the node that the search is at: the choice of a column where the disc may drift."""
        parent, likely_before = self.node, self.likely
        column, generated = self.columns[index], state.generated
        node = self.node = self._new("CHANCE", column_digit(column), alpha, beta, side)
        parent.children.append(node)
        outcomes = self._position(mine, occupied ^ mine, side).outcomes(column)
        self.likely = {column_digit(landed): probability for landed, probability in outcomes}
        value = self.expect_itself(state, mine, occupied, moves, index, depth, alpha, beta, side)
        likely, self.likely, self.node = self.likely, likely_before, parent
        node.generated = state.generated - generated
        if state.stopped:
            return value
        node.value = _seen(value, side)
        self._prune(node, likely)
        last = next((child for child in reversed(node.children) if not child.probe), None)
        if last is None or last.value is None or not last.alpha < last.value < last.beta:
            node.bound = "at most" if node.value <= node.alpha else "at least"
        return value

    def call_evaluator(self, state: Any, mine: int, theirs: int, my_turn: bool) -> float:
        """The score of the leaf that the search is at."""
        self.node.kind = "LEAF"
        discs = (mine, theirs) if my_turn else (theirs, mine)
        return self.scorer.score(self._position(*discs, 1 if my_turn else -1), self.seats[1])

    # ── the nodes ────────────────────────────────────────────────────────────────────────────────

    def keeps(self, node: Node, plies: int) -> bool:
        """Whether the children of a node that is so many plies below the root are kept."""
        return plies < self.tree_depth

    def _new(self, kind: Kind, move: str | None, alpha: float, beta: float, side: int) -> Node:
        """A node, which is counted; its window is that of the side that moves to it, or at the root from it."""
        self.recorded += 1
        if self.recorded > self.most:
            raise _too_large(self.most)
        low, high = (alpha, beta) if side > 0 else (-beta, -alpha)
        return Node(kind, move, alpha=_seen(low, 1), beta=_seen(high, 1))

    def _prune(self, node: Node, moves: Mapping[str, float | None]) -> None:
        """Add those of a node's moves, or outcomes with their probabilities, that were not searched."""
        searched = {child.move for child in node.children if not child.probe}
        for move, probability in moves.items():
            if move not in searched:
                pruned = self._new("PRUNED", move, -math.inf, math.inf, 1)
                pruned.probability = probability
                node.children.append(pruned)

    def _in_order(self, state: Any, legal: int, depth: int) -> list[int]:
        """The columns of the legal moves as the node of this depth tries them."""
        if self.extended:
            return [self.columns[index] for index in state.sequence[depth, : popcount(legal)]]
        return [column for column in self.columns if legal & self.rules.column(column)]

    def _position(self, mover: int, other: int, side: int) -> Position:
        """The position in which `side` is to move."""
        seat = self.seats[side]
        return Position(self.rules, *((mover, other) if seat == "first" else (other, mover)), seat)


def _seen(value: float, side: int) -> float:
    """A value of that side as the searching player sees it; there is no negative zero."""
    return side * float(value) + 0.0


class Attributes:
    """The fields of a search's state as attributes of the same memory: numpy's own records take 3 µs for each."""

    def __init__(self, state: Any) -> None:
        memory = np.asarray(state.base)
        numbers = self.__dict__["numbers"] = {}
        for name in STATE.names or ():
            values = memory[name]
            if values.ndim == 1:
                numbers[name] = values.data
            else:
                self.__dict__[name] = values[0]

    def __getattr__(self, name: str) -> Any:
        return self.numbers[name][0]

    def __setattr__(self, name: str, value: Any) -> None:
        self.numbers[name][0] = value
