"""A remote side: a player's file in a process of its own, which may answer anything, or nothing."""

import json
import time
from pathlib import Path

import pytest
from processes import is_alive, wait_until

import tournament
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import MOST_COUNTED, TOLD_FIELDS
from tournament.engine.settings import Settings
from tournament.errors import PlayerFault
from tournament.games.connect4 import STANDARD, Position
from tournament.isolation import process
from tournament.isolation.limits import Limits
from tournament.isolation.procfs import descendants
from tournament.match import remote_side as entrants
from tournament.match.remote_side import RemoteSide
from tournament.plugins.agent import TimeLeft
from tournament.plugins.evaluator import read_file
from tournament.runs import preload
from tournament.store import Store

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="about processes, not about the engine")

TIME = TimeLeft(5, 0, 1800)
ANSWERS = """
import os

def answer(text):
    for number in range(3, 32):
        try:
            os.write(number, text)
        except OSError:
            pass
"""
EVALUATE = "\n\ndef evaluate(board):\n    return {}\n"


def side(folder: Path, text: str) -> RemoteSide:
    path = folder / "mine.py"
    path.write_text(text)
    return RemoteSide(read_file(path, "test"), STANDARD, 1, Limits(move_seconds=5), "player")


def told_of_a_move(folder: Path, line: bytes) -> PlayerFault:
    """What comes of an evaluator that writes this line to every file that it has open."""
    made = side(folder, ANSWERS + EVALUATE.format(f"answer({line!r}) or 0")).load()
    try:
        made.begin(Settings(1))
        with pytest.raises(PlayerFault) as caught:
            made.move(Position(), TIME)
    finally:
        made.close()
    return caught.value


def test_half_a_line_is_no_answer_and_nobody_waits_for_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr(entrants, "LOAD_SECONDS", 1.0)
    half = "answer(b'{\"half')\nimport time\ntime.sleep(100)\n"
    made = side(tmp_path, ANSWERS + half + EVALUATE.format(0))
    with pytest.raises(PlayerFault, match="could not be loaded within 1 seconds") as caught:
        made.load()
    assert caught.value.kind == "load"


@pytest.mark.parametrize(
    "found",
    [
        f"[3, 0, {2**62}, 1, 7, 0, 0, 0.1, 0.1, 0, 1, 1]",
        "[3, 0, -1, 1, 7, 0, 0, 0.1, 0.1, 0, 1, 1]",
        "[3, 1e300, 7, 1, 7, 0, 0, 0.1, 0.1, 0, 1, 1]",
        "[3, 0]",
        "7",
        "null",
        '"text"',
    ],
)
def test_an_answer_that_no_search_can_have_come_to_is_no_move(tmp_path, found):
    fault = told_of_a_move(tmp_path, b'{"found": ' + found.encode() + b"}\n")
    assert (fault.kind, str(fault)) == ("illegal move", "it answered with what is no move.")


TOLD = dict(zip((field.name for field in TOLD_FIELDS), [3, 0, 7, 1, 7, 0, 0, 0.1, 0.1, 0, 1, 1], strict=True))
FORGED = [
    {"depth": MOST_COUNTED},
    {"depth": 2},
    {"deepest": 43},
    {"generated": 1000},
    {"expanded": 10_000},
    {"evaluated": MOST_COUNTED},
    {"cutoffs": 10_000},
    {"untried": 8},
    {"score": float("nan")},
]


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_numbers_that_no_search_of_this_position_has_are_a_fault(tmp_path, forged):
    told = json.dumps({"found": list((TOLD | forged).values())})
    fault = told_of_a_move(tmp_path, told.encode() + b"\n")
    assert (fault.kind, str(fault)) == ("illegal move", "it answered with numbers that no search of this position has.")


def test_numbers_that_a_search_has_are_none(tmp_path):
    line = json.dumps({"found": list(TOLD.values())}).encode() + b"\n"
    made = side(tmp_path, ANSWERS + EVALUATE.format(f"answer({line!r}) or 0")).load()
    made.begin(Settings(1))
    assert made.move(Position(), TIME).counters.generated == 7
    made.close()


@pytest.mark.parametrize("line", [b"[]", b"nonsense", b"[" * 100_000], ids=["a list", "nonsense", "too deep"])
def test_what_is_no_answer_at_all_is_told_so(tmp_path, line):
    assert str(told_of_a_move(tmp_path, line + b"\n")) == "it answered with what is no answer."


