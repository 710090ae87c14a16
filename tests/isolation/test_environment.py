"""What one game changes around it is brought back before the next; what players print is kept apart and cut.

Everything here happens in guarded processes, so that the process of the tests stays as it is.
"""

import gc
import locale
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from processes import call

from tournament.isolation.environment import MOST_OUTPUT, ProcessState, TruncatedStream, cut
from tournament.isolation.rlimits import limit_memory, size

PATIENCE = 30.0  # seconds, for what takes none


def other_locale() -> None:
    """Any locale that is not the one that holds now."""
    now = locale.setlocale(locale.LC_ALL)
    for name in ("C", "C.UTF-8", "POSIX"):
        if locale.setlocale(locale.LC_ALL, name) != now:
            return


def current_umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def trace(*_: object) -> None:
    """For `sys.settrace`."""


Change = tuple[str, Callable[[], Any], Callable[[], Any]]
CHANGES: list[Change] = [
    ("the folder", lambda: os.chdir("/"), os.getcwd),
    ("a new variable of the environment", lambda: os.environ.update(LANG_OF_MINE="x"), lambda: dict(os.environ)),
    ("a variable that is gone", lambda: os.environ.pop("PATH"), lambda: dict(os.environ)),
    ("the locale", other_locale, lambda: locale.setlocale(locale.LC_ALL)),
    (
        "a signal handler",
        lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
        lambda: str(signal.getsignal(signal.SIGTERM)),
    ),
    (
        "blocked signals",
        lambda: signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM}),
        lambda: sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    ),
    ("an alarm", lambda: signal.alarm(1000), lambda: signal.getitimer(signal.ITIMER_REAL)[0] > 0),
    ("the recursion limit", lambda: sys.setrecursionlimit(4321), sys.getrecursionlimit),
    ("the umask", lambda: os.umask(0o077), current_umask),
    ("standard output", lambda: setattr(sys, "stdout", None), lambda: type(sys.stdout).__name__),
    ("standard error", lambda: setattr(sys, "stderr", None), lambda: type(sys.stderr).__name__),
    ("standard input", lambda: setattr(sys, "stdin", None), lambda: type(sys.stdin).__name__),
    ("a new place for modules", lambda: sys.path.insert(0, "/nowhere"), lambda: list(sys.path)),
    ("no place for modules", lambda: sys.path.clear(), lambda: list(sys.path)),
    ("the filters of warnings", lambda: warnings.simplefilter("error"), lambda: str(warnings.filters)),
    ("numpy's way with errors", lambda: np.seterr(all="raise"), np.geterr),
    ("a trace", lambda: sys.settrace(trace), lambda: sys.gettrace() is None),
    ("a profile", lambda: sys.setprofile(trace), lambda: sys.getprofile() is None),
    ("no collection of garbage", gc.disable, gc.isenabled),
]


@pytest.mark.parametrize(("change", "look"), [pytest.param(*rest, id=name) for name, *rest in CHANGES])
def test_what_a_game_changes_is_brought_back(change, look):
    def play() -> tuple[Any, Any, bool, Any]:
        process_state = ProcessState(1)
        before = look()
        change()
        return before, look(), process_state.restore(), look()

    before, during, is_clean, after = call(play, PATIENCE)
    assert during != before, "else this test shows nothing"
    assert after == before
    assert is_clean


def test_a_folder_that_is_gone_can_be_left(tmp_path):
    def play() -> tuple[str, str]:
        before, process_state = os.getcwd(), ProcessState(1)
        (tmp_path / "mine").mkdir()
        os.chdir(tmp_path / "mine")
        (tmp_path / "mine").rmdir()
        process_state.restore()
        return before, os.getcwd()

    before, after = call(play, PATIENCE)
    assert after == before


def test_nothing_changed_is_clean_however_often():
    def play() -> list[bool]:
        process_state = ProcessState(1)
        return [process_state.restore() for _ in range(3)]

    assert call(play, PATIENCE) == [True, True, True]


@pytest.mark.parametrize("new_session", [False, True])
def test_a_child_that_is_left_is_ended_and_then_all_is_clean(new_session):
    def play() -> tuple[bool, bool]:
        process_state = ProcessState(1)
        left = subprocess.Popen(["sleep", "600"], start_new_session=new_session)
        is_clean = process_state.restore()
        return is_clean, os.path.exists(f"/proc/{left.pid}")

    assert call(play, PATIENCE) == (True, False)


def test_a_thread_that_is_left_is_said():
    def play() -> tuple[bool, bool]:
        process_state, done = ProcessState(1), threading.Event()
        thread = threading.Thread(target=done.wait, daemon=True)
        thread.start()
        is_clean = process_state.restore()
        done.set()
        thread.join()
        return is_clean, process_state.restore()

    assert call(play, PATIENCE) == (False, True)


# ── output ───────────────────────────────────────────────────────────────────────────────────────

LONG = 3 * MOST_OUTPUT
WAYS: dict[str, Callable[[str], Any]] = {
    "print": lambda text: print(text, end=""),
    "to standard error": lambda text: sys.stderr.write(text),
    "raw": lambda text: os.write(1, text.encode()),
    "raw, to standard error": lambda text: os.write(2, text.encode()),
    "by a child": lambda text: subprocess.run(["printf", "%s", text], check=True),
    "a character at a time": lambda text: [sys.stdout.write(letter) for letter in text],
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_printed_is_kept_once(way, capfd):
    def play() -> list[str]:
        process_state = ProcessState(1)
        told = []
        for text in ("one", "two – ☃", ""):
            WAYS[way](text)
            told.append(process_state.printed())
        return told

    assert call(play, PATIENCE) == ["one", "two – ☃", ""]
    assert tuple(capfd.readouterr()) == ("", ""), "and never mixes with ours"


@pytest.mark.parametrize("way", WAYS)
def test_long_output_is_cut_and_says_so(way):
    def play() -> tuple[str, str]:
        process_state = ProcessState(1)
        WAYS[way](LONG * "x")
        long = process_state.printed()
        WAYS[way]("short again")
        return long, process_state.printed()

    assert call(play, PATIENCE) == (MOST_OUTPUT * "x" + "… (cut)", "short again")


def test_bytes_that_are_no_text_are_shown_as_such():
    def play() -> str:
        process_state = ProcessState(1)
        os.write(1, b"\xff\xfe!")
        return process_state.printed()

    assert call(play, PATIENCE) == "\ufffd\ufffd!"


def test_a_stream_that_cuts_takes_everything_and_keeps_little():
    def play() -> tuple[int, int]:
        stream = TruncatedStream(1)
        written = sum(stream.write(1000 * "x") for _ in range(1000))
        return written, os.fstat(1).st_size

    written, size_of_file = call(play, PATIENCE)
    assert written == 1_000_000
    assert size_of_file <= MOST_OUTPUT + 1


def test_a_text_is_cut_only_where_it_is_too_long():
    assert cut(MOST_OUTPUT * "x") == MOST_OUTPUT * "x"
    assert cut((MOST_OUTPUT + 1) * "x") == MOST_OUTPUT * "x" + "… (cut)"


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(not size(), reason="the system does not say how large a process is")
def test_memory_beyond_the_limit_is_an_error_and_without_limit_none():
    def play() -> tuple[str, int]:
        limit_memory(size() + (64 << 20))
        try:
            told = f"{len(bytearray(512 << 20))} bytes"
        except MemoryError:
            told = "MemoryError"
        limit_memory(None)
        return told, len(bytearray(256 << 20))

    assert call(play, PATIENCE) == ("MemoryError", 256 << 20)
