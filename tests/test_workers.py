"""The pool: every task once, whatever the number of workers; no worker outlives it, however it ends."""

import os
import signal
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from threading import Timer

import pytest

from tournament.errors import TourneyError
from tournament.workers import AHEAD, MOST_IN_BATCH, Pool


def double(task: int) -> int:
    return 2 * task


def who(task: int) -> int:
    return os.getpid()


def nothing() -> None:
    """For `idle`."""


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
    with Pool(lambda task: time.sleep(0.01) or os.getpid(), 3) as pool:
        assert len({pid for _, pid in pool.run(iter(range(12)), nothing)}) == 3


def test_tasks_are_drawn_as_they_are_needed_and_not_all_at_once():
    endless = count()
    with Pool(double, 2) as pool:
        assert len(list(islice(pool.run(endless, nothing), 500))) == 500
    assert next(endless) <= 500 + (2 * AHEAD + 1) * MOST_IN_BATCH


def test_idle_is_called_while_a_long_task_is_done():
    calls = []
    with Pool(time.sleep, 1) as pool:
        assert list(pool.run(iter([0.5]), lambda: calls.append(pool.under_way()))) == [(0.5, None)]
    assert len(calls) >= 2
    assert calls[0] == [0.5]
    assert pool.under_way() == []


@pytest.mark.parametrize(("way", "shown"), [("exit", "exit code 3"), ("signal", "signal 9")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_that_dies_is_an_error_that_names_its_task(jobs, way, shown):
    def work(task: int) -> int:
        if task == 777:
            time.sleep(0.2)  # until the next task has been sent
            os._exit(3) if way == "exit" else os.kill(os.getpid(), signal.SIGKILL)
        return task

    with pytest.raises(TourneyError, match=shown) as raised, Pool(work, jobs) as pool:
        list(pool.run(iter([1, 2, 3, 777, 5, 6]), nothing))
    assert "777" in str(raised.value)
    assert "the same command goes on" in str(raised.value)


def test_what_was_done_before_a_worker_died_has_been_handed_over():
    def work(task: int) -> int:
        time.sleep(0.06)  # so that tasks travel alone
        if task == 5:
            time.sleep(0.2)
            os._exit(1)
        return task

    done: list[int] = []
    with pytest.raises(TourneyError), Pool(work, 1) as pool:
        done.extend(task for task, _ in pool.run(iter(range(9)), nothing))
    assert done == [0, 1, 2, 3, 4]


def test_a_worker_that_dies_between_two_tasks_is_the_same_error():
    def work(task: int) -> int:
        if task == 0:
            Timer(0.1, os._exit, [3]).start()
        return task

    def results() -> Iterator[int]:
        for task, _ in pool.run(iter(range(100)), nothing):
            yield task
            time.sleep(0.3)  # the worker answers what it has, and dies

    with pytest.raises(TourneyError, match="exit code 3"), Pool(work, 1) as pool:
        list(results())


@pytest.fixture
def slow(tmp_path):
    """Work that takes seconds and leaves a file when it comes to its end, which it should not."""

    def work(seconds: float) -> None:
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

    with pytest.raises(RuntimeError, match="no more"), Pool(double, 2) as pool:
        list(pool.run(tasks(), nothing))


def test_workers_leave_ctrl_c_to_the_parent():
    with Pool(who, 2) as pool:
        pids = {pid for _, pid in pool.run(iter(range(100)), nothing)}
        for pid in pids:
            os.kill(pid, signal.SIGINT)
        assert {pid for _, pid in pool.run(iter(range(100)), nothing)} == pids


def test_a_pool_that_is_left_without_a_task_ends():
    with Pool(double, 3):
        pass


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
    for _ in range(1000):
        left = [pid for pid in workers if is_alive(pid)]
        if not left:
            break
        time.sleep(0.01)
    assert not left


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
