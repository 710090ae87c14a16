"""Worker processes that stay alive and play games, so that a run uses every core.

Nothing that happens in a worker stops the others: one that dies, or is over its time, is replaced, and what it was
doing is told to `lost`, which says what comes of it.
"""

from __future__ import annotations

import faulthandler
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from tournament.engine.result import SearchResult
from tournament.errors import TourneyError
from tournament.isolation.ending import Ending
from tournament.isolation.environment import read_output
from tournament.isolation.process import Process
from tournament.match.journal import IDLE, Journal, JournalEntry

BATCH_SECONDS = 0.05  # of work in one message: short games do not drown in messages, long ones travel alone
MOST_IN_BATCH = 64
IDLE_SECONDS = 0.1  # how long we wait for workers at most, until `idle` is called and the deadlines are checked
AHEAD = 2  # batches of short tasks with a worker: one that it works on, and one so that it need not wait for us
MOST_TRIES = 5  # at one task that workers die of and nobody can be blamed for, or that pauses come into
PAUSE_SECONDS = 0.15  # beyond the longest wait: if no look comes for so long, we were stopped, and so may all have been


class WorkerDeath(NamedTuple):
    """A worker that has ended, or was ended, at its work."""

    ending: Ending
    late: bool  # it was over its time, and was ended by us
    entry: JournalEntry
    moves: list[tuple[SearchResult, int]]
    printed: str
    noticed: float  # when we saw its end, by time.monotonic()


class _Worker:
    def __init__(self, work: Callable[[Any, Journal], Any]) -> None:
        self.journal = Journal()
        self.process = Process(lambda connection: _serve(connection, work, self.journal))
        self.batches: deque[list[Any]] = deque()  # sent and not yet answered
        self.paused = 0  # so many of them were under way while we stood still

    @property
    def connection(self) -> Connection:
        return self.process.connection

    def close(self) -> None:
        self.process.close()
        self.journal.close()


