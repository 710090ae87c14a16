"""What a run waits for before its first game is told in a line on a terminal, and nowhere else."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tournament.cli.waiting import ANEW, Waiting

CONFIG = """
players: {one: windows, two: squares, three: runs}
depths: [1]
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(CONFIG)
    return path


def on_a_terminal(*command: str, folder: Path) -> str:
    """What a command shows there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # the other end is closed
            pass
        finally:
            os.close(ours)
    assert process.returncode == 0, shown
    return shown.decode()


def test_a_terminal_is_told_what_is_being_loaded(config, tmp_path):
    shown = on_a_terminal(sys.executable, "-m", "tournament", "run", str(config), "--jobs", "2", folder=tmp_path)
    told = re.findall(re.escape(ANEW) + r"([^\x1b\r]*?) …", shown)
    assert told[:2] == ["loading the engine", "loading the search"]
    assert told[-2:] == ["loading windows, squares: file 2 of 3", "loading runs: file 3 of 3"]
    before, _, after = shown.rpartition(" …" + ANEW)
    assert "Standings" in after, "the line is gone when there is something to see"
    assert "Standings" not in before


@pytest.mark.parametrize("more", [(), ("--quiet",)], ids=["as usual", "quiet"])
def test_a_file_is_told_nothing_of_it(tourney, config, more):
    code, out, err = tourney("run", str(config), *more)
    assert code == 0
    assert "loading" not in out + err
    assert "\x1b" not in out + err


def test_a_line_is_cut_to_the_width_of_the_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Waiting() as waiting:
        waiting("loading " + "x" * 50)
    assert capsys.readouterr().err == f"{ANEW}loading xxxxxxxxx …{ANEW}"
