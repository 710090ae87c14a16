"""A whole game of two compiled players in one call: the referee's loop of `match/referee.py`, compiled.

It plays the same games to the digit, and writes what a referee tells a journal: who thinks, until when, and every move.
What it can't do is left to the loop in Python: players of which one is not compiled, prints, thinks by the clock, or
in another process.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numba import from_dtype, types

from tournament.engine import nodes
from tournament.engine.jit.clocks import barrier, cpu_clock, wall_clock
from tournament.engine.jit.records import records
from tournament.engine.jit.specialise import as_bits, bits_type, helper, specialise
from tournament.engine.layout import HEADER, MOVE, REFEREEING, THINKING
from tournament.engine.nodes import choose, landing
from tournament.engine.result import COUNTERS
from tournament.engine.searcher import Searcher, fault_of
from tournament.engine.state import MOST_CELLS, MOST_OUTCOMES, STATE
from tournament.games.connect4 import SEATS, Position, Rules, count_lines, has_line, playable, popcount, word

FIRST_WINS, SECOND_WINS, DRAW, OUT_OF_TIME = range(4)  # how a game ends

GAME: Final[np.dtype[Any]] = np.dtype(
    [
        ("connect", np.int64),
        ("most_lines", np.int64),
        ("cells", np.int64),
        ("drifting", np.int64, 2),  # whether first's and second's discs drift
        ("luck", np.float64, MOST_CELLS),  # a draw a move
        ("to_move", np.int64),
        ("move_seconds", np.float64),
        ("left", np.float64, 2),  # of each player's time for the game
        ("age", np.int64),  # the number of the last search, by which a table knows its entries
        ("depths", np.int64, 2),  # that both are to search to; 0: as deep as they get
    ]
)


game_at, state_at, header_at, move_at = (records(dtype) for dtype in (GAME, STATE, HEADER, MOVE))


def play(game_: int, first_: int, second_: int, header_: int, moves: int, mine: int, occupied: int) -> int:
    """Play on from an undecided position, whose side to move has the discs `mine`, and say how the game ends.

    The rest are addresses, since numba takes longer to look at five records than to play a shallow game: of the GAME,
    of both players' STATE, of a journal's HEADER and its first MOVE. Where an evaluator raises, the header says whose.
    """
    game, header = game_at(game_, 0), header_at(header_, 0)
    first, second = state_at(first_, 0), state_at(second_, 0)
    first.stop = second.stop = 0
    header.moves = 0
    side = int(game.to_move)
    count = 0
    cpu = cpu_clock()
    while True:
        state = first if side == 0 else second
        seconds = min(game.move_seconds, game.left[side])
        header.seat = side
        header.by_game = 1 if seconds < game.move_seconds else 0
        header.doing = THINKING
        barrier()
        began = wall_clock()
        header.began = began
        header.deadline = began + seconds
        game.age += 1
        state.age = game.age
        state.drifting[0] = game.drifting[1 - side]
        state.drifting[1] = game.drifting[side]
        if state.extended:
            state.most_depth = game.cells - popcount(occupied)
            if game.depths[side] > 0:
                state.most_depth = min(state.most_depth, game.depths[side])
        best = choose(state, mine, occupied)
        spent = wall_clock() - began
        if spent > seconds:
            return OUT_OF_TIME
        header.deadline = math.inf
        barrier()
        game.left[side] -= spent
        full = word(mine, state.full[0], state.full[1])
        cells = playable(occupied, word(mine, state.bottom[0], state.bottom[1]), full)
        landed = best
        if game.drifting[side]:
            landed = drifted(state, mine, cells, best, game.luck[count])
        move = move_at(moves, count)
        move.landed = state.column_numbers[landed]
        move.chosen = state.column_numbers[best]
        move.score = state.answer[best]
        move.depth = state.reached
        move.deepest = state.deepest
        move.saved = 0
        copy_counters(state, move)
        now = cpu_clock()
        move.seconds = spent
        move.cpu_seconds = now - cpu
        cpu = now
        count += 1
        barrier()
        header.moves = count
        header.doing = REFEREEING
        disc = cells & word(mine, state.order[landed, 0], state.order[landed, 1])
        after, filled = mine | disc, occupied | disc
        other = filled ^ after
        stride, columns, connect = int(state.stride), int(state.columns), int(game.connect)
        if game.most_lines:
            if filled == full:
                lead = count_lines(after, stride, columns, connect) - count_lines(other, stride, columns, connect)
                return DRAW if lead == 0 else side if lead > 0 else 1 - side
        elif has_line(after, stride, columns, connect):
            return side
        elif filled == full:
            return DRAW
        mine, occupied, side = other, filled, 1 - side


@helper
def drifted(state: Any, like: int, cells: int, index: int, draw: float) -> int:
    """The place, in the move order, of the column in which a disc comes to rest: `match/luck.py`, compiled."""
    beside = 0
    for which in range(1, MOST_OUTCOMES):
        beside += landing(state, like, cells, index, which) != 0
    chosen = state.chosen if beside > 0 else 1.0
    total = chosen
    for _ in range(beside):
        total += (1.0 - chosen) / beside
    reached, last = chosen, index
    if draw * total < reached:
        return index
    for which in range(1, MOST_OUTCOMES):
        if landing(state, like, cells, index, which) != 0:
            last = int(state.beside[index, which - 1])
            reached += (1.0 - chosen) / beside
            if draw * total < reached:
                return last
    return last


def _copying(names: Sequence[str]) -> Callable[[Any, Any], None]:
    """A function that copies these fields of a record into another."""
    namespace: dict[str, Any] = {}
    lines = "\n".join(f"    target.{name} = source.{name}" for name in names)
    exec(f"def copy(source, target):\n{lines}", namespace)
    return helper(namespace["copy"])


copy_counters = _copying(COUNTERS)


@cache
def _compiled(bits: Any) -> Any:
    """`play`, compiled for boards of this width, whatever the players and the other rules."""
    signature = types.int64(*[types.int64] * 5, bits, bits)
    return specialise(play, signature, str(bits), {"choose": nodes.root(bits)})


@lru_cache
def _told(rules: Rules, to_move: int, move_seconds: float, game_seconds: float, *depths: int) -> bytes:
    """What a game of these is told, but for its luck: a GAME."""
    game = np.zeros(1, GAME)[0]
    game["to_move"] = to_move
    game["connect"], game["most_lines"] = rules.connect, rules.objective == "most-lines"
    game["cells"] = rules.rows * rules.columns
    game["move_seconds"], game["left"], game["depths"] = move_seconds, game_seconds, depths
    if rules.drifts:
        game["drifting"] = [rules.drift_players in ("both", seat) for seat in SEATS]
    return bytes(game.tobytes())


@cache
def _game() -> tuple[bytearray, Any, int]:
    """Memory for the GAME that this process plays, as bytes and as a record, and its address."""
    memory = bytearray(GAME.itemsize)
    games = np.frombuffer(memory, GAME)
    return memory, games, int(games.ctypes.data)


def play_game(
    sides: tuple[Searcher, Searcher],
    position: Position,
    luck: Sequence[float],
    move_seconds: float,
    game_seconds: float,
    header: Any,
    journal: tuple[int, int],
) -> int:
    """How the game of two compiled players ends, from a position in which it is not decided.

    `luck` has a number from 0 to 1 for each move to come, where discs drift. What both did is in the moves of the
    journal, as many as its `header` says; it is given by the addresses of both. An evaluator's fault is raised, and is
    the fault of who thinks, as the header has it.
    """
    rules = position.rules
    depths = [side.settings.depth or 0 for side in sides]
    told = _told(rules, SEATS.index(position.to_move), move_seconds, game_seconds, *depths)
    memory, games, address = _game()
    memory[:] = told  # numpy itself copies records, and sets fields, in many times the time
    if rules.drifts:
        games["luck"][0, : len(luck)] = luck
    tables = [side.table for side in sides if side.table is not None]
    if tables:
        games["age"] = max(table.ready_for(MOST_CELLS) for table in tables)
    for side in sides:
        side.scorer.forget()
        if side.table is not None:
            side.state["table"] = side.table.address
    bits = rules.bits
    mine, occupied = as_bits(position.mover, bits), as_bits(position.occupied, bits)
    first, second = sides
    try:
        return int(_compiled(bits_type(bits))(address, first.address, second.address, *journal, mine, occupied))
    except Exception as error:
        side = sides[int(header["seat"])]
        raise fault_of(side.scorer, side.state, error) from error
    finally:
        for table in tables:
            table.age = int(games["age"][0])


def search_each(state: Any, mine: Any, occupied: Any) -> int:
    """Search these positions one after the other: what nothing that plays games can be faster than."""
    generated = 0
    for number in range(len(mine)):
        choose(state, mine[number], occupied[number])
        generated += state.generated
    return generated


@cache
def _search_each() -> Any:
    boards = types.Array(types.int64, 1, "C")
    return specialise(
        search_each, types.int64(from_dtype(STATE), boards, boards), "", {"choose": nodes.root(types.int64)}
    )


def search_all(searcher: Searcher, mine: Any, occupied: Any) -> int:
    """How many positions are generated when all these are searched: boards of one word, without drift or options."""
    return int(_search_each()(searcher.state, mine, occupied))
