"""Whether positions are won, drawn or lost: by the book, by what was solved before, else by search."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tournament.games.connect4 import STANDARD, Position, Rules, play_moves
from tournament.truth.book import book
from tournament.truth.remembered import key_of
from tournament.truth.scope import check_rules
from tournament.truth.solver import USUAL_MEGABYTES, Solver
from tournament.truth.verdict import VALUE_OF_SIGN, Value

LONG = 50_000_000  # nodes, some ten seconds: what is not proven within them is said not to be provable


class Judge:
    """Says of positions of one board, whose game goes on, what they are worth for the side to move.

    What it has found it knows, so that a position costs little where others like it came before.
    """

    def __init__(self, rules: Rules, megabytes: int = USUAL_MEGABYTES) -> None:
        check_rules(rules)
        self.rules = rules
        self._megabytes = megabytes
        self._solver: Solver | None = None  # once the book does not suffice
        self._known: dict[int, int] = {}

    def sign(self, position: Position, *, nodes: int | None = None, seconds: float | None = None) -> int | None:
        """1, 0 or -1; None where it is not proven within so many nodes or seconds."""
        if position.rules == STANDARD:
            in_book = book().value(position)
            if in_book is not None:
                return in_book
        key = key_of(position)
        if key not in self._known:
            solver = self.solver()
            solver.limit(nodes, seconds)
            found = solver.score(position)
            if found is None:
                return None
            self._known[key] = found
        return self._known[key]

    def solver(self) -> Solver:
        """What searches where the book does not suffice: its table is made when it is first asked for."""
        if self._solver is None:
            self._solver = Solver(self.rules, self._megabytes)
        return self._solver

    def value(self, position: Position, *, nodes: int | None = None, seconds: float | None = None) -> Value:
        """The same in words: `unknown` where it is not proven."""
        sign = self.sign(position, nodes=nodes, seconds=seconds)
        return "unknown" if sign is None else VALUE_OF_SIGN[sign]

    @property
    def nodes(self) -> int:
        """That were searched so far."""
        return self._solver.nodes if self._solver is not None else 0


def values_of_openings(
    openings: Iterable[str],
    rules: Rules,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> dict[str, Value]:
    """What perfect play makes of each opening, for the side to move next.

    At most so many nodes are searched for all of them together, or so many seconds for each; `tell` is called with how
    many are done.
    """
    judge = Judge(rules)
    found: dict[str, Value] = {}
    for opening in openings:
        left = None if nodes is None else max(1, nodes - judge.nodes)
        found[opening] = judge.value(play_moves(Position(rules), opening), nodes=left, seconds=seconds)
        tell(len(found))
    return found
