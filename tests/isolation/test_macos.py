"""A tournament on a system without what only Linux has. There was no Mac to try: what macOS lacks is taken away."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from folders import rows, write

FORKS = """
import os, time

started = []

def evaluate(board):
    if not started:
        started.append(os.fork())
        if not started[0]:
            time.sleep(600)
        with open({file!r}, "a") as file:
            print(started[0], file=file)
    return str(len(started)).count("2")
"""
LEAVES = "import os\n\ndef evaluate(board):\n    os._exit(3)\n"
LOOPS = "import time\n\ndef evaluate(board):\n    time.sleep(600)\n"
CONFIG = """
players: {windows: windows, forks: forks, leaves: leaves, loops: loops}
evaluators: [.]
pairings: [[windows, forks], [windows, leaves], [windows, loops]]
depths: [2]
limits: {move_seconds: 4}
"""
# Others' packages come first: they would take their own ways on macOS, which are not there.
MACOS = """
import builtins, ctypes, io, json, matplotlib.font_manager, numba, os, resource, sys

def without_proc(function):
    def called(path, *rest, **named):
        if str(path).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return function(path, *rest, **named)
    return called

class Library(ctypes.CDLL):
    def __getattr__(self, name):
        if name in ("prctl", "unshare", "sched_getcpu"):
            raise AttributeError(name)
        return super().__getattr__(name)

sys.platform = "darwin"
ctypes.CDLL = Library
builtins.open = io.open = without_proc(open)
for name in ("open", "listdir", "stat"):
    setattr(os, name, without_proc(getattr(os, name)))
for name in ("waitid", "WNOWAIT", "P_PID", "P_ALL", "memfd_create", "sched_getaffinity", "sched_setaffinity"):
    delattr(os, name)
for name in ("RLIMIT_SIGPENDING", "RLIMIT_NICE", "RLIMIT_RTPRIO", "RLIMIT_MSGQUEUE", "RLIMIT_OFILE", "prlimit"):
    delattr(resource, name)

import tournament
from tournament.errors import TourneyError
from tournament.isolation.process import reaping_orphans

with reaping_orphans():  # as the command does it
    for isolation in ("game", "player"):
        tournament.run("c.yaml", out=isolation, jobs=2, isolation=isolation)
try:
    tournament.run("c.yaml", out="sandbox", isolation="sandbox")
except TourneyError as error:
    print(json.dumps(str(error)))
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with what was played there at each level, and what is said of the sandbox."""
    folder = tmp_path_factory.mktemp("macos")
    for name, text in {"forks": FORKS, "leaves": LEAVES, "loops": LOOPS}.items():
        write(folder / f"{name}.py", text.replace("{file!r}", repr(str(folder / "started"))))
    write(folder / "c.yaml", CONFIG)
    ended = subprocess.run([sys.executable, "-c", MACOS], cwd=folder, capture_output=True, text=True, timeout=90)
    assert ended.returncode == 0, ended.stderr
    return folder, json.loads(ended.stdout)


def is_alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


LEVELS = {
    "game": "game without a memory limit (both players of a game in one process,",
    "player": "player without name spaces or a memory limit (each player in a process of its own, which",
}


@pytest.mark.parametrize("level", LEVELS)
def test_whoever_fails_forfeits_and_the_others_play(played, level):
    games = rows(played[0] / level)
    faults = [(game["second" if game["result"] == "first" else "first"], game["fault"]) for game in games]
    assert len(games) == 6
    assert {fault for fault in faults if fault[1]} == {("leaves", "exit"), ("loops", "move time")}


def test_the_games_are_the_same_at_both_levels(played):
    together, apart = ({(game["game"], game["moves"]) for game in rows(played[0] / level)} for level in LEVELS)
    assert together == apart


@pytest.mark.parametrize("level", LEVELS)
def test_the_report_says_what_is_not_kept_apart_and_not_limited(played, level):
    report = (played[0] / level / "report.md").read_text()
    assert f"| {LEVELS[level]}" in report
    assert "1800 s a game, memory not limited on this system; withdrawn" in report


def test_what_a_player_has_started_ends_with_its_process(played):
    started = (played[0] / "started").read_text().split()
    assert started
    assert [pid for pid in started if is_alive(pid)] == []


def test_there_is_no_sandbox_and_it_says_what_else_there_is(played):
    assert played[1].startswith("isolation `sandbox` needs bubblewrap, which only Linux has: choose isolation `player`")
    assert not (played[0] / "sandbox").exists()
