"""Code of strangers in a process of its own: what it says is plain data, and it reaches nobody."""

import os
import pickle
import signal
import time
from contextlib import suppress
from subprocess import Popen

import pytest

from tournament.isolation.call import MOST_ANSWER, call, each
from tournament.isolation.namespaces import has_name_spaces


class Trap:
    """What runs where it is unpickled."""

    def __reduce__(self):
        return os.mkdir, (str(Trap.folder),)

    folder = None


def write_everywhere(data: bytes) -> None:
    for number in range(3, 64):
        with suppress(OSError):
            os.write(number, data)


def test_a_call_returns_plain_data():
    assert call(lambda: {"a": [1, 2.5, None, True, "x"]}, 20) == {"a": [1, 2.5, None, True, "x"]}
    assert list(each(lambda: iter([1, [2], "3"]), 20)) == [1, [2], "3"]


def test_what_is_no_plain_data_ends_it():
    with pytest.raises(ChildProcessError, match="its process ended with exit code 1"):
        call(lambda: {1, 2}, 20)


def test_nothing_that_it_says_is_run_here(tmp_path):
    Trap.folder = tmp_path / "was here"
    said = pickle.dumps(Trap())
    framed = len(said).to_bytes(4, "big") + said  # as multiprocessing sends an object

    def evil() -> int:
        write_everywhere(framed)
        write_everywhere(b"\n")
        return 1

    with pytest.raises(ChildProcessError, match="with what is no answer"):
        call(evil, 20)
    assert not Trap.folder.exists()
    pickle.loads(said)
    assert Trap.folder.exists(), "where it is unpickled it does run"


@pytest.mark.parametrize(
    "said", [b"[]\n", b"nonsense\n", b"[" * 100_000 + b"\n", b"7" * 6000 + b"\n", b"x" * (MOST_ANSWER + (1 << 17))]
)
def test_what_is_no_answer_is_told_so(said):
    with pytest.raises(ChildProcessError, match="with what is no answer"):
        call(lambda: write_everywhere(said), 20)


def test_one_that_takes_too_long_is_ended():
    with pytest.raises(TimeoutError):
        call(lambda: signal.pause(), 0.2)


@pytest.mark.skipif(not has_name_spaces(), reason="the kernel refuses name spaces")
def test_it_can_end_nobody_but_itself():
    with Popen(["sleep", "60"]) as other:

        def kills() -> str:
            with suppress(ProcessLookupError):
                os.kill(other.pid, signal.SIGKILL)
            return "tried"

        assert call(kills, 20) == "tried"
        time.sleep(0.05)
        assert other.poll() is None
        other.kill()