class Pool:
    """Processes forked from this one, which all run `work(task, journal)` on what they are sent. Use it with `with`.

    `lost(task, loss)` is the result of a task whose worker was lost, or None where it is to be tried again. A player
    may take `grace` seconds more than the journal says, where the worker itself looks at the clock. While all of us
    stand still (SIGSTOP, a container's freezer) clocks go on: who was late by such a one is not judged, and a task
    whose result is `by_clock` is done again.
    """

    def __init__(
        self,
        work: Callable[[Any, Journal], Any],
        jobs: int,
        *,
        lost: Callable[[Any, WorkerDeath], Any] = lambda task, loss: None,
        by_clock: Callable[[Any, Any], bool] = lambda task, result: False,
        grace: float = 0.0,
    ) -> None:
        self.jobs = jobs
        self._work, self._lost, self._by_clock, self._grace = work, lost, by_clock, grace
        self._again: deque[Any] = deque()  # tasks of workers that were lost
        self._tries: Counter[str] = Counter()
        self._pauses: Counter[str] = Counter()  # by the task that they came into
        self._looked = time.monotonic()
        self._seconds_per_task = BATCH_SECONDS
        self._workers = [_Worker(work) for _ in range(jobs)]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the workers without waiting for what they are doing."""
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def under_way(self) -> list[Any]:
        """The first task of each worker that has not been answered: about what is being done now."""
        return [worker.batches[0][0] for worker in self._workers if worker.batches]

    def moves_made(self) -> list[int]:
        """How many moves of each of these are made."""
        return [worker.journal.moves_made() for worker in self._workers if worker.batches]

    def run(
        self,
        tasks: Iterator[Any],
        idle: Callable[[], None],
        is_wanted: Callable[[Any], bool] = lambda task: True,
    ) -> Iterator[tuple[Any, Any]]:
        """Every task with its result, in the order in which they are done; `idle` is called before each wait, and so
        several times a second.

        A task of a worker that was lost is done again, if it is still wanted.
        """
        self._is_wanted = is_wanted
        self._looked = time.monotonic()
        for _ in range(AHEAD):
            for worker in self._workers:
                self._send(worker, tasks)
        while busy := [worker for worker in self._workers if worker.batches]:
            idle()
            ready = wait([worker.connection for worker in busy], IDLE_SECONDS)
            for worker in busy:
                if worker.connection in ready:
                    yield from self._receive(worker, tasks)
                elif self._is_late(worker):
                    yield from self._replace(worker, tasks, late=True)

    def _is_late(self, worker: _Worker) -> bool:
        """Whether a player is over its time, and its worker has nothing to say."""
        deadline = worker.journal.entry().deadline  # before we look whether a batch is done that it is not part of
        return not self._look() <= deadline + self._grace and not worker.connection.poll()

    def _look(self) -> float:
        """The time; where we have not looked for too long, what is under way has stood still with us."""
        now = time.monotonic()
        if now - self._looked > IDLE_SECONDS + PAUSE_SECONDS:
            for worker in self._workers:
                worker.paused = len(worker.batches)
        self._looked = now
        return now

    def _came_into_pause(self, task: Any) -> bool:
        """Whether a task of a worker that stood still is to be done again: not for ever, where pauses come often."""
        self._pauses[str(task)] += 1
        return self._pauses[str(task)] < MOST_TRIES

    def _send(self, worker: _Worker, tasks: Iterator[Any]) -> None:
        """Give a worker something to do next; and where tasks are known to be short, to do after that.

        A long one is sent to whoever is free for it, so that nobody sits idle while another has two.
        """
        if len(worker.batches) >= (AHEAD if self._seconds_per_task < BATCH_SECONDS else 1):
            return
        size = max(1, min(MOST_IN_BATCH, int(BATCH_SECONDS / max(self._seconds_per_task, 1e-6))))
        batch = [self._again.popleft() for _ in range(min(size, len(self._again)))]
        batch += islice(tasks, size - len(batch))
        if batch:
            worker.batches.append(batch)
            with suppress(ConnectionError):  # it has ended, as the next look at it will show
                worker.connection.send(batch)

    def _receive(self, worker: _Worker, tasks: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
        """What a worker has done, or what comes of its end."""
        done = self._answer(worker)
        if done is None:
            yield from self._replace(worker, tasks)
            return
        for _ in range(AHEAD):
            self._send(worker, tasks)
        yield from done

    def _answer(self, worker: _Worker) -> list[tuple[Any, Any]] | None:
        """The tasks of a batch with their results, or None where there will be no more."""
        try:
            results, seconds = worker.connection.recv()
        except (EOFError, ConnectionError):
            return None
        self._look()
        batch = worker.batches.popleft()
        done, left = batch[: len(results)], batch[len(results) :]
        if left:  # it retires, and leaves the rest to another
            worker.batches.appendleft(left)
        self._seconds_per_task = (self._seconds_per_task * seconds / len(done)) ** 0.5
        told = list(zip(done, results, strict=True))
        if not worker.paused:
            return told
        worker.paused -= not left
        again = [task for task, result in told if self._by_clock(task, result) and self._came_into_pause(task)]
        self._again.extend(again)
        return [(task, result) for task, result in told if task not in again]

    def _replace(self, worker: _Worker, tasks: Iterator[Any], *, late: bool = False) -> Iterator[tuple[Any, Any]]:
        """Put a fresh worker into the place of one that has ended, or is to end."""
        noticed = time.monotonic()
        ending = worker.process.end()
        answered: list[tuple[Any, Any]] = []
        while worker.connection.poll() and (more := self._answer(worker)) is not None:
            answered += more  # it came before the end
        entry = worker.journal.entry()
        printed = read_output(worker.process.output)
        loss = WorkerDeath(ending, late, entry, worker.journal.moves(), printed, noticed)
        worker.close()
        sent = list(chain.from_iterable(worker.batches))
        under_way = sent.pop(entry.task) if entry.doing != IDLE and 0 <= entry.task < len(sent) else None
        fresh = _Worker(self._work)
        self._workers[self._workers.index(worker)] = fresh
        yield from answered
        if under_way is not None:
            is_over = not late or (
                not self._look() <= entry.deadline + self._grace  # it may have gone on meanwhile
                and not (worker.paused and self._came_into_pause(under_way))
            )
            result = self._lost(under_way, loss) if is_over else None
            if result is not None:
                yield under_way, result
            else:
                sent.insert(0, self._tried(under_way, loss) if is_over else under_way)
        self._again.extendleft(reversed([task for task in sent if self._is_wanted(task)]))
        self._seconds_per_task = BATCH_SECONDS  # tasks travel alone until it is known again how long they take
        for _ in range(AHEAD):
            for each in self._workers:  # one that has nothing to do may take over
                self._send(each, tasks)

    def _tried(self, task: Any, loss: WorkerDeath) -> Any:
        """The same task, unless workers have died of it too often."""
        self._tries[str(task)] += 1
        if self._tries[str(task)] >= MOST_TRIES:
            raise TourneyError(
                f"a worker process ended ({loss.ending}) {MOST_TRIES} times while playing {task}. "
                f"Finished games are kept; the same command goes on. It said: {loss.printed[-500:] or 'nothing'}"
            )
        return task


def _serve(connection: Connection, work: Callable[[Any, Journal], Any], journal: Journal) -> None:
    """A worker's life: batches in, results out, until the other end is closed or it is time to retire."""
    faulthandler.enable(2)
    while not journal.retiring:
        batch = connection.recv()
        start = time.perf_counter()
        results = []
        for number, task in enumerate(batch):
            journal.begins(number)
            results.append(work(task, journal))
            if journal.retiring:
                break
        journal.rests()  # first: what is read with the answer at hand must not be taken for the next batch
        connection.send((results, time.perf_counter() - start))
