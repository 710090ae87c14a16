"""What Hypothesis draws: rules, positions and depths; and what a search of them is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import naive
from hypothesis import strategies as st

from tournament.engine.result import Counters, SearchResult
from tournament.games.connect4 import DriftPlayers, Position, Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

STANDARD = Rules(6, 7, 4)
SMALL = Rules(4, 5, 3)
WORD = Rules(7, 8, 4)  # all 64 bits of one word
WIDE = Rules(8, 8, 4)  # 72 bits: two words
LARGE = Rules(10, 11, 5)  # 121 bits
ROW = Rules(1, 9, 3)
COLUMN = Rules(5, 1, 3)
TINY = Rules(2, 3, 2)
FEW = (STANDARD, SMALL, WIDE)
# Few of them, as each costs its compilation: the search by connect and width, an evaluator by all of it.
MANY = (*FEW, WORD, LARGE, ROW, COLUMN, TINY)

FULL_BOARD = Rules(6, 7, 4, "most-lines")
SMALL_FULL = Rules(3, 4, 3, "most-lines")
LARGE_FULL = Rules(10, 11, 5, "most-lines")
MOST_LINES = (FULL_BOARD, SMALL_FULL, LARGE_FULL)

NARROW = Rules(5, 2, 3)  # every column has one neighbour
DRIFT_PLAYERS: tuple[DriftPlayers, ...] = ("both", "first", "second")
DRIFTING = tuple(
    replace(rules, drift=chosen, drift_players=players)
    for rules, chosen, players in product(
        (SMALL, NARROW, WIDE, FULL_BOARD, Rules(3, 4, 4, "most-lines")), (0.6, 0.05), DRIFT_PLAYERS
    )
)

Ready = Callable[[Rules], Scorer]

# As good as random and hard to prune: few values, so that many moves are equally good; mine and theirs are not worth
# the same, nor is a position whoever's turn it is. `naive.noise` says the same.
NOISE = """
    '''Noise: one of seven values, mixed from all cells and the turn.'''

    def evaluate(board, my_turn):
        mixed = 1 if my_turn else 0
        rows, columns = board.shape
        for row in range(rows):
            for column in range(columns):
                mixed = (mixed * 5 + board[row, column] + 1) % 1009
        return mixed % 7 - 3
"""


def once_per_rules(evaluator: Evaluator) -> Ready:
    """The evaluator made ready for rules, each time the same object for the same ones."""
    made: dict[Rules, Scorer] = {}
    return lambda rules: made[rules] if rules in made else made.setdefault(rules, Scorer(evaluator, rules))


@st.composite
def positions(draw: st.DrawFn, among: tuple[Rules, ...] = MANY) -> Position:
    """An undecided position, either played with alternating discs or with any discs and either side to move."""
    rules = draw(st.sampled_from(among))
    is_played = draw(st.booleans())
    tries = draw(st.integers(0, rules.rows * rules.columns))
    discs = st.tuples(st.integers(0, rules.columns - 1), st.sampled_from("X" if is_played else "XO"))
    board, side = naive.empty(rules.rows, rules.columns), "X"
    for column, disc in draw(st.lists(discs, min_size=tries, max_size=tries)):
        mover = side if is_played else disc
        if naive.is_open(board, column):
            after = naive.drop(board, column, mover)
            if naive.finished(after, mover, mover, rules.connect, 0, rules.objective == "most-lines") is None:
                board, side = after, naive.OTHER[mover]
    return read_position(f"{naive.write(board)} {side}", rules)


@st.composite
def depths(draw: st.DrawFn, rules: Rules, leaves: int = 700) -> int:
    """A depth that keeps a tree without pruning below so many leaves."""
    more, fewer = sorted((branching(rules, "first"), branching(rules, "second")), reverse=True)
    sizes = {depth: more ** ((depth + 1) // 2) * fewer ** (depth // 2) for depth in range(1, 7)}
    return draw(st.sampled_from([depth for depth, size in sizes.items() if depth == 1 or size <= leaves]))


def branching(rules: Rules, seat: str) -> int:
    """The most positions that one move of this side can lead to, every landing of the disc counted."""
    drifts = rules.drifts and rules.drift_players in ("both", seat)
    return 3 * rules.columns - 2 if drifts else rules.columns


def naively(position: Position, algorithm: str, depth: int, evaluate: naive.Evaluate, order: str) -> naive.Searched:
    """What the slow search finds here: `alphabeta`, or every other algorithm's value by trying all moves."""
    rules = position.rules
    board, me, most_lines = naive.read(str(position)), str(position)[-1], rules.objective == "most-lines"
    if algorithm == "alphabeta":
        return naive.alphabeta(board, me, rules.connect, depth, evaluate, order, most_lines=most_lines)
    drifting = {"both": "XO", "first": "X", "second": "O"}[rules.drift_players] if rules.drift < 1 else ""
    return naive.minimax(
        board, me, rules.connect, depth, evaluate, order, most_lines=most_lines, chosen=rules.drift, drifting=drifting
    )


def agrees(found: SearchResult, expected: naive.Searched) -> None:
    """Both found the same on the same way."""
    assert (found.chosen, found.score) == (expected.chosen, expected.value)
    counted = (expected.generated, expected.expanded, expected.evaluated, expected.cutoffs, expected.untried)
    assert found.counters == Counters(*counted)
    assert found.deepest == expected.deepest
