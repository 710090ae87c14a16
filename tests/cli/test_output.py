"""Output that can't be written, or not in these letters, ends nothing."""

import os
import subprocess
import sys

import pytest
from folders import rows, write
from played import SMALL


def tourney(*arguments, cwd, out=subprocess.PIPE, **environment):
    command = [sys.executable, "-m", "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, stdout=out, stderr=subprocess.PIPE, env=os.environ | environment)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_run_goes_on_where_its_output_is_full_and_its_exit_code_says_so(tmp_path, unbuffered):
    write(tmp_path / "c.yaml", SMALL)
    with open("/dev/full", "w") as full:
        done = tourney("run", "c.yaml", cwd=tmp_path, out=full, PYTHONUNBUFFERED=unbuffered)
    told = b"tourney: some of what was to be printed could not be (No space left on device).\n"
    assert (done.returncode, done.stderr.splitlines(keepends=True)[-1]) == (1, told)
    assert b"Traceback" not in done.stderr
    assert len(rows(tmp_path / "reports" / "c")) == 12


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_stream_that_knows_no_other_letters_is_given_plain_ones(tmp_path, encoding):
    arguments = ("search", "44", "--evaluator", "windows", "--depth", "2")
    done = tourney(*arguments, cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    board = done.stdout.decode(encoding).splitlines()[4]
    assert board.startswith(". . . O . . .    | 1 " if encoding == "ascii" else "· · · O · · ·    | 1 ")
