"""The slow, obvious second opinion: rules, searches, features and evaluators with plain loops over cells.

Nothing here knows the product. A board is a list of rows, the bottom row first, of `X`, `O` and `.`; a player is
`X` or `O`; columns count from 0. Every definition follows the text of DESIGN.md or of REFERENCE-TABLES.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

Board = list[list[str]]
Cell = tuple[int, int]
Evaluate = Callable[[Board, str, int, bool], float]  # the board, the searching player, connect, is it my turn

WIN = 10**9
OTHER = {"X": "O", "O": "X"}
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # rows and columns to go: right, up, and both diagonals
SQUARES = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 7, 11, 13, 11, 7, 5),
    (5, 7, 11, 13, 11, 7, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def read(text: str) -> Board:
    """The board of a diagram, which may name a side to move after a space."""
    return [list(row) for row in reversed(text.split()[0].split("/"))]


def write(board: Board) -> str:
    return "/".join("".join(row) for row in reversed(board))


def empty(rows: int, columns: int) -> Board:
    return [["."] * columns for _ in range(rows)]


def mirrored(board: Board) -> Board:
    return [row[::-1] for row in board]


def is_open(board: Board, column: int) -> bool:
    return board[-1][column] == "."


def resting_row(board: Board, column: int) -> int:
    return [row[column] for row in board].index(".")


def drop(board: Board, column: int, disc: str) -> Board:
    after = [row[:] for row in board]
    after[resting_row(board, column)][column] = disc
    return after


def is_full(board: Board) -> bool:
    return all(disc != "." for row in board for disc in row)


def has_line(board: Board, disc: str, connect: int) -> bool:
    return any(all(board[row][column] == disc for row, column in window) for window in windows(board, connect))


def count_lines(board: Board, disc: str, connect: int) -> int:
    """How many sets of `connect` consecutive cells hold this disc only: six in a row are three lines of four."""
    return sum(all(board[row][column] == disc for row, column in window) for window in windows(board, connect))


def line_cells(board: Board, disc: str, connect: int) -> set[Cell]:
    """The cells, as row and column, of all lines of this disc."""
    held = (window for window in windows(board, connect) if all(board[row][column] == disc for row, column in window))
    return {cell for window in held for cell in window}


def landings(board: Board, column: int, chosen: float) -> list[tuple[int, float]]:
    """Where a disc that drifts may come down, and how likely: the chosen column, then left, then right of it."""
    beside = [other for other in (column - 1, column + 1) if 0 <= other < len(board[0]) and is_open(board, other)]
    if len(beside) == 2:
        return [(column, chosen), (beside[0], (1 - chosen) / 2), (beside[1], (1 - chosen) / 2)]
    if len(beside) == 1:
        return [(column, chosen), (beside[0], 1 - chosen)]
    return [(column, 1.0)]


def windows(board: Board, connect: int) -> tuple[tuple[Cell, ...], ...]:
    """Every line of `connect` cells."""
    return _windows(len(board), len(board[0]), connect)


@cache
def _windows(rows: int, columns: int, connect: int) -> tuple[tuple[Cell, ...], ...]:
    found = []
    for row in range(rows):
        for column in range(columns):
            for up, right in DIRECTIONS:
                window = tuple((row + up * step, column + right * step) for step in range(connect))
                if all(0 <= r < rows and 0 <= c < columns for r, c in window):
                    found.append(window)
    return tuple(found)


def perft(rows: int, columns: int, connect: int, plies: int) -> list[tuple[int, int]]:
    """After 0, 1, … plies: the sequences of moves and the different boards they lead to."""
    sequences = {"": empty(rows, columns)}
    counts = [(1, 1)]
    for ply in range(plies):
        me, other = ("X", "O") if ply % 2 == 0 else ("O", "X")
        sequences = {
            f"{moves}{column} ": drop(board, column, me)
            for moves, board in sequences.items()
            if not has_line(board, other, connect)
            for column in range(columns)
            if is_open(board, column)
        }
        if not sequences:
            break
        counts.append((len(sequences), len({write(board) for board in sequences.values()})))
    return counts


# ── searches ─────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Searched:
    """What a search found and what it did on the way."""

    chosen: int = -1
    value: float = -math.inf
    moves: dict[int, float] = field(default_factory=dict)  # what each root move is worth: minimax only
    generated: int = 0
    expanded: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    untried: int = 0
    deepest: int = 0  # the plies to the deepest position generated
    leaves: set[str] = field(default_factory=set)  # the distinct positions evaluated


def move_order(order: str, columns: int) -> list[int]:
    """The order that tells equally good moves apart: `left` to right, or from the `centre` outwards."""
    if order in ("left", "random"):  # chance decides what is tried first, and left what wins a tie
        return list(range(columns))
    middle = (columns - 1) / 2
    return sorted(range(columns), key=lambda column: abs(column - middle))  # stable


def minimax(
    board: Board,
    me: str,
    connect: int,
    depth: int,
    evaluate: Evaluate,
    order: str = "left",
    *,
    most_lines: bool = False,
    chosen: float = 1.0,
    drifting: str = "",
) -> Searched:
    """The first of the best moves for `me`, who is to move, every move tried.

    The discs of the players in `drifting` may come down beside the chosen column: their moves are worth the average
    (expectiminimax).
    """
    found = Searched()

    def value_after(board: Board, column: int, mover: str, ply: int) -> float:
        board = drop(board, column, mover)
        found.generated += 1
        found.deepest = max(found.deepest, ply)
        over = finished(board, mover, me, connect, ply, most_lines)
        if over is not None:
            return over
        if ply == depth:
            return leaf(found, board, OTHER[mover], me, connect, evaluate)
        best = max if mover != me else min
        return best(values(board, OTHER[mover], ply + 1).values())

    def average(board: Board, column: int, mover: str, ply: int) -> float:
        if mover not in drifting:
            return value_after(board, column, mover, ply)
        total = 0.0
        for landing, likely in landings(board, column, chosen):
            total += likely * value_after(board, landing, mover, ply)
        return total

    def values(board: Board, mover: str, ply: int) -> dict[int, float]:
        found.expanded += 1
        columns = move_order(order, len(board[0]))
        return {column: average(board, column, mover, ply) for column in columns if is_open(board, column)}

    found.moves = values(board, me, 1)
    found.value = max(found.moves.values())
    found.chosen = first_of_best(found.moves, order, len(board[0]))
    return found


@cache
def perfect(text: str, to_move: str, connect: int) -> tuple[int, int]:
    """What a board whose game goes on is worth to who is to move (1, 0, -1), and the plies to the end.

    Who wins makes it soon, who loses late; the first line wins.
    """
    board, best = read(text), None
    for column in range(len(board[0])):
        if not is_open(board, column):
            continue
        after = drop(board, column, to_move)
        if has_line(after, to_move, connect):
            found = (1, 1)
        elif is_full(after):
            found = (0, 1)
        else:
            value, plies = perfect(write(after), OTHER[to_move], connect)
            found = (-value, plies + 1)
        if best is None or _better(found, best):
            best = found
    assert best is not None, "the game is over"
    return best


def _better(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (value, plies), (other_value, other_plies) = one, other
    return value > other_value or (value == other_value and (plies < other_plies if value > 0 else plies > other_plies))


def first_of_best(moves: dict[int, float], order: str, columns: int) -> int:
    """The column to play: of equally good ones the first in the move order."""
    return next(column for column in move_order(order, columns) if moves.get(column) == max(moves.values()))


def alphabeta(
    board: Board,
    me: str,
    connect: int,
    depth: int,
    evaluate: Evaluate,
    order: str = "left",
    *,
    most_lines: bool = False,
) -> Searched:
    """The same as `minimax`, without looking at moves that can't change the answer."""
    found = Searched()

    def value_of(board: Board, mover: str, ply: int, alpha: float, beta: float) -> float:
        found.expanded += 1
        best = -math.inf if mover == me else math.inf
        columns = move_order(order, len(board[0]))
        for place, column in enumerate(columns):
            if not is_open(board, column):
                continue
            after = drop(board, column, mover)
            found.generated += 1
            found.deepest = max(found.deepest, ply)
            value = finished(after, mover, me, connect, ply, most_lines)
            if value is None and ply == depth:
                value = leaf(found, after, OTHER[mover], me, connect, evaluate)
            if value is None:
                value = value_of(after, OTHER[mover], ply + 1, alpha, beta)
            if mover == me:
                if value > best and ply == 1:
                    found.chosen = column
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                found.cutoffs += 1
                found.untried += sum(is_open(board, other) for other in columns[place + 1 :])
                break
        return best

    found.value = value_of(board, me, 1, -math.inf, math.inf)
    return found


