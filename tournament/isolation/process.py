"""A process of ours in which code of others runs: started, watched, and ended with everything it has started.

It lives in a session of its own, takes over whatever its own children leave behind, and does not outlive us. We end
it with SIGKILL, which nothing can catch.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from tournament.isolation.ending import Ending
from tournament.isolation.namespaces import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    enter_namespaces,
    has_name_spaces,
    prctl,
)
from tournament.isolation.procfs import children, descendants, end_session, kill_all, send_signal

ONE_THREAD = 3  # links of a process's folder of threads: itself, the one above it, and a thread
CONNECTION = "{connection}"  # stands in a command for the number of the file that it is to speak through

Main = Callable[[Connection], None] | list[str]  # what a process runs: a function after a fork, or a command


_living: set[int] = set()  # the guarded processes of this one
_spared: set[int] | None = None  # children that were there before; None: nothing is known of the others


@contextmanager
def reaping_orphans() -> Iterator[None]:
    """Take over, and end, what our guarded processes leave behind; meanwhile no other processes may be started."""
    global _spared
    before = _spared
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    _spared = set(children(os.getpid()))
    try:
        yield
    finally:
        _spared = before
        if before is None:
            prctl(PR_SET_CHILD_SUBREAPER, 0)


def _end_strays() -> None:
    """End the children that are none of ours: what was left behind by one that has ended."""
    while _spared is not None and (strays := set(children(os.getpid())) - _living - _spared):
        kill_all(strays)
        for pid in strays:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


class Process:
    """A process that runs `main(connection)` after a fork, or a command; `output` is the file it prints to.

    With `namespaced` it can signal no other process, and can be paused; a command enters its name spaces by itself.
    """

    def __init__(self, main: Main, *, namespaced: bool = False) -> None:
        self.connection, theirs = Pipe()
        self.output = new_output()
        self.ending: Ending | None = None
        self._command: subprocess.Popen[bytes] | None = None
        self._is_namespaced = namespaced and (not callable(main) or has_name_spaces())
        self._inner: _InnerProcess | None = None
        if callable(main):
            self.pid = _fork(main, theirs, self.output, self._is_namespaced)
        else:
            self._command = _start(main, theirs.fileno(), self.output)
            self.pid = self._command.pid
        _living.add(self.pid)
        theirs.close()

    def end(self, patience: float = 0.0) -> Ending:
        """How it ended, having ended it and all that it started, if they have not by themselves.

        One that is ending already may take so many seconds over it, to say how.
        """
        if self.ending is None:
            status = self._status(patience)
            started: list[int] = []
            if status is None:
                started += descendants(self.pid)  # while it lives they are all below it
                send_signal(self.pid, signal.SIGKILL)
                status = os.waitpid(self.pid, 0)[1]
            self.ending = Ending.of(status)
            if self._command is not None:
                self._command.returncode = 0  # it is not to wait for it once more
            _living.discard(self.pid)
            kill_all(started)
            end_session(self.pid)
            _end_strays()
        return self.ending

    def pause(self) -> None:
        """Stop it, with all its threads, until it is to `resume`, and end what it has started."""
        self._inner = self._inner or _InnerProcess(self.pid, is_namespaced=self._is_namespaced)
        self._inner.pause()

    def resume(self) -> None:
        if self._inner is not None:
            send_signal(self._inner.pid, signal.SIGCONT)

    def close(self) -> None:
        """End it and forget what it printed."""
        self.end()
        self.connection.close()
        if self._inner is not None:
            self._inner.close()
            self._inner = None
        if self.output >= 0:
            os.close(self.output)
            self.output = -1

    def _status(self, patience: float) -> int | None:
        """What waitpid says of one that ends by itself within so many seconds."""
        deadline = time.monotonic() + patience
        while True:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                return status
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.001)


class _InnerProcess:
    """The process in which the player's code runs: in name spaces of its own, the grandchild of the one we started.

    ours ─► the process we started ─► the first of the name space ─► the player's
    """

    def __init__(self, outermost: int, *, is_namespaced: bool) -> None:
        first = next(iter(children(outermost)), outermost) if is_namespaced else outermost  # of its name space
        self.pid = next(iter(children(first)), first) if is_namespaced else outermost  # the eldest
        self._first = first
        self._tasks = f"/proc/{self.pid}/task"
        self._children = [_children_file(pid) for pid in dict.fromkeys((first, self.pid))]

    def pause(self) -> None:
        """Stop it with all its threads, and end what it has started."""
        send_signal(self.pid, signal.SIGSTOP)
        if self._has_started_nothing():
            return
        ended = {self.pid}
        while started := set(descendants(self._first)) - ended:  # the dead are seen until it wakes
            kill_all(started)
            send_signal(self.pid, signal.SIGSTOP)  # again, since they may have woken it
            ended |= started

    def _has_started_nothing(self) -> bool:
        """What holds of nearly all, seen at little cost: one thread, and no processes but itself."""
        try:
            seen = b"".join(os.pread(file, 64, 0) for file in self._children).split()
            return os.stat(self._tasks).st_nlink == ONE_THREAD and seen in ([], [str(self.pid).encode()])
        except OSError:
            return False

    def close(self) -> None:
        for file in self._children:
            if file >= 0:
                os.close(file)
        self._children = []


def _children_file(pid: int) -> int:
    """The file in which Linux lists the processes that the first thread of another has started; -1 where it is not."""
    try:
        return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _start(command: list[str], connection: int, output: int) -> subprocess.Popen[bytes]:
    """A command in a session of its own."""
    return subprocess.Popen(
        [str(connection) if part == CONNECTION else part for part in command],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=[connection],
        start_new_session=True,
    )


def _fork(main: Callable[[Connection], None], connection: Connection, output: int, namespaced: bool) -> int:
    """The number of a forked process, which never returns into our own code."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()  # else both would print what waits to be printed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads: the child uses none of ours
        pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        detach(keep=[connection.fileno(), output], output=output)
        if namespaced:
            enter_namespaces(connection)
        with reaping_orphans():
            main(connection)
        code = 0
    except (EOFError, ConnectionError):
        code = 0  # whoever started us has ended
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def detach(*, keep: Iterable[int], output: int) -> None:
    """Become a process of its own: another session, no files of ours, everything printed into `output`."""
    parent = os.getppid()
    gc.freeze()  # the collector is to skip what we had: looking at it would copy its memory, which is shared
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # whatever the parent does then
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _living.clear()
    if os.getppid() != parent:
        os._exit(0)  # it ended before we could say that we go with it
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    for stream in (1, 2):
        os.dup2(output, stream)
    close_all_but({0, 1, 2, *keep})


def close_all_but(keep: set[int]) -> None:
    """Close every other file of this process: what it can't see it can't write to."""
    try:
        opened = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        opened = list(range(256))
    for number in opened:
        if number not in keep:
            with suppress(OSError):
                os.close(number)


def new_output() -> int:
    """A file in memory to print into; it has no name, and goes with the last process that has it open."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("output", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
