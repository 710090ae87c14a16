"""A search made ready: what it is told, what it finds, and what that took."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tournament.engine import nodes
from tournament.engine.algorithms import ALGORITHMS, ORDERS, Order
from tournament.engine.jit.specialise import JIT_DISABLED, as_bits
from tournament.engine.result import COUNTERS, Counters, RootMove, SearchResult
from tournament.engine.scorer import Scorer
from tournament.engine.settings import Settings
from tournament.engine.state import NO_FAULT, NO_MOVE, new_state
from tournament.engine.threads import SharedRoot
from tournament.engine.transpositions import EXACT, UNKNOWN, Transpositions, shared_table
from tournament.errors import TourneyError
from tournament.games.connect4 import Position, Rules, other_seat, undecided, word, words


def column_order(order: Order, columns: int) -> list[int]:
    """The columns, from 0, in the order in which moves are tried."""
    if ORDERS[order].ties == "left":
        return list(range(columns))
    return sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column))


def fault_of(scorer: Scorer, state: Any, error: Exception) -> Exception:
    """The evaluator's fault that ended a compiled function, or the error itself where it was not the evaluator's."""
    mine_low, mine_high, theirs_low, theirs_high, my_turn = state["fault"]
    if my_turn == NO_FAULT:
        return error
    return scorer.explain(error, word(0, mine_low, mine_high), word(0, theirs_low, theirs_high), bool(my_turn))


class Searcher:
    """A search made ready for one evaluator, one set of rules and one set of settings."""

    def __init__(self, scorer: Scorer, settings: Settings, table: Transpositions | None = None) -> None:
        rules = scorer.rules
        settings.suit(rules)
        self.scorer = scorer
        self.settings = settings
        self.columns = column_order(settings.order, rules.columns)
        self.extended = settings.extended
        self.table = (table or shared_table(settings.table)) if settings.table else None
        self.state = self._new_state()
        self.address = int(self.state.base.ctypes.data)  # of the state, for compiled code
        self._kernel = nodes.kernel(rules, self.extended)
        self.state["visit"] = self._kernel.address
        self._choose = self._kernel.choose
        self._shared = self._shared_root() if settings.threads > 1 else None

    def _new_state(self) -> Any:
        state = state_for(self.scorer.rules, self.settings, self.columns)
        state["evaluator"] = self.scorer.address
        return state

    def _shared_root(self) -> SharedRoot:
        """The search by several threads, each with a table of its own."""
        number, size = self.settings.threads, self.settings.table
        if not self.scorer.compiled:
            raise TourneyError(
                f"threads is {number}, and {self.scorer.name} runs in Python ({self.scorer.reason}), one call at a "
                "time: threads need an evaluator that is compiled."
            )
        states = [self._new_state() for _ in range(number)]
        tables = [self.table, *(Transpositions(size) for _ in range(number - 1))] if size else []
        self._tables = [table for table in tables if table is not None]
        return SharedRoot(self.state, states, self._kernel.visit, drifts=self.scorer.rules.drifts)

    def search(self, position: Position) -> SearchResult:
        """The best move for the side to move in an undecided position."""
        bits = position.rules.bits
        state = self.state
        self.scorer.forget()
        self._tell(position)
        mine, occupied = as_bits(position.mover, bits), as_bits(position.occupied, bits)
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            with self._clock():
                if self._shared is None:
                    best = self._choose(state, mine, occupied)
                else:
                    opened = set(position.open_columns())
                    places = [index for index, column in enumerate(self.columns) if column in opened]
                    best = self._shared.choose(mine, occupied, places)
        except Exception as error:
            raise fault_of(self.scorer, state, error) from error
        seconds, cpu_seconds = time.perf_counter() - wall, time.thread_time() - cpu
        if self._shared is not None:
            cpu_seconds += self._shared.cpu_seconds
        counters = Counters(**{name: int(state[name]) for name in COUNTERS})
        depth = int(state["reached"])
        deepest = int(state["deepest"])
        score = float(state["answer"][best])
        return SearchResult(
            self.columns[best], score, counters, seconds, cpu_seconds, self.scorer.saved, depth, deepest
        )

    def _tell(self, position: Position) -> None:
        """Write into the state what differs from position to position: depth, whose discs drift, the table's age."""
        rules = position.rules
        threads = self._shared.states if self._shared is not None else []
        for state in (self.state, *threads):
            if rules.drifts:
                other = other_seat(position.to_move)
                state["drifting"] = [rules.drift_players in ("both", seat) for seat in (other, position.to_move)]
            if self.extended:
                cells = rules.rows * rules.columns - position.occupied.bit_count()
                state["most_depth"] = min(self.settings.depth or cells, cells)
                state["stop"] = 0
        tables = self._tables if self._shared is not None else [self.table] if self.table is not None else []
        for state, table in zip(threads or [self.state], tables, strict=bool(tables)):
            state["table"] = table.address
            state["age"] = table.next_search()

    @contextmanager
    def _clock(self) -> Iterator[None]:
        """Stops the search when its time is up: compiled code looks at the clock itself.

        Where Python searches, or is called for each score, another thread writes what it reads.
        """
        if self.settings.seconds is None:
            yield
            return
        if self.scorer.compiled and not JIT_DISABLED:
            deadline = time.monotonic() + self.settings.seconds
            for state in [self.state] if self._shared is None else self._shared.states:
                state["deadline"] = deadline
            yield
            return
        timer = threading.Timer(self.settings.seconds, self.stop)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def stop(self) -> None:
        """End the search under way in another thread; it answers with the deepest it has finished."""
        self.state["stop"] = 1
        if self._shared is not None:
            self._shared.stop()

    def repeating(self) -> Settings:
        """The settings that repeat the last search: its own, or in place of a time the nodes that it was enough for.

        Of several threads one finds the same, to the depth that they have finished.
        """
        if self.settings.threads > 1:
            depth = int(self.state["reached"]) if self.settings.seconds is not None else self.settings.depth
            return replace(self.settings, seconds=None, depth=depth, iterative=self.settings.deepens, threads=1)
        if self.settings.seconds is None:
            return self.settings
        enough = int(self.state["generated"]) + 2 - int(self.state["stopped"])  # see `out_of_budget`
        return replace(self.settings, seconds=None, nodes=enough)

    def root_moves(self) -> tuple[RootMove, ...]:
        """What the last search knows of each move at its root, in move order."""
        values, known = self.state["answer"].tolist(), self.state["answered"].tolist()
        return tuple(
            RootMove(column, values[index], known[index] == EXACT)
            for index, column in enumerate(self.columns)
            if known[index] != UNKNOWN
        )