def finished(board: Board, mover: str, me: str, connect: int, ply: int, most_lines: bool = False) -> float | None:
    """What the game is worth to `me` when `mover` ended it with this ply; None where it goes on.

    Where most lines win, it goes on until the board is full.
    """
    if most_lines:
        if not is_full(board):
            return None
        mine, theirs = count_lines(board, me, connect), count_lines(board, OTHER[me], connect)
        return WIN - ply if mine > theirs else ply - WIN if mine < theirs else 0
    if has_line(board, mover, connect):
        return WIN - ply if mover == me else ply - WIN
    return 0 if is_full(board) else None


def leaf(found: Searched, board: Board, to_move: str, me: str, connect: int, evaluate: Evaluate) -> float:
    found.evaluated += 1
    found.leaves.add(f"{write(board)} {to_move}")
    return evaluate(board, me, connect, to_move == me)


# ── features ─────────────────────────────────────────────────────────────────────────────────────


def cells_of(board: Board, disc: str) -> set[Cell]:
    return {(row, column) for row, line in enumerate(board) for column, here in enumerate(line) if here == disc}


def disc_counts(board: Board, me: str, connect: int) -> Iterator[tuple[int, int]]:
    """For every window: how many discs of mine it holds, and how many of theirs."""
    for window in windows(board, connect):
        held = [board[row][column] for row, column in window]
        yield held.count(me), held.count(OTHER[me])


