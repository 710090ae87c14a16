"""The pool: every task once, whatever the number of workers and whatever becomes of them; none outlives it."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from threading import Timer

import pytest
from processes import is_alive, wait_until

from tournament.engine.result import Counters, SearchResult
from tournament.errors import TourneyError
from tournament.match.journal import THINKING, Journal
from tournament.runs import pool as pool_module
from tournament.runs.pool import (
    AHEAD,
    BATCH_SECONDS,
    IDLE_SECONDS,
    MOST_IN_BATCH,
    MOST_TRIES,
    PAUSE_SECONDS,
    Pool,
    WorkerDeath,
)


def double(task: int, journal: Journal) -> int:
    return 2 * task


def who(task: int, journal: Journal) -> int:
    return os.getpid()


def nothing() -> None:
    """For `idle`."""


def living(pool: Pool) -> list[int]:
    """The workers of a pool, which are alive."""
    return [worker.process.pid for worker in pool._workers if is_alive(worker.process.pid)]


def children() -> set[int]:
    """The processes that this one has started and that have not been waited for, the dead ones included."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # gone meanwhile
        if int(state[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found


@pytest.fixture(autouse=True)
def no_process_is_left():
    before = children()
    yield
    assert children() <= before


@pytest.fixture(autouse=True)
def nothing_waits_for_ever():
    def give_up(*_: object) -> None:
        raise TimeoutError("a pool that hangs")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


@pytest.mark.parametrize("tasks", [0, 1, 2, 1000])
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_task_is_done_exactly_once(jobs, tasks):
    with Pool(double, jobs) as pool:
        done = list(pool.run(iter(range(tasks)), nothing))
    assert sorted(done) == [(task, 2 * task) for task in range(tasks)]


def test_one_worker_keeps_the_order():
    with Pool(double, 1) as pool:
        assert [task for task, _ in pool.run(iter(range(300)), nothing)] == list(range(300))


def test_a_pool_runs_again_after_it_has_run():
    with Pool(who, 2) as pool:
        once = {pid for _, pid in pool.run(iter(range(100)), nothing)}
        again = {pid for _, pid in pool.run(iter(range(100)), nothing)}
    assert once == again, "the workers stay alive"
    assert os.getpid() not in once


def test_all_workers_take_part():
    with Pool(lambda task, journal: time.sleep(0.01) or os.getpid(), 3) as pool:
        assert len({pid for _, pid in pool.run(iter(range(12)), nothing)}) == 3


def test_tasks_are_drawn_as_they_are_needed_and_not_all_at_once():
    endless = count()
    with Pool(double, 2) as pool:
        assert len(list(islice(pool.run(endless, nothing), 500))) == 500
    assert next(endless) <= 500 + (2 * AHEAD + 1) * MOST_IN_BATCH


def test_idle_is_called_while_a_long_task_is_done(tmp_path):
    calls = []

    def idle() -> None:
        calls.append(pool.under_way())
        if len(calls) == 3:
            (tmp_path / "enough").touch()

    with Pool(lambda task, journal: wait_until((tmp_path / "enough").exists), 1) as pool:
        assert list(pool.run(iter([7]), idle)) == [(7, None)]
    assert calls[:3] == [[7]] * 3
    assert pool.under_way() == []


DEATHS = {
    "exit": (lambda: os._exit(3), "exit code 3"),
    "signal": (lambda: os.kill(os.getpid(), 9), "signal 9 (SIGKILL)"),
}


@pytest.fixture
def once(tmp_path):
    """Whether this is the first time that anybody asks, in whatever process."""

    def ask(name: object = "it") -> bool:
        try:
            (tmp_path / str(name)).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    return ask


@pytest.mark.parametrize("way", DEATHS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_that_dies_is_replaced_and_its_task_done_again(jobs, way, once):
    def work(task: int, journal: Journal) -> int:
        if task == 777 and once():
            DEATHS[way][0]()
        return task

    tasks = [1, 2, 3, 777, 5, 6]
    with Pool(work, jobs) as pool:
        done = list(pool.run(iter(tasks), nothing))
        again = list(pool.run(iter(tasks), nothing))
    assert sorted(done) == sorted(again) == sorted((task, task) for task in tasks)


@pytest.mark.parametrize("way", DEATHS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_lost_task_comes_to_is_asked_once_and_the_others_are_undisturbed(jobs, way):
    def work(task: int, journal: Journal) -> int:
        if task == 777:
            journal.thinks("second", 60)
            os.write(1, b"my last words")
            DEATHS[way][0]()
        return task

    losses = []

    def lost(task: int, loss: WorkerDeath) -> int:
        losses.append((task, str(loss.ending), loss.late, loss.entry.doing, loss.entry.seat, loss.printed))
        return -1

    tasks = [1, 2, 3, 777, 5, 6]
    with Pool(work, jobs, lost=lost) as pool:
        done = list(pool.run(iter(tasks), nothing))
    assert sorted(done) == sorted((task, -1 if task == 777 else task) for task in tasks)
    assert losses == [(777, DEATHS[way][1], False, THINKING, "second", "my last words")]


def test_a_task_in_the_middle_of_a_batch_is_the_one_that_is_lost():
    """Short tasks travel together; the journal says which of them the worker was at."""

    def work(task: int, journal: Journal) -> int:
        if task in (200, 201, 430):
            os._exit(1)
        return task

    lost = []
    with Pool(work, 1, lost=lambda task, loss: lost.append(task) or -1) as pool:
        done = list(pool.run(iter(range(500)), nothing))
    assert lost == [200, 201, 430]
    assert sorted(done) == [(task, -1 if task in lost else task) for task in range(500)]


@pytest.mark.parametrize("way", DEATHS)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_five_workers_die_of_is_an_error_that_names_it(jobs, way, tmp_path):
    def work(task: int, journal: Journal) -> int:
        if task == 777:
            with (tmp_path / "tries").open("a") as file:
                file.write("x")
            os.write(2, b"no [opinion] on this")
            DEATHS[way][0]()
        return task

    with pytest.raises(TourneyError) as raised, Pool(work, jobs) as pool:
        list(pool.run(iter([1, 2, 3, 777, 5, 6]), nothing))
    for told in (DEATHS[way][1], "5 times", "777", "the same command goes on", "no [opinion] on this"):
        assert told in str(raised.value)
    assert (tmp_path / "tries").read_text() == MOST_TRIES * "x" == "xxxxx"


def test_an_exception_in_the_work_is_the_end_of_a_worker_too():
    def work(task: int, journal: Journal) -> int:
        return 1 // task

    with pytest.raises(TourneyError, match="exit code 1") as raised, Pool(work, 1) as pool:
        list(pool.run(iter([1, 0]), nothing))
    assert "ZeroDivisionError" in str(raised.value)


def test_what_was_done_before_a_task_became_an_error_has_been_handed_over(monkeypatch):
    monkeypatch.setattr(pool_module, "MOST_IN_BATCH", 1)  # what is done in the batch of an error is not

    def work(task: int, journal: Journal) -> int:
        if task == 5:
            os._exit(1)
        return task

    done: list[int] = []
    with pytest.raises(TourneyError), Pool(work, 1) as pool:
        done.extend(task for task, _ in pool.run(iter(range(9)), nothing))
    assert done == [0, 1, 2, 3, 4]


def test_a_task_that_is_no_longer_wanted_is_not_done_again():
    def work(task: int, journal: Journal) -> int:
        if task == 3:
            os._exit(1)
        return task

    unwanted: set[int] = set()

    def lost(task: int, loss: WorkerDeath) -> int:
        unwanted.add(4)
        return -1

    with Pool(work, 1, lost=lost) as pool:
        pool._seconds_per_task = BATCH_SECONDS / 20  # all of them in one batch
        done = list(pool.run(iter(range(9)), nothing, lambda task: task not in unwanted))
    assert sorted(done) == [(task, -1 if task == 3 else task) for task in range(9) if task != 4]


def test_a_worker_that_dies_between_two_tasks_is_replaced_and_nobody_blamed():
    def work(task: int, journal: Journal) -> int:
        if task == 0:
            Timer(0.1, os._exit, [3]).start()
        return task

    def lost(task: int, loss: WorkerDeath) -> None:
        raise AssertionError(f"{task} was nobody's")

    with Pool(work, 1, lost=lost) as pool:
        first = list(pool.run(iter([0]), nothing))
        (worker,) = pool._workers
        os.waitid(os.P_PID, worker.process.pid, os.WEXITED | os.WNOWAIT)
        assert first + list(pool.run(iter(range(1, 100)), nothing)) == [(task, task) for task in range(100)]
        assert pool._workers != [worker]


# ── the clock ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_player_over_its_deadline_is_killed_and_lost_is_told_so(jobs):
    def work(task: int, journal: Journal) -> int:
        if task == 777:
            journal.thinks("first", 0.1, by_game=True)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # which does not help
            while True:
                pass
        return task

    losses = []

    def lost(task: int, loss: WorkerDeath) -> int:
        losses.append((task, loss.ending.signal, loss.late, loss.entry.seat, loss.entry.by_game))
        return -1

    tasks = [1, 2, 3, 777, 5, 6]
    with Pool(work, jobs, lost=lost) as pool:
        done = list(pool.run(iter(tasks), nothing))
    assert sorted(done) == sorted((task, -1 if task == 777 else task) for task in tasks)
    assert losses == [(777, signal.SIGKILL, True, "first", True)]


def test_the_moves_of_a_lost_game_are_told():
    found = SearchResult(3, 1.5, Counters(1, 2, 3, 4), 0.5, 0.25, 0, 2, 2)

    def work(task: int, journal: Journal) -> int:
        journal.thinks("first", 60)
        journal.moved(found, 4)
        journal.thinks("second", 60)
        os._exit(0)

    moves = []
    with Pool(work, 1, lost=lambda task, loss: moves.append(loss.moves) or -1) as pool:
        assert list(pool.run(iter([1]), nothing)) == [(1, -1)]
    assert moves == [[(found, 4)]]


def test_a_player_may_take_the_grace_longer_than_its_deadline(tmp_path):
    late, looked_at = tmp_path / "late", tmp_path / "looked at"

    def work(task: int, journal: Journal) -> int:
        journal.thinks("first", 0.0)
        late.touch()
        wait_until(looked_at.exists)
        return task

    looks = []

    def idle() -> None:
        looks.append(late.exists())
        if sum(looks) == 3:  # the pool has twice gone on to look at the clock
            looked_at.touch()

    with Pool(work, 1, grace=60, lost=lambda task, loss: -1) as pool:
        assert list(pool.run(iter([1]), idle)) == [(1, 1)]


def test_nobody_is_waited_for_between_two_tasks():
    """The deadline of a task that is done does not hold for the time after it."""

    def work(task: int, journal: Journal) -> int:
        journal.thinks("first", 0.5)
        return os.getpid()

    looks = []

    def idle() -> None:
        looks.append(len(looks))
        if len(looks) == 3:
            os.kill(pid, signal.SIGCONT)

    with Pool(work, 1, lost=lambda task, loss: -1) as pool:
        ((_, pid),) = pool.run(iter([1]), nothing)
        over = time.monotonic() + 0.5
        wait_until(lambda: time.monotonic() > over)
        os.kill(pid, signal.SIGSTOP)  # so that it begins the next only when the pool has looked at the clock
        assert list(pool.run(iter([2]), idle)) == [(2, pid)]
    assert len(looks) >= 3


# ── pauses: SIGSTOP of all, a container's freezer ────────────────────────────────────────────────


def stands_still(times: int) -> Callable[[], None]:
    """An `idle` in which we do not run, so many times."""
    left = [None] * times

    def idle() -> None:
        if left:
            left.pop()
            time.sleep(2 * (IDLE_SECONDS + PAUSE_SECONDS))

    return idle


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_is_late_since_all_stood_still_is_not_judged_but_asked_again(jobs, once):
    def work(task: int, journal: Journal) -> int:
        if once():
            journal.thinks("first", 0.05)
            time.sleep(20)
        return task

    with Pool(work, jobs, lost=lambda task, loss: -1) as pool:
        assert list(pool.run(iter([7]), stands_still(1))) == [(7, 7)]


@pytest.mark.parametrize(("pauses", "judged"), [(0, 1), (1, 2), (99, MOST_TRIES)])
def test_what_a_clock_has_decided_meanwhile_is_done_again_but_not_for_ever(pauses, judged, tmp_path):
    def work(task: int, journal: Journal) -> int:
        with (tmp_path / "tries").open("a") as file:
            file.write("x")
        return -1

    with Pool(work, 1, by_clock=lambda task, result: result < 0) as pool:
        assert list(pool.run(iter([1]), stands_still(pauses))) == [(1, -1)]
    assert (tmp_path / "tries").read_text() == judged * "x"


def test_what_no_clock_has_decided_is_done_once_however_long_we_stood_still():
    with Pool(who, 2) as pool:
        done = list(pool.run(iter(range(9)), stands_still(3)))
    assert sorted(task for task, _ in done) == list(range(9))


# ── retiring ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_retiring_worker_is_replaced_and_its_remaining_tasks_are_done(jobs):
    def work(task: int, journal: Journal) -> int:
        journal.retiring = task % 10 == 3
        return os.getpid()

    def lost(task: int, loss: WorkerDeath) -> None:
        raise AssertionError(f"{task} was not lost")

    with Pool(work, jobs, lost=lost) as pool:
        done = list(pool.run(iter(range(50)), nothing))
    assert sorted(task for task, _ in done) == list(range(50))
    by = {pid: [task for task, its in done if its == pid] for _, pid in done}
    for tasks in by.values():  # in the order in which that worker did them
        assert [task for task in tasks if task % 10 == 3] in ([], tasks[-1:]), "nobody does anything after it retires"


@pytest.fixture
def slow(tmp_path):
    """Work that takes seconds and leaves a file when it comes to its end, which it should not."""

    def work(seconds: float, journal: Journal) -> None:
        time.sleep(seconds)
        if seconds:
            (tmp_path / "came to its end").touch()

    yield work
    assert not list(tmp_path.iterdir())


def test_an_exception_in_the_loop_over_results_ends_the_workers_at_once(slow):
    def stop(result: tuple[float, None]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Pool(slow, 2) as pool:
        list(map(stop, pool.run(iter([0, 0, 5, 5, 5, 5]), nothing)))


def test_an_exception_in_idle_ends_the_workers_at_once(slow):
    def idle() -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"), Pool(slow, 2) as pool:
        list(pool.run(iter([5, 5]), idle))


def test_an_exception_in_the_tasks_ends_the_workers_at_once():
    def tasks() -> Iterator[int]:
        yield from range(3)
        raise RuntimeError("no more")

    with Pool(double, 2) as pool:
        workers = living(pool)
        with pytest.raises(RuntimeError, match="no more"):
            list(pool.run(tasks(), nothing))
    assert len(workers) == 2
    assert not [pid for pid in workers if is_alive(pid)]


def test_workers_leave_ctrl_c_to_the_parent():
    with Pool(who, 2) as pool:
        pids = {pid for _, pid in pool.run(iter(range(100)), nothing)}
        for pid in pids:
            os.kill(pid, signal.SIGINT)
        assert {pid for _, pid in pool.run(iter(range(100)), nothing)} == pids


def test_a_pool_that_is_left_without_a_task_ends_with_its_workers():
    """That none is left, dead or alive, is also what the fixture of this file says of every test."""
    with Pool(double, 3) as pool:
        workers = living(pool)
    assert len(workers) == 3
    assert not [pid for pid in workers if is_alive(pid)]
    assert pool._workers == []


def test_workers_end_when_their_parent_is_killed(tmp_path):
    """Also those that were started before others, whose ends of the pipes the later ones inherit."""
    parent = os.fork()
    if not parent:
        try:
            with Pool(who, 3) as pool:
                list(pool.run(iter(range(9)), nothing))
                (tmp_path / "part").write_text(" ".join(str(worker.process.pid) for worker in pool._workers))
                (tmp_path / "part").rename(tmp_path / "workers")
                time.sleep(60)
        finally:
            os._exit(1)  # never back into the tests
    while not (tmp_path / "workers").exists():
        time.sleep(0.01)
    workers = [int(pid) for pid in (tmp_path / "workers").read_text().split()]
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    assert len(workers) == 3
    wait_until(lambda: not any(map(is_alive, workers)), seconds=20)


def test_a_long_task_goes_to_who_is_free_for_it_and_is_not_sent_ahead():
    taken = []

    def tasks():
        for number in range(5):
            taken.append(number)
            yield number

    def long(task, _):
        time.sleep(1.5 * BATCH_SECONDS)
        return task

    with Pool(long, jobs=2) as pool:
        seen = [len(taken) for _ in pool.run(tasks(), lambda: None)]
    assert seen == [3, 4, 5, 5, 5], "each worker has one, and gets the next when that is done"
