"""What one game may change around it and the next must not see: folder, environment, locale, signals, streams."""

from __future__ import annotations

import ctypes
import gc
import io
import locale
import os
import resource
import signal
import sys
import threading
import warnings
from contextlib import suppress
from typing import Any

import numpy as np

from tournament.isolation.procfs import end_children
from tournament.isolation.rlimits import MOST_FILE, own_limits
from tournament.text import storable

MOST_OUTPUT = 4000  # characters that are kept of what a player prints in a game
SIGNALS = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


class TruncatedStream(io.TextIOBase):
    """A stream that keeps the beginning of what is printed and drops the rest."""

    def __init__(self, output: int) -> None:
        self._output = output

    def write(self, text: str, /) -> int:
        room = MOST_OUTPUT + 1 - os.fstat(self._output).st_size
        if room > 0:
            os.write(self._output, text[:room].encode("utf-8", "replace"))
        return len(text)

    def fileno(self) -> int:
        return self._output

    def writable(self) -> bool:
        return True


class ProcessState:
    """How things are before anybody plays, and what brings them back."""

    def __init__(self, output: int) -> None:
        self.output = output
        sys.stdout = sys.stderr = TruncatedStream(output)
        sys.stdin = open(os.devnull)  # noqa: SIM115
        self._streams = (sys.stdin, sys.stdout, sys.stderr)
        self._folder = os.open(".", os.O_RDONLY)
        self._umask = os.umask(0o022)
        os.umask(self._umask)
        self._environment = dict(os.environ)
        self._locale = locale.setlocale(locale.LC_ALL)
        self._handlers = {number: signal.getsignal(number) for number in SIGNALS}
        self._recursion = sys.getrecursionlimit()
        self._path = list(sys.path)
        self._filters = list(warnings.filters)
        self._errors = np.geterr()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
        self._limits = own_limits()

    def restore(self) -> bool:
        """Bring back what has changed; False where something can't be, and a fresh process is needed."""
        os.fchdir(self._folder)
        os.umask(self._umask)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if locale.setlocale(locale.LC_ALL) != self._locale:
            locale.setlocale(locale.LC_ALL, self._locale)
        self.end_alarms()
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        sys.setrecursionlimit(self._recursion)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        sys.path[:] = self._path
        sys.settrace(None)
        sys.setprofile(None)
        warnings.filters[:] = self._filters  # type: ignore[index]
        np.seterr(**self._errors)
        gc.enable()
        is_alone = end_children()
        return is_alone and threading.active_count() == 1 and own_limits() == self._limits

    def end_alarms(self) -> None:
        """No timer of whoever has just moved goes off while another one thinks, nor is a signal handled by its code."""
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        for number, handler in self._handlers.items():
            if signal.getsignal(number) is not handler and handler is not None:
                with suppress(OSError):
                    signal.signal(number, handler)

    def printed(self) -> str:
        """What has been printed since the last time, cut."""
        _flush_c_streams()
        if not os.fstat(self.output).st_size:
            return ""
        return read_output(self.output)


def read_output(output: int) -> str:
    """What stands in the file that a process prints to, which is empty then."""
    kept = os.pread(output, 4 * MOST_OUTPUT + 4, 0).decode("utf-8", "replace")
    os.ftruncate(output, 0)
    os.lseek(output, 0, os.SEEK_SET)
    return cut(kept)


def cut(text: str) -> str:
    """What is kept of a text of somebody else's."""
    text = storable(text[: MOST_OUTPUT + 1])
    return text if len(text) <= MOST_OUTPUT else text[:MOST_OUTPUT] + "… (cut)"


def _c_library() -> Any:
    with suppress(OSError, AttributeError):
        return ctypes.CDLL(None).fflush
    return None


_fflush = _c_library()


def _flush_c_streams() -> None:
    """What compiled code has printed waits in the C library until it is asked for."""
    if _fflush is not None:
        _fflush(None)