def open_windows(board: Board, me: str, connect: int, number: int) -> int:
    return sum(mine == number and theirs == 0 for mine, theirs in disc_counts(board, me, connect))


def weigh_windows(board: Board, me: str, connect: int, weights: tuple[int, ...]) -> int:
    """Open windows with at least one disc; more discs than there are weights count as the last of them."""
    counts = disc_counts(board, me, connect)
    return sum(weights[min(mine, len(weights) - 1)] for mine, theirs in counts if mine > 0 and theirs == 0)


def blocked_windows(board: Board, me: str, connect: int) -> int:
    return sum(mine == 1 and theirs == connect - 1 for mine, theirs in disc_counts(board, me, connect))


def discs_in_column(board: Board, me: str, column: int) -> int:
    return sum(row[column] == me for row in board)


def centre_discs(board: Board, me: str) -> int:
    columns = len(board[0])
    return sum(discs_in_column(board, me, column) for column in {(columns - 1) // 2, columns // 2})


def playable_cells(board: Board) -> set[Cell]:
    return {(resting_row(board, column), column) for column in range(len(board[0])) if is_open(board, column)}


def threat_cells(board: Board, me: str, connect: int) -> set[Cell]:
    """The empty cells, reachable or not, that would complete a line of mine."""
    found = set()
    for window in windows(board, connect):
        missing = [(row, column) for row, column in window if board[row][column] != me]
        if len(missing) == 1 and missing[0] in cells_of(board, "."):
            found.add(missing[0])
    return found


def weigh_squares(board: Board, me: str, weights: tuple[tuple[int, ...], ...]) -> int:
    return sum(weights[row][column] for row, column in cells_of(board, me))


def weigh_lines_through(board: Board, me: str, connect: int) -> int:
    return sum((row, column) in window for row, column in cells_of(board, me) for window in windows(board, connect))


def run_touching(board: Board, me: str, cell: Cell, up: int, right: int) -> int:
    """The number of my discs in a row that lead away from a cell."""
    length = 0
    row, column = cell[0] + up, cell[1] + right
    while 0 <= row < len(board) and 0 <= column < len(board[0]) and board[row][column] == me:
        length += 1
        row, column = row + up, column + right
    return length


def open_ends(board: Board, me: str, length: int) -> int:
    """How often an empty cell is touched by such a run from below, from a side or along a diagonal."""
    ways = ((-1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
    return sum(run_touching(board, me, cell, *way) >= length for cell in cells_of(board, ".") for way in ways)


# ── the bundled evaluators ───────────────────────────────────────────────────────────────────────


def lines(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R1: my centre discs, not theirs, and windows of one side only."""
    weights = (0, 1, 10, 100, 100000)
    windows = weigh_windows(board, me, connect, weights) - weigh_windows(board, OTHER[me], connect, weights)
    return 3 * centre_discs(board, me) + windows


def room(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R3: lines of one side only, their discs times one more than the cells in them that can be filled next."""
    score = 0
    for window in windows(board, connect):
        held = [board[row][column] for row, column in window]
        if not ("X" in held and "O" in held):
            fillable = len(playable_cells(board) & set(window))
            score += (held.count(me) - held.count(OTHER[me])) * (1 + fillable)
    return score


def points(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R4: 4, 3, 2 for lines and open lines that lack one or two discs, 1 for blocking one."""

    def of(player: str) -> int:
        made = sum((4 - lacking) * open_windows(board, player, connect, connect - lacking) for lacking in range(3))
        return made + blocked_windows(board, player, connect)

    return of(me) - of(OTHER[me])


def squares(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R5's john; on other boards than the standard one a cell weighs as many lines as go through it."""
    if (len(board), len(board[0]), connect) == (6, 7, 4):
        return weigh_squares(board, me, SQUARES) - weigh_squares(board, OTHER[me], SQUARES)
    return weigh_lines_through(board, me, connect) - weigh_lines_through(board, OTHER[me], connect)


def windows_of_mine(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R5's robert."""
    return weigh_windows(board, me, connect, (0, 1, 5, 10, 100))


def runs(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R5's brittany."""
    return 6 * sum(open_ends(board, me, length) - open_ends(board, OTHER[me], length) for length in (2, 3))


def balanced(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """R6: windows and the centre, mine minus theirs."""

    def of(player: str) -> int:
        return weigh_windows(board, player, connect, (0, 0, 2, 10, 1000)) + 3 * centre_discs(board, player)

    return of(me) - of(OTHER[me])


def noise(board: Board, me: str, connect: int, my_turn: bool) -> float:
    """Not bundled: as good as random, and often the same."""
    worth = {me: 2, ".": 1, OTHER[me]: 0}
    mixed = 1 if my_turn else 0
    for row in board:
        for disc in row:
            mixed = (mixed * 5 + worth[disc]) % 1009
    return mixed % 7 - 3


EVALUATORS: dict[str, Evaluate] = {
    "balanced": balanced,
    "lines": lines,
    "points": points,
    "room": room,
    "runs": runs,
    "squares": squares,
    "windows": windows_of_mine,
}
