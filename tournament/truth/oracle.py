"""What perfect play says of positions: by the book where it knows them, by what was solved before, else by search."""

from __future__ import annotations

import signal
import time
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import active_children, get_context, resource_tracker

from tournament.errors import TourneyError
from tournament.games.connect4 import DISC, STANDARD, Position, Rules, undecided
from tournament.truth.book import book
from tournament.truth.compiled import compiled
from tournament.truth.remembered import Known, folder, keep, key_of, recall
from tournament.truth.scope import check_rules
from tournament.truth.solver import USUAL_MEGABYTES, Solver
from tournament.truth.verdict import VALUE_OF_SIGN, MoveTruth, Truth, of_moves, plies_to_end, sign_of


@dataclass(frozen=True)
class Question:
    """How positions are to be solved: exactly or not, and with how much work each."""

    rules: Rules = STANDARD
    exact: bool = False
    nodes: int | None = None
    seconds: float | None = None
    use_book: bool = True
    megabytes: int = USUAL_MEGABYTES


@dataclass
class Oracle:
    """Solves positions of one board, and keeps what it has found; `known` is what was solved before."""

    question: Question = Question()
    known: Known = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._solver = Solver(self.question.rules, self.question.megabytes)
        self._book = book() if self.question.use_book and self.question.rules == STANDARD else None

    def solve(self, position: Position) -> Truth:
        """What each move of a position is worth, and so the position; TourneyError where the game is over."""
        undecided(position)
        question, solver = self.question, self._solver
        if question.nodes is not None:
            solver.forget()  # what a number of nodes proves must not depend on what was solved before
        solver.limit(question.nodes, question.seconds)
        nodes, start = solver.nodes, time.perf_counter()
        moves = tuple(self._move(position, column) for column in position.open_columns())
        value, plies = of_moves(moves)
        seconds = time.perf_counter() - start
        return Truth(DISC[position.to_move], value, plies, moves, solver.nodes - nodes, seconds)

    def _move(self, position: Position, column: int) -> MoveTruth:
        after, exact = position.play(column), self.question.exact
        plies, cells = after.occupied.bit_count(), self.question.rules.rows * self.question.rules.columns
        if after.result is not None:
            won = after.result != "draw"
            return MoveTruth(column + 1, "win" if won else "draw", 1 if exact else None)
        score = self._score(after)
        if score is None:
            return MoveTruth(column + 1, "unknown")
        return MoveTruth(
            column + 1,
            VALUE_OF_SIGN[-sign_of(score)],
            plies_to_end(score, plies, cells) + 1 if exact else None,
        )

    def _score(self, position: Position) -> int | None:
        """The score of a position whose game goes on, or its sign; None where it is not proven."""
        exact = self.question.exact
        key = key_of(position)
        if key in self.known:
            score, is_exact = self.known[key]
            if is_exact or not exact:
                return score
        sign = self._book.value(position) if self._book is not None else None
        if sign is not None and (sign == 0 or not exact):
            return sign
        return None if self._solver.stopped else self._solver.score(position, exact=exact, sign=sign)


def learn(known: Known, position: Position, truth: Truth) -> None:
    """Add what a position and its moves are worth to what is known."""
    cells = position.rules.rows * position.rules.columns
    for one in truth.moves:
        after = position.play(one.move - 1)
        if one.value == "unknown" or after.result is not None:
            continue
        exact = one.plies is not None or one.value == "draw"
        key = key_of(after)
        if exact or key not in known:
            known[key] = (_score_of(one, after.occupied.bit_count(), cells), exact)


def _score_of(move: MoveTruth, plies: int, cells: int) -> int:
    """The score of the position after a move, for the side to move then, by what the move is worth."""
    sign = {"win": -1, "draw": 0, "loss": 1}[move.value]
    if sign == 0 or move.plies is None:
        return sign
    before_the_last = plies + move.plies - 2
    return sign * ((cells + 1 - before_the_last) // 2)


_asked: list[tuple[Question, Known]] = []  # in a process of several


@cache
def _ours() -> Oracle:
    """Made with the first position: its errors are told, while a process that fails to begin is only begun anew."""
    return Oracle(*_asked[0])


def _begin(question: Question, known: Known) -> None:
    _asked.append((question, known))


def _solve(position: Position) -> Truth:
    return _ours().solve(position)


def _truths(positions: list[Position], question: Question, known: Known, jobs: int) -> Generator[Truth]:
    """What so many processes find, in the order of the positions; TourneyError where one of them was killed.

    Ctrl-C is not heard in them: it is ours to handle, and ends them.
    """
    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (question, known))
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            solved = [pool.submit(_solve, position) for position in positions]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for each in solved:
            yield each.result()
    except BrokenProcessPool:
        raise TourneyError(
            "a process that solved positions was killed, maybe for want of memory: fewer jobs or a smaller table take "
            "less."
        ) from None
    except BaseException:
        for process in set(active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def solve_all(positions: list[Position], question: Question, jobs: int = 1) -> Generator[Truth]:
    """What perfect play says of each position, in their order, by so many processes; and keeps it for the next time."""
    check_rules(question.rules)
    place = folder() if question.use_book else None
    known = recall(place, question.rules)
    found: Known = {}
    try:
        if jobs > 1 and len(positions) > 1:
            rules = question.rules
            compiled(rules.rows, rules.columns, rules.connect)  # once, before there are several of us
            with closing(_truths(positions, question, known, min(jobs, len(positions)))) as truths:
                for position, truth in zip(positions, truths, strict=True):
                    learn(found, position, truth)
                    yield truth
        else:
            oracle = Oracle(question, known)
            for position in positions:
                truth = oracle.solve(position)
                learn(found, position, truth)
                yield truth
    finally:
        if found:
            keep(place, question.rules, known | found)
