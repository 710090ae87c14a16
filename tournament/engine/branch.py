"""One branch of a search's tree, however large the tree is.

The search is made again from its root. Only the nodes on the way to the one that is asked for run in Python and are
kept with their children; beside that way the compiled search does what it always does. So a step down the tree costs
one search and no memory, and what is seen is that search itself: its windows, its table, the order it has learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.engine.result import SearchResult
from tournament.engine.scorer import Scorer
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.tree import MOST_NODES, Node, Recorder
from tournament.engine.whole_tree import whole_tree
from tournament.errors import PositionError
from tournament.games.connect4 import Position, column_digit, undecided


@dataclass(frozen=True)
class Branch:
    """What a search found, and its nodes from the root down to the one asked for, each with its children."""

    position: Position
    settings: Settings  # that make the same search again
    found: SearchResult
    nodes: list[Node]
    earlier: int  # searches from the root before the one that is shown
    unfinished: int  # and after it, until the budget ran out

    @property
    def whole(self) -> int | None:
        """How many positions the tree has without pruning; None: too many to walk."""
        return whole_tree(self.position, self.found.depth)

    @property
    def not_in_the_tree(self) -> int | None:
        """How many of those were never made; None where that can't be told."""
        return self.settings.missing_of(self.whole, self.found.counters.generated)

    def best(self, node: Node) -> Node | None:
        """The child that a node has its value from; at the root the chosen move."""
        searched = {child.move: child for child in node.children if not child.pruned and not child.probe}
        if node is self.nodes[0]:
            return searched.get(column_digit(self.found.chosen))
        if node.kind == "CHANCE":
            return None
        return next((child for child in searched.values() if child.value == node.value), None)


def follow_branch(position: Position, scorer: Scorer, settings: Settings, path: Sequence[int] = ()) -> Branch:
    """The branch of the search of `position` that `path` names: at each node the place of a child, from 0."""
    searcher = Searcher(scorer, settings)
    found = searcher.search(undecided(position))
    repeated = searcher.repeating()
    follower = Follower(position, scorer, repeated, path)
    again = follower.search(position)
    answer = follower.answer(again)
    nodes = along(follower.roots[answer][1], path)
    if len(nodes) <= len(path):
        raise PositionError(f"the tree of this search has no branch {'-'.join(map(str, path))}: begin at its root.")
    timed = again._replace(
        seconds=found.seconds, cpu_seconds=found.cpu_seconds, root_moves=follower.root_moves(), saved=found.saved
    )
    return Branch(position, repeated, timed, nodes, answer, len(follower.roots) - answer - 1)


def along(root: Node, path: Sequence[int]) -> list[Node]:
    """The nodes from the root down a path, as far as there are any."""
    nodes = [root]
    for place in path:
        if not 0 <= place < len(nodes[-1].children):
            break
        nodes.append(nodes[-1].children[place])
    return nodes


class Follower(Recorder):
    """A search that keeps the nodes on one path and their children."""

    def __init__(self, position: Position, scorer: Scorer, settings: Settings, path: Sequence[int]) -> None:
        super().__init__(position, scorer, settings, 0, MOST_NODES)
        self.path = path

    def keeps(self, node: Node, plies: int) -> bool:
        """Whether it is on the path."""
        return any(node is kept for kept in along(self.roots[-1][1], self.path))
