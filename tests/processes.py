"""Who is left of what a test has started, seen without a look at anybody else's processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tournament.isolation.namespaces import PR_SET_CHILD_SUBREAPER, prctl
from tournament.isolation.process import Process
from tournament.isolation.procfs import children, kill_all

PATIENCE = 20.0  # seconds: whoever was killed may take a moment to be gone; less than the sleepers of the tests sleep


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(reached: Callable[[], bool], seconds: float = 60.0) -> None:
    """Come back as soon as that is so; an error where it is never so, whatever else the machine is doing."""
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline, "waited for in vain"
        time.sleep(0.002)


def adopt_orphans() -> Callable[[], list[str]]:
    """From now on what a child of ours leaves behind becomes our child, in whatever session, whatever its environment.

    The function tells who is left, once all that end by themselves have had the time for it. It holds until a
    tournament is run in this process, which adopts the orphans itself and leaves off at its end.
    """
    before = set(children(os.getpid()))
    prctl(PR_SET_CHILD_SUBREAPER, 1)

    def left() -> list[str]:
        deadline = time.monotonic() + PATIENCE
        while (pids := _living_but(before)) and time.monotonic() < deadline:
            time.sleep(0.01)
        told = [f"{pid} {_command(pid)}" for pid in pids]
        kill_all(pids)  # our own children: what has been told need not stay
        return told

    return left


def leave_orphans() -> None:
    prctl(PR_SET_CHILD_SUBREAPER, 0)


def _living_but(spared: set[int]) -> list[int]:
    """Our living children; the dead ones are let go."""
    ours = [pid for pid in children(os.getpid()) if pid not in spared]
    for pid in ours:
        if not is_alive(pid):
            os.waitpid(pid, 0)
    return [pid for pid in ours if is_alive(pid)]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return "(gone)"


def call(function: Callable[[], Any], seconds: float) -> Any:
    """What a function of ours returns in a guarded process, whatever it is; TimeoutError, or ChildProcessError."""
    process = Process(lambda connection: connection.send(function()))
    try:
        if not process.connection.poll(seconds):
            raise TimeoutError(f"{seconds:g} seconds were not enough")
        return process.connection.recv()
    except EOFError:
        raise ChildProcessError(f"its process ended with {process.end(1.0)}") from None
    finally:
        process.close()
