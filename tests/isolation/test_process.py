"""Process processes: how they ended is known, nothing they start is left, and they neither see nor outlive us."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from processes import call

from tournament.isolation import procfs
from tournament.isolation.ending import Ending
from tournament.isolation.environment import read_output
from tournament.isolation.process import Process
from tournament.isolation.procfs import children, descendants


@pytest.fixture(autouse=True)
def nothing_waits_for_ever():
    def give_up(*_: object) -> None:
        raise TimeoutError("a process that hangs")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def assert_ends(pids: list[int]) -> None:
    """None of them is alive, or will be in a moment: who is killed takes a little to go."""
    while any(map(is_alive, pids)):
        time.sleep(0.01)


def sleeper(*, new_session: bool = False) -> int:
    """The number of a child that sleeps for long, which may have left its parent's session."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        if new_session:
            os.setsid()
        os.write(theirs, b"x")
        time.sleep(600)
        os._exit(0)
    os.read(ours, 1)
    return pid


# ── how it ended ─────────────────────────────────────────────────────────────────────────────────

ENDINGS = [
    (lambda connection: None, Ending(0, 0), "exit code 0"),
    (lambda connection: os._exit(3), Ending(0, 3), "exit code 3"),
    (lambda connection: sys.exit(4), Ending(0, 1), "exit code 1"),  # a function that raises, like any other
    (lambda connection: os.kill(os.getpid(), signal.SIGKILL), Ending(9, 0), "signal 9 (SIGKILL)"),
    (lambda connection: os.kill(os.getpid(), signal.SIGSEGV), Ending(11, 0), "signal 11 (SIGSEGV)"),
]


@pytest.mark.parametrize(("main", "ending", "told"), ENDINGS, ids=[told for *_, told in ENDINGS])
def test_how_a_process_ended_by_itself_is_known(main, ending, told):
    process = Process(main)
    assert process.connection.poll(None)  # the end of the file
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert process.end() == process.end() == ending
    assert str(ending) == told
    process.close()


@pytest.mark.parametrize(("script", "ending"), [("exit 3", Ending(0, 3)), ("kill -9 $$", Ending(9, 0))])
def test_how_a_command_ended_is_known_too(script, ending):
    process = Process(["sh", "-c", script])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert process.end() == ending
    process.close()


def test_an_exit_code_above_128_is_the_signal_that_a_sandbox_tells_of():
    assert Ending.of(139 << 8) == Ending(11, 0)
    assert str(Ending(63, 0)).startswith("signal 63")


def test_a_process_that_catches_every_signal_is_ended():
    def main(connection):
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        connection.send("ready")
        while True:
            time.sleep(600)

    process = Process(main)
    assert process.connection.recv() == "ready"
    assert process.end() == Ending(9, 0)
    assert not is_alive(process.pid)
    process.close()


# ── what it has started ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("new_session", [False, True], ids=["in its session", "in a session of their own"])
def test_children_and_grandchildren_end_with_it(new_session):
    def main(connection):
        child = os.fork()
        if not child:
            if new_session:
                os.setsid()
            connection.send((os.getpid(), sleeper(new_session=new_session)))
            time.sleep(600)
            os._exit(0)
        time.sleep(600)

    process = Process(main)
    started = list(process.connection.recv())
    assert all(map(is_alive, started))
    process.end()
    assert_ends(started)
    process.close()


def test_a_grandchild_whose_parent_has_ended_ends_with_it():
    """It becomes the guarded process's own, which takes over what its children leave behind."""

    def main(connection):
        child = os.fork()
        if not child:
            connection.send(sleeper(new_session=True))
            os._exit(0)
        os.waitpid(child, 0)
        connection.send("it is mine now")
        time.sleep(600)

    process = Process(main)
    orphan = process.connection.recv()
    process.connection.recv()
    assert orphan in children(process.pid)
    process.end()
    assert_ends([orphan])
    process.close()


def test_what_it_leaves_in_its_session_ends_though_it_has_ended_before():
    process = Process(lambda connection: connection.send(sleeper()))
    left = process.connection.recv()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_alive(left)
    assert process.end() == Ending(0, 0)
    assert_ends([left])
    process.close()


# ── what it sees of us ───────────────────────────────────────────────────────────────────────────


def test_it_has_no_files_of_ours_open(tmp_path):
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        other = Process(lambda connection: connection.recv())
        opened = call(lambda: {int(fd): os.readlink(f"/proc/self/fd/{fd}") for fd in open_files()}, 20)
        other.close()
    assert "secret" not in " ".join(opened.values())
    assert opened[0] == os.devnull
    assert opened[1] == opened[2]
    assert len([path for path in opened.values() if path.startswith("socket:")]) == 1, "its connection, and no other's"


def open_files() -> list[str]:
    """Without the one through which they are listed."""
    return [fd for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")]


def test_it_lives_in_a_session_of_its_own_and_leaves_ctrl_c_to_us():
    session, pid, handler = call(lambda: (os.getsid(0), os.getpid(), signal.getsignal(signal.SIGINT)), 20)
    assert session == pid != os.getsid(0)
    assert handler == signal.SIG_IGN


def test_it_dies_with_its_parent():
    def parent(connection):
        inner = Process(lambda connection: time.sleep(600))
        connection.send(inner.pid)
        time.sleep(600)

    outer = Process(parent)
    inner = outer.connection.recv()
    assert is_alive(inner)
    os.kill(outer.pid, signal.SIGKILL)  # it has no time to end anything
    assert_ends([inner])
    outer.close()


def test_prints_go_to_its_output_and_not_to_ours(capfd):
    def main(connection):
        os.write(1, b"raw, ")
        os.write(2, b"to the other stream, ")
        os.system("echo by a child")

    process = Process(main)
    assert process.connection.poll(None)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    process.end()
    assert read_output(process.output) == "raw, to the other stream, by a child\n"
    process.close()
    assert tuple(capfd.readouterr()) == ("", "")


def test_an_ended_process_leaves_no_file_open():
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(5):
        process = Process(lambda connection: connection.recv())
        process.close()
        process.close()  # once more does nothing
    assert set(os.listdir("/proc/self/fd")) == before
    assert process.pid not in children(os.getpid())


# ── a call ───────────────────────────────────────────────────────────────────────────────────────


def test_a_call_returns_what_the_function_does_from_another_process():
    assert call(lambda: ("a value", os.getpid()), 20) != ("a value", os.getpid())
    assert call(lambda: {"n": [1, 2]}, 20) == {"n": [1, 2]}


def test_a_call_that_takes_too_long_is_ended():
    before = set(children(os.getpid()))
    with pytest.raises(TimeoutError, match=r"0\.05 seconds were not enough"):
        call(lambda: time.sleep(600), 0.05)
    assert not set(children(os.getpid())) - before


@pytest.mark.parametrize(("end", "told"), [(lambda: os._exit(7), "exit code 7"), (lambda: 1 // 0, "exit code 1")])
def test_a_call_whose_process_ends_without_an_answer_is_an_error(end, told):
    with pytest.raises(ChildProcessError, match=told):
        call(end, 20)


def test_a_chain_of_processes_may_be_deeper_than_python_recurses(monkeypatch):
    monkeypatch.setattr(procfs, "children", lambda pid: [pid + 1] if pid < 5000 else [])
    assert list(descendants(1)) == list(range(2, 5001))
