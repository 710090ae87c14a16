"""Name spaces of Linux, in which a process sees and signals no other; and what Linux is told about a process."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

from tournament.isolation.ending import Ending

CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x08000000, 0x10000000, 0x20000000  # of Linux's unshare
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE = 1, 36, 4  # of Linux's prctl

_is_namespaced = False  # whether this process is in a name space of its own


def enter_namespaces(connection: Connection) -> None:
    """Fork twice, and go on as the grandchild in name spaces of its own.

    This process and the first one in the name space wait, and end as the grandchild ends. When the first process of a
    PID name space ends, the kernel ends everything in it.
    """
    global _is_namespaced
    _unshare()
    for _ in ("the first process there", "the one that goes on"):
        started = os.fork()
        if started:
            connection.close()
            while (ended := os.wait())[0] != started:
                pass
            ending = Ending.of(ended[1])
            os._exit(128 + ending.signal if ending.signal else ending.code)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _is_namespaced = True


def _unshare() -> None:
    """Take this process, and what it starts from now on, into name spaces of their own; OSError where it can't be."""
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC):
        raise OSError("the system refuses name spaces")
    for file, told in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with suppress(OSError):
            Path(f"/proc/self/{file}").write_text(told)


def is_namespaced() -> bool:
    """Whether this process is in name spaces of its own."""
    return _is_namespaced


@cache
def has_name_spaces() -> bool:
    """Whether the system lets us have name spaces for processes that are to be alone, tried out once."""
    if sys.platform != "linux":
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads: the child uses none of ours
        tried = os.fork()
    if not tried:
        code = 1
        try:
            _unshare()
            if not os.fork():
                os._exit(0)
            code = os.wait()[1]
        finally:
            os._exit(code)
    return os.waitpid(tried, 0)[1] == 0


def prctl(option: int, value: int) -> None:
    """Tell Linux something about this process; elsewhere nothing happens."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
