"""Worker processes that stay alive and play games, so that a run uses every core."""

from __future__ import annotations

import multiprocessing
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from tournament.errors import TourneyError

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH_SECONDS = 0.05  # of work in one message: short games do not drown in messages, long ones travel alone
MOST_IN_BATCH = 64
IDLE_SECONDS = 0.1  # at most, between two calls of `idle`
AHEAD = 2  # batches with a worker: one that it works on, and one so that it need not wait for us


class _Worker:
    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.batches: deque[list[Any]] = deque()  # sent and not yet answered


class Pool:
    """Processes forked from this one, which all run `work` on what they are sent. Use it with `with`."""

    def __init__(self, work: Callable[[Task], Result], jobs: int) -> None:
        context = multiprocessing.get_context("fork")  # what is compiled here is compiled there
        self.jobs = jobs
        self._workers: list[_Worker] = []
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            inherited = [worker.connection for worker in self._workers] + [ours]
            process = context.Process(target=_serve, args=(theirs, inherited, work), daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads: we hold none
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))
        self._seconds_per_task = BATCH_SECONDS

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.stop()
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            worker.process.join()

    def stop(self) -> None:
        """End the workers without waiting for what they are doing."""
        for worker in self._workers:
            worker.process.terminate()

    def under_way(self) -> list[Any]:
        """The first task of each worker that has not been answered: about what is being done now."""
        return [worker.batches[0][0] for worker in self._workers if worker.batches]

    def run(self, tasks: Iterator[Task], idle: Callable[[], None]) -> Iterator[tuple[Task, Result]]:
        """Every task with its result, in the order in which they are done; `idle` is called now and then."""
        for _ in range(AHEAD):
            for worker in self._workers:
                self._send(worker, tasks)
        while busy := [worker for worker in self._workers if worker.batches]:
            ready = wait([worker.connection for worker in busy], IDLE_SECONDS)
            idle()
            for worker in busy:
                if worker.connection in ready:
                    batch, (results, seconds) = worker.batches[0], self._receive(worker)
                    worker.batches.popleft()
                    self._seconds_per_task = 0.5 * (self._seconds_per_task + seconds / len(batch))
                    self._send(worker, tasks)
                    yield from zip(batch, results, strict=True)

    def _send(self, worker: _Worker, tasks: Iterator[Task]) -> None:
        size = max(1, min(MOST_IN_BATCH, int(BATCH_SECONDS / max(self._seconds_per_task, 1e-6))))
        batch = list(islice(tasks, size))
        if batch:
            worker.batches.append(batch)
            try:
                worker.connection.send(batch)
            except ConnectionError:
                raise _death(worker) from None

    def _receive(self, worker: _Worker) -> Any:
        try:
            return worker.connection.recv()
        except (EOFError, ConnectionError):
            raise _death(worker) from None


def _death(worker: _Worker) -> TourneyError:
    """What to say of a worker that has ended by itself."""
    worker.process.join()
    code = worker.process.exitcode or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return TourneyError(
        f"a worker process ended ({how}) while playing one of {worker.batches[0]}. "
        "Finished games are kept; the same command goes on."
    )


def _serve(connection: Connection, inherited: list[Connection], work: Callable[[Any], Any]) -> None:
    """A worker's life: batches in, results out, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    for other in inherited:
        other.close()  # else we would keep them open, and nobody would notice the parent's end
    try:
        while True:
            batch = connection.recv()
            start = time.perf_counter()
            results = [work(task) for task in batch]
            connection.send((results, time.perf_counter() - start))
    except (EOFError, ConnectionError):
        pass
