"""The referee: runs a game, owns the clock, decides who forfeits."""

from __future__ import annotations

import time
from functools import lru_cache

from tournament.engine.game import Game, Reason
from tournament.engine.packed import PackedMoves
from tournament.engine.playing import DRAW, OUT_OF_TIME, play_game
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher
from tournament.errors import PlayerFault
from tournament.games.connect4 import SEATS, STANDARD, Position, Rules, Seat, other_seat, play_moves, undecided
from tournament.isolation.limits import NO_LIMITS, Limits
from tournament.match.clock import Clock, too_late
from tournament.match.journal import Journal
from tournament.match.luck import drifted, luck_of
from tournament.match.side import LocalSide, Side


def play(
    first: Side,
    second: Side,
    opening: str = "",
    seed: int = 1,
    *,
    rules: Rules = STANDARD,
    limits: Limits = NO_LIMITS,
    journal: Journal | None = None,
) -> Game:
    """The game that two sides play from an opening. Whoever fails, or takes too long, forfeits it.

    Where discs drift, the seed and the opening decide how: a pair has the same luck in both of its games.
    """
    position = _after(opening, rules)
    if isinstance(first, LocalSide) and isinstance(second, LocalSide) and first.compiled and second.compiled:
        return _play_compiled(first.compiled, second.compiled, position, opening, seed, limits, journal or Journal())
    luck = luck_of(seed, opening)
    sides: dict[Seat, Side] = {"first": first, "second": second}
    clocks = {seat: Clock(limits, agent=side.is_agent) for seat, side in sides.items()}
    record: list[SearchResult] = []
    landed: list[int] = []
    for side in sides.values():
        side.output = ""
    while position.result is None:
        mover = position.to_move
        clock = clocks[mover]
        time_left = clock.time_left()
        if journal is not None:
            journal.thinks(mover, time_left.seconds, by_game=time_left.by_game)
        began = time.perf_counter()
        try:
            found = sides[mover].move(position, time_left)
            spent = time.perf_counter() - began
            if spent > time_left.seconds:
                raise clock.too_late()
            if found.chosen not in position.open_columns():
                raise illegal(found.chosen, position)
        except PlayerFault as fault:
            spent = time.perf_counter() - began
            game = Game(opening, tuple(record), tuple(landed), other_seat(mover), "forfeit", begun=len(opening))
            return game.blamed(fault)._replace(output=(first.output, second.output), forfeit_seconds=spent)
        clock.took(spent)
        record.append(found)
        landed.append(drifted(position, found.chosen, luck))
        if journal is not None:
            journal.moved(found, landed[-1])
        position = position.play(landed[-1])
    by_lines = position.rules.objective == "most-lines"
    reason: Reason = "full board" if position.result == "draw" else "most lines" if by_lines else "line"
    moves = (tuple(record), tuple(landed))
    return Game(opening, *moves, position.result, reason, begun=len(opening), output=(first.output, second.output))


@lru_cache(1 << 12)  # every opening is played by many
def _after(opening: str, rules: Rules) -> Position:
    return undecided(play_moves(Position(rules), opening))


def _play_compiled(
    first: Searcher,
    second: Searcher,
    position: Position,
    opening: str,
    seed: int,
    limits: Limits,
    journal: Journal,
) -> Game:
    """The same game in one call: both players are compiled, and nobody has to be asked in between."""
    draws: list[float] = []
    if position.rules.drifts:
        luck = luck_of(seed, opening)
        draws = [luck.random() for _ in range(position.rules.rows * position.rules.columns - len(opening))]
    times = (limits.move_seconds, limits.game_seconds)
    fault: PlayerFault | None = None
    try:
        end = play_game((first, second), position, draws, *times, *journal.for_compiled_code())
    except PlayerFault as told:
        fault = told
    ended = time.monotonic()
    seat, began, by_game, moves = journal.played()
    if fault is None and end == OUT_OF_TIME:
        fault = too_late(limits, by_game=by_game, agent=False)
    found = PackedMoves.from_bytes(moves)
    game = Game(opening, found, found.landed, "draw", "full board", begun=len(opening))
    if fault is not None:
        game = game._replace(result=other_seat(seat), reason="forfeit", forfeit_seconds=ended - began)
        return game.blamed(fault)
    if end == DRAW:
        return game
    by_lines = position.rules.objective == "most-lines"
    return game._replace(result=SEATS[end], reason="most lines" if by_lines else "line")


def illegal(column: int, position: Position) -> PlayerFault:
    is_there = 0 <= column < position.rules.columns
    what = f"chose column {column + 1}, which is full" if is_there else f"chose column {column} from 0, which is none"
    return PlayerFault(f"it {what}, in `{position}`.", "illegal move")
