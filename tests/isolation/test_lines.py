"""Lines between processes, of which one may write anything."""

import json
import os
import time
from multiprocessing import Pipe

import pytest

from tournament.isolation.lines import Lines, send_line


@pytest.fixture
def ends():
    ours, theirs = Pipe()
    yield ours, theirs
    ours.close()
    theirs.close()


def soon() -> float:
    return time.monotonic() + 0.05


def test_lines_come_one_by_one_however_they_were_written(ends):
    ours, theirs = ends
    lines = Lines(ours, 1000)
    send_line(theirs, {"a": 1})
    os.write(theirs.fileno(), b'{"b": 2}\n{"c"')
    assert json.loads(lines.next(soon()) or b"") == {"a": 1}
    assert json.loads(lines.next(soon()) or b"") == {"b": 2}
    assert lines.next(soon()) is None, "half a line is none"
    os.write(theirs.fileno(), b": 3}\n")
    assert json.loads(lines.next(soon()) or b"") == {"c": 3}


def test_a_line_without_an_end_is_an_error_and_not_kept_for_ever(ends):
    ours, theirs = ends
    os.write(theirs.fileno(), b"x" * 2000)
    with pytest.raises(ValueError, match="without an end"):
        Lines(ours, 1000).next(soon())


def test_the_end_of_the_other_process_is_told_from_silence(ends):
    ours, theirs = ends
    lines = Lines(ours, 1000)
    assert lines.next(soon()) is None
    theirs.close()
    with pytest.raises((EOFError, ConnectionError)):
        lines.next(soon())