def test_the_time_it_says_it_took_is_never_more_than_it_was_given(tmp_path):
    line = b'{"found": [3, 0, 1, 1, 1, 1, 1, 1e9, NaN, 0, 1, 1]}\n'
    made = side(tmp_path, ANSWERS + EVALUATE.format(f"answer({line!r}) or 0")).load()
    made.begin(Settings(1))
    found = made.move(Position(), TIME)
    made.close()
    assert found.seconds < 5
    assert found.cpu_seconds < 5


BUSY = """
import ctypes
import os
import signal
import threading
import time

import tournament.isolation.environment
import tournament.match.remote_side

started = []


def spare(module):
    module.end_children  # an error where it is not there

    def note():
        with open({spared!r}, "a") as file:
            print(module.__name__, file=file)
        return False

    module.end_children = note


spare(tournament.match.remote_side)
spare(tournament.isolation.environment)


def work():
    file = os.open({path!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    while True:
        os.write(file, b".")


def wake_by_a_timer():
    signal.signal(signal.SIGCONT, lambda *_: None)
    event, timer = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0), ctypes.c_void_p()
    library = ctypes.CDLL(None)
    library.timer_create(time.CLOCK_MONOTONIC, event, ctypes.byref(timer))
    library.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000), None)
    threading.Thread(target=work, daemon=True).start()


def evaluate(board):
    if not started:
        started.append({start})
        while not (os.path.exists({path!r}) and os.path.getsize({path!r})):
            time.sleep(0.001)
    return 0
"""
STARTS = {
    "a thread": "threading.Thread(target=work, daemon=True).start()",
    "a fork": "os.fork() or work()",
    "an orphan": "os.fork() or (os.fork() or work(), os._exit(0))",
    "a thread and a timer that wakes it": "wake_by_a_timer()",
}


def is_still(made: RemoteSide) -> bool:
    """Whether every thread of a player is stopped, and whatever else it has started is dead."""
    inside = made._process._inner
    stats = [(task / "stat").read_text() for task in Path(f"/proc/{inside.pid}/task").iterdir()]
    others = [pid for pid in descendants(inside._first) if pid != inside.pid]
    return {stat.rpartition(")")[2].split()[0] for stat in stats} == {"T"} and not any(map(is_alive, others))


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_nothing_of_a_player_runs_while_the_opponent_thinks(tmp_path, start):
    noted, spared = tmp_path / "noted", tmp_path / "spared"
    made = side(tmp_path, BUSY.format(path=str(noted), spared=str(spared), start=start)).load()
    try:
        made.begin(Settings(1))
        made.move(Position(), TIME)
        asked = set(spared.read_text().split())
        assert asked == {"tournament.match.remote_side", "tournament.isolation.environment"}, (
            "else it has not kept its own from ending"
        )
        wait_until(lambda: is_still(made))  # a thread on another processor takes a moment to notice
        before = noted.stat().st_size
        assert before > 0
        for _ in range(100):  # so often is looked whether anything wakes
            time.sleep(0.002)
            assert noted.stat().st_size == before
        assert made.move(Position(), TIME).counters.generated == 7, "and it plays on when it is to move again"
    finally:
        made.close()


def test_an_honest_player_has_one_thread_so_that_it_is_quickly_seen_to_have_started_nothing(tmp_path):
    made = side(tmp_path, EVALUATE.format(0)).load()
    try:
        assert made._process._inner._has_started_nothing()
    finally:
        made.close()


def test_where_the_system_refuses_name_spaces_players_are_apart_and_the_report_says_so(tmp_path, monkeypatch):
    asked = set()
    for module in (process, preload):
        monkeypatch.setattr(module, "has_name_spaces", lambda module=module: asked.add(module))
    config = tmp_path / "small.yaml"
    config.write_text("players: [windows, squares]\ndepths: [1]\n")
    tournament.run(config, out=tmp_path / "here", jobs=1)
    tournament.run(config, out=tmp_path / "apart", jobs=1, isolation="player")
    report = (tmp_path / "apart" / "report.md").read_text()
    assert asked == {process, preload}, "and were told that there are none"
    assert "| player without name spaces (" in report
    assert "--isolation player |" in " ".join(report.split())
    with Store(tmp_path / "here") as here, Store(tmp_path / "apart") as apart:
        assert [game.moves for game in apart.games()] == [game.moves for game in here.games()]
