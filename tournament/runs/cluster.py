"""A Dask cluster plays the games: batches of them travel with the files of their players, and come back played.

On a Dask worker each thread keeps an outpost, a process that has a guarded worker of its own, as on this machine. So
a player that fails there fails in the same way, and harms neither the Dask worker nor other games.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.errors import TourneyError
from tournament.isolation.bubblewrap import check_sandbox
from tournament.isolation.process import CONNECTION, Process
from tournament.runs.pool import MOST_TRIES, Pool, WorkerDeath
from tournament.runs.worker import GameRecipe
from tournament.store import Task

BATCH_SECONDS = 0.5  # of work in one message
MOST_IN_BATCH = 256
IDLE_SECONDS = 0.2
AHEAD = 2  # batches for each thread of the cluster
PATIENCE_SECONDS = 30.0  # for the scheduler to answer, and for a first worker


class Cluster:
    """The workers of a cluster, used as those of this machine. Use it with `with`."""

    def __init__(self, playing: GameRecipe, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise TourneyError("--scheduler needs Dask: install it with `pip install 'tourney[dask]'`.") from None
        self._playing = playing
        try:
            self._client = Client(address, timeout=PATIENCE_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            why = " ".join(str(error).split())
            raise TourneyError(f"there is no Dask scheduler at {address}: {why:.300}.") from error
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
            self._client.submit(_is_there, pure=False).result(timeout=PATIENCE_SECONDS)
        except Exception as error:
            self._client.close()
            why = " ".join(str(error).split()) or type(error).__name__
            raise TourneyError(
                f"the cluster at {address} can't play: {why:.300}. Start workers on machines that have this package."
            ) from error
        self.jobs = self._threads()
        self._under_way: dict[Any, list[Task]] = {}
        self._seconds_per_task = BATCH_SECONDS

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.cancel(list(self._under_way), force=True)
        self._client.close()

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def under_way(self) -> list[Task]:
        """The first task of each batch that is out."""
        return [batch[0] for batch in self._under_way.values()][: self.jobs]

    def moves_made(self) -> list[int]:
        """Nothing: workers elsewhere tell when they are done."""
        return []

    def run(
        self, tasks: Iterator[Task], idle: Callable[[], None], is_wanted: Callable[[Task], bool]
    ) -> Iterator[tuple[Task, Game | Measured]]:
        """Every task that is still wanted when its turn comes, and what came of it, in the order in which they end."""
        from distributed import wait

        again: deque[list[Task]] = deque()  # batches that were lost with a worker
        tries: Counter[str] = Counter()
        seen = time.monotonic()  # when there was a worker
        while True:
            threads = self._threads()
            if threads:
                self.jobs, seen = threads, time.monotonic()
            elif time.monotonic() - seen > PATIENCE_SECONDS:
                raise TourneyError(
                    f"the cluster has had no workers for {PATIENCE_SECONDS:g} s. Finished games are kept; "
                    "start workers, and the same command goes on."
                )
            while len(self._under_way) < AHEAD * self.jobs:
                batch = again.popleft() if again else list(islice(tasks, self._batch_size()))
                batch = [task for task in batch if is_wanted(task)]
                if not batch:
                    break
                sent = self._client.submit(play_batch, self._playing.of(batch), batch, pure=False)
                self._under_way[sent] = batch
            if not self._under_way:
                return
            idle()
            try:
                done = wait(list(self._under_way), timeout=IDLE_SECONDS, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                continue
            for future in done:
                batch = self._under_way.pop(future)
                lost = future.status in ("lost", "cancelled")
                error = ConnectionError("the scheduler has lost it") if lost else future.exception()
                if error is not None:
                    tries[batch[0].id] += 1
                    if isinstance(error, TourneyError) or tries[batch[0].id] >= MOST_TRIES:
                        raise TourneyError(
                            f"the cluster could not play {batch[0]}: {error!r:.500}. Finished games are kept; "
                            "the same command goes on."
                        ) from error
                    again.append(batch)
                    continue
                games, seconds = future.result()
                future.release()
                self._seconds_per_task = 0.5 * (self._seconds_per_task + seconds / len(batch))
                yield from zip(batch, games, strict=True)

    def _batch_size(self) -> int:
        return max(1, min(MOST_IN_BATCH, int(BATCH_SECONDS / max(self._seconds_per_task, 1e-6))))


# ── on a Dask worker ─────────────────────────────────────────────────────────────────────────────

_of_this_thread = threading.local()


def _is_there() -> bool:
    """That this package can be imported where it is called."""
    return True


def play_batch(playing: GameRecipe, batch: list[Task]) -> tuple[list[Game | Measured], float]:
    """What came of the tasks of a batch, and how many seconds they took."""
    if playing.isolation == "sandbox":
        check_sandbox()  # here, where the players will be
    for key, player in playing.players.items():
        if player.key != key:  # made from the hash of its file
            raise TourneyError(f"the file of {player.name} did not arrive as it was sent.")
    start = time.perf_counter()
    outpost: Process | None = getattr(_of_this_thread, "outpost", None)
    if outpost is None:
        outpost = _of_this_thread.outpost = Process([sys.executable, "-c", MAIN, CONNECTION])
    try:
        outpost.connection.send((playing, batch))
        answer = outpost.connection.recv()
    except (EOFError, OSError) as error:
        outpost.close()
        _of_this_thread.outpost = None
        raise ChildProcessError(f"the outpost ended ({outpost.ending})") from error
    if isinstance(answer, TourneyError):
        raise answer
    return answer, time.perf_counter() - start


# ── in the outpost ───────────────────────────────────────────────────────────────────────────────

MAIN = "from tournament.runs.cluster import outpost; outpost()"


class Parcel(NamedTuple):
    """A task with all that is needed to do it."""

    playing: GameRecipe
    task: Task

    def __str__(self) -> str:
        return str(self.task)


def _play(parcel: Parcel, journal: Any) -> Game | Measured:
    return parcel.playing(parcel.task, journal)


def _lost(parcel: Parcel, loss: WorkerDeath) -> Game | Measured | None:
    return parcel.playing.lost(parcel.task, loss)


def _by_clock(parcel: Parcel, done: Game | Measured) -> bool:
    return parcel.playing.by_clock(parcel.task, done)


def outpost() -> None:
    """The life of an outpost: batches in, games out, until the Dask worker closes the other end."""
    connection = Connection(int(sys.argv[1]))
    pool: Pool | None = None
    grace = 0.0
    try:
        while True:
            playing, batch = connection.recv()
            if pool is not None and grace != playing.grace:
                pool.stop()
                pool = None
            grace = playing.grace
            pool = pool or Pool(_play, 1, lost=_lost, by_clock=_by_clock, grace=grace)
            try:
                parcels = (Parcel(playing, task) for task in batch)
                games = {parcel.task: game for parcel, game in pool.run(parcels, lambda: None)}
                connection.send([games[task] for task in batch])
            except TourneyError as error:
                connection.send(error)
    except (EOFError, OSError):
        pass
    finally:
        if pool is not None:
            pool.stop()
