"""What a process has started, as Linux lists it, and how it is ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress

from tournament.isolation.namespaces import is_namespaced


def children(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


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


def kill_all(pids: Iterable[int]) -> None:
    for pid in pids:
        send_signal(pid, signal.SIGKILL)


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there and ours."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def end_children() -> bool:
    """End whatever this process's players have started and left; whether there was anything."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    if is_namespaced():
        os.kill(-1, signal.SIGKILL)  # everybody in our name space but us and the first
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        return True
    me = os.getpid()
    while below := list(descendants(me)):  # what they start meanwhile becomes ours, and is met in the next round
        kill_all(below)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    return True
