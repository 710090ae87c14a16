"""What a process has started, as Linux lists it in /proc or `ps` where there is none, and how it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress

from tournament.isolation.namespaces import is_namespaced

PS = ["/bin/ps", "-A", "-o", "pid=", "-o", "ppid="]  # by its place: a player may have changed where programs are found


def has_proc() -> bool:
    """Whether the system shows processes as files; macOS does not."""
    return os.path.isdir("/proc/self")


def children(pid: int) -> list[int]:
    if not has_proc():
        return _children_by_ps(pid)
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _children_by_ps(pid: int) -> list[int]:
    """The same as `ps` says it, itself left out."""
    try:
        with subprocess.Popen(PS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as ps:
            listed = ps.communicate()[0].splitlines()
    except OSError:
        return []
    pairs = [tuple(map(int, line.split())) for line in listed]
    return [child for child, parent in pairs if parent == pid and child != ps.pid]


def descendants(pid: int) -> Iterator[int]:
    """The processes below a living one, however deep."""
    parents = [pid]
    while parents:
        below = children(parents.pop())
        yield from below
        parents += below


def session(leader: int) -> Iterator[int]:
    """The processes of a session, where the system lets one look."""
    with suppress(OSError):
        for name in os.listdir("/proc"):
            with suppress(OSError, ProcessLookupError):
                if name.isdigit() and int(name) != leader and os.getsid(int(name)) == leader:
                    yield int(name)


def end_session(leader: int) -> None:
    """End what is left of a session; where the system does not list it, those that have stayed in its first group."""
    if has_proc():
        kill_all(session(leader))
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def kill_all(pids: Iterable[int]) -> None:
    for pid in pids:
        send_signal(pid, signal.SIGKILL)


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there and ours."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def end_children() -> bool:
    """End whatever this process's players have started and left; False where it lives on and can't be found."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True  # there is nothing
    if is_namespaced():
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # everybody in our name space but us and the first
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        return True
    me = os.getpid()
    while below := list(descendants(me)):  # what they start meanwhile becomes ours, and is met in the next round
        kill_all(below)
        _let_the_dead_go()
    return _let_the_dead_go()


def _let_the_dead_go() -> bool:
    """Take note of the children that have ended; whether there are no others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False
