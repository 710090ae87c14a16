"""What a process may take: memory, processor time, timers, the processor it runs on."""

from __future__ import annotations

import ctypes
import os
import resource
from contextlib import suppress
from functools import cache

MOST_FILE = 64 << 20  # bytes of a file that a player may write
PAGE = resource.getpagesize()


OWN_LIMITS = (resource.RLIMIT_AS, resource.RLIMIT_CPU)  # which we set anew for each game


def own_limits() -> list[tuple[int, int] | int]:
    """The resource limits and the niceness of this process, which a process without rights can lower but not raise."""
    names = {name for name in dir(resource) if name.startswith("RLIMIT_")}
    kinds = sorted({getattr(resource, name) for name in names} - set(OWN_LIMITS))
    return [*(resource.getrlimit(kind) for kind in kinds), os.getpriority(os.PRIO_PROCESS, 0)]


def size() -> int:
    """The address space of this process in bytes, where the system says."""
    with suppress(OSError, ValueError):
        file = os.open("/proc/self/statm", os.O_RDONLY)  # read as it is: this is asked several times a game
        try:
            return int(os.read(file, 64).split()[0]) * PAGE
        finally:
            os.close(file)
    return 0


@cache
def limits_memory() -> bool:
    """Whether memory can be limited: only where the system says how large a process is, which macOS does not."""
    return size() > 0


def limit_memory(most: int | None) -> None:
    """Let this process grow up to so many bytes, or without limit; then allocating raises MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if most is None or not limits_memory() or (hard != resource.RLIM_INFINITY and most > hard):
        most = hard
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


PROCESSORS = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()


def pin_here() -> int | None:
    """The processor that this process now stays on, the one that it happens to be on.

    A referee and the players that it asks in turn never run at the same time, and wake each other several times as
    fast on one processor as across two. Where it can't be told, they stay as they are.
    """
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, PROCESSORS)  # first, so that it can be moved between two games
        processor = int(ctypes.CDLL(None).sched_getcpu())
        pin_to(processor)
        return processor
    return None


def pin_to(processor: int | None) -> None:
    if processor is not None:
        with suppress(AttributeError, OSError):
            os.sched_setaffinity(0, {processor})


def allow_no_timers() -> None:
    """Let this process have no timers that signal it: one that sends SIGCONT would wake it when it is to be still."""
    with suppress(AttributeError, OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0))


def limit_processor(seconds: float) -> None:
    """Let all threads of this process take so many more seconds of CPU; then SIGXCPU ends it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = usage.ru_utime + usage.ru_stime + seconds + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if most < 1 << 40:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (int(most), hard))