def state_for(rules: Rules, settings: Settings, columns: list[int]) -> Any:
    """The state of a search by these rules and settings, with the columns in move order."""
    state = new_state()
    state["stride"] = rules.stride
    state["columns"] = rules.columns
    state["full"] = words(rules.full)
    state["bottom"] = words(rules.bottom)
    state["extended"] = settings.extended
    state["most_depth"] = settings.depth or 0
    algorithm, order = ALGORITHMS[settings.algorithm], ORDERS[settings.order]
    state["use_pruning"] = algorithm.prunes
    for name in (*algorithm.switches, *order.switches):
        state[name] = 1
    state["order_seed"] = settings.order_seed
    state["chosen"] = rules.drift
    state["use_deepening"] = settings.deepens
    state["aspiration"] = settings.aspiration
    state["most_generated"] = settings.nodes or 1 << 62
    state["table_size"] = settings.table
    places = {column: index for index, column in enumerate(columns)}
    for column, index in places.items():
        state["order"][index] = words(rules.column(column))
        state["column_numbers"][index] = column
        state["beside"][index] = [places.get(column - 1, NO_MOVE), places.get(column + 1, NO_MOVE)]
    return state


def search(position: Position, scorer: Scorer, settings: Settings) -> SearchResult:
    """The best move in `position`, which must be undecided, and what is known of the other moves."""
    searcher = Searcher(scorer, settings)
    found = searcher.search(undecided(position))
    return found._replace(root_moves=searcher.root_moves())
