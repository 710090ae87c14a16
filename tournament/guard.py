"""A process of ours in which code of others runs: started, watched, and ended with everything it has started.

It lives in a session of its own, takes over whatever its own children leave behind, and does not outlive us. We end
it with SIGKILL, which nothing can catch.
"""

from __future__ import annotations

import ctypes
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
from functools import cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x08000000, 0x10000000, 0x20000000  # of Linux's unshare
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE = 1, 36, 4  # of Linux's prctl
ONE_THREAD = 3  # links of a process's folder of threads: itself, the one above it, and a thread
CONNECTION = "{connection}"  # stands in a command for the number of the file that it is to speak through

Main = Callable[[Connection], None] | list[str]  # what a process runs: a function after a fork, or a command


class Ending(NamedTuple):
    """How a process ended: by a signal, or with an exit code."""

    signal: int
    code: int

    @classmethod
    def of(cls, status: int) -> Ending:
        """From what waitpid says."""
        if os.WIFSIGNALED(status):
            return cls(os.WTERMSIG(status), 0)
        code = os.WEXITSTATUS(status)
        return cls(code - 128, 0) if code > 128 else cls(0, code)  # as shells and sandboxes say it

    def __str__(self) -> str:
        if not self.signal:
            return f"exit code {self.code}"
        try:
            return f"signal {self.signal} ({signal.Signals(self.signal).name})"
        except ValueError:
            return f"signal {self.signal}"


_is_alone = False  # whether this process is in a name space of its own
_living: set[int] = set()  # the guarded processes of this one
_spared: set[int] | None = None  # children that were there before; None: nothing is known of the others


@contextmanager
def adopting() -> Iterator[None]:
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


class Guarded:
    """A process that runs `main(connection)` after a fork, or a command; `output` is the file it prints to.

    One that is `alone` can signal no other process and can be made `still`: a command sees to its name spaces itself.
    """

    def __init__(self, main: Main, *, alone: bool = False) -> None:
        self.connection, theirs = Pipe()
        self.output = new_output()
        self.ending: Ending | None = None
        self._command: subprocess.Popen[bytes] | None = None
        self._is_alone = alone and (not callable(main) or has_name_spaces())
        self._inside: _Inside | None = None
        if callable(main):
            self.pid = _fork(main, theirs, self.output, self._is_alone)
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
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline and not self._has_ended():
                time.sleep(0.001)
            started = list(descendants(self.pid))  # while it lives they are all below it
            if not self._has_ended():
                _signal(self.pid, signal.SIGKILL)
            self.ending = Ending.of(os.waitpid(self.pid, 0)[1])
            if self._command is not None:
                self._command.returncode = 0  # it is not to wait for it once more
            _living.discard(self.pid)
            kill_all([*started, *session(self.pid)])
            _end_strays()
        return self.ending

    def still(self) -> None:
        """Stop it, with all its threads, until it is to `wake`, and end what it has started."""
        self._inside = self._inside or _Inside(self.pid, is_alone=self._is_alone)
        self._inside.still()

    def wake(self) -> None:
        if self._inside is not None:
            _signal(self._inside.pid, signal.SIGCONT)

    def close(self) -> None:
        """End it and forget what it printed."""
        self.end()
        self.connection.close()
        if self._inside is not None:
            self._inside.close()
            self._inside = None
        if self.output >= 0:
            os.close(self.output)
            self.output = -1

    def _has_ended(self) -> bool:
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class _Inside:
    """The process that does what a guarded one was started for, which is below others where it is alone."""

    def __init__(self, outermost: int, *, is_alone: bool) -> None:
        first = next(iter(children(outermost)), outermost) if is_alone else outermost  # of its name space
        self.pid = next(iter(children(first)), first) if is_alone else outermost  # the eldest
        self._first = first
        self._tasks = f"/proc/{self.pid}/task"
        self._children = [_children_file(pid) for pid in dict.fromkeys((first, self.pid))]

    def still(self) -> None:
        """Stop it with all its threads, and end what it has started."""
        _signal(self.pid, signal.SIGSTOP)
        if self._has_started_nothing():
            return
        ended = {self.pid}
        while started := set(descendants(self._first)) - ended:  # the dead are seen until it wakes
            kill_all(started)
            _signal(self.pid, signal.SIGSTOP)  # again, since they may have woken it
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


def _fork(main: Callable[[Connection], None], connection: Connection, output: int, alone: bool) -> int:
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
        leave_us(keep=[connection.fileno(), output], output=output)
        if alone:
            _leave_everybody(connection)
        with adopting():
            main(connection)
        code = 0
    except (EOFError, ConnectionError):
        code = 0  # whoever started us has ended
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def leave_us(*, keep: Iterable[int], output: int) -> None:
    """Become a process of its own: another session, no files of ours, everything printed into `output`."""
    parent = os.getppid()
    gc.freeze()  # what was there before stays, and its memory is shared for as long as nobody looks at it
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _living.clear()
    if os.getppid() != parent:
        os._exit(0)  # it ended before we could say that we go with it
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    for stream in (1, 2):
        os.dup2(output, stream)
    close_all_but({0, 1, 2, *keep})


def _leave_everybody(connection: Connection) -> None:
    """Go on as a process in name spaces of its own, while this one and the first one there wait and end as it ends.

    When the first process of a name space ends, everything in it does.
    """
    global _is_alone
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
    _is_alone = True


def _unshare() -> None:
    """Take this process, and what it starts from now on, into name spaces of their own; OSError where it can't be."""
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None).unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC):
        raise OSError("the system refuses name spaces")
    for file, told in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with suppress(OSError):
            Path(f"/proc/self/{file}").write_text(told)


@cache
def has_name_spaces() -> bool:
    """Whether the system lets us have name spaces for processes that are to be alone, tried out once."""
    try:
        call(_enter_name_spaces, 10.0)
    except (ChildProcessError, TimeoutError):
        return False
    return True


def _enter_name_spaces() -> None:
    _unshare()
    if not os.fork():
        os._exit(0)
    os.wait()


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


def prctl(option: int, value: int) -> None:
    """Tell Linux something about this process; elsewhere nothing happens."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def new_output() -> int:
    """A file in memory to print into; it has no name, and goes with the last process that has it open."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("output", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


# ── what a process has started ───────────────────────────────────────────────────────────────────


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
        _signal(pid, signal.SIGKILL)


def _signal(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there and ours."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def end_children() -> bool:
    """End whatever this process's players have started and left; whether there was anything."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    if _is_alone:
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


def call(function: Callable[[], Any], seconds: float) -> Any:
    """What a function returns that runs in a guarded process, for so long at most; TimeoutError, or ChildProcessError.

    The result must be one that can be pickled.
    """
    process = Guarded(lambda connection: connection.send(function()))
    try:
        if not process.connection.poll(seconds):
            raise TimeoutError(f"{seconds:g} seconds were not enough")
        return process.connection.recv()
    except EOFError:
        raise ChildProcessError(f"its process ended with {process.end(1.0)}") from None
    finally:
        process.close()
