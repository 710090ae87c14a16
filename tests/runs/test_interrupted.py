"""Runs that are stopped, that are in each other's way, and whose players fail."""

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from folders import rows, write
from played import LONG, RAISES, SMALL, kept, query, squeezed
from processes import wait_until

import tournament
from tournament.engine.game import Game
from tournament.engine.result import Counters, SearchResult
from tournament.games.connect4 import STANDARD
from tournament.runs.runner import Stopped, run
from tournament.store import GameTask, Store

# ── stopped, and in each other's way ─────────────────────────────────────────────────────────────


def start(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """The command in a process group of its own, when it has begun to play."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tournament", *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert "played before" in process.stdout.readline()
    return process


@pytest.mark.needs_jit
def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(tmp_path):
    config = write(tmp_path / "c.yaml", LONG)
    process = start("run", "c.yaml", cwd=tmp_path)
    wait_until(lambda: query(tmp_path / "reports" / "c", "SELECT count(*) FROM games") > [(0,)])
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    (told,) = [line for line in err.splitlines() if "compiling" not in line]
    found = re.fullmatch(
        r"tourney: stopped with (\d+) of 96 games played, all kept in reports/c: the same command goes on from there\.",
        told,
    )
    assert found, told
    assert "Standings" not in out
    folder = tmp_path / "reports" / "c"
    assert 0 < int(found[1]) < 96
    assert query(folder, "SELECT count(*) FROM games") == [(int(found[1]),)]
    assert query(folder, "SELECT ended FROM runs") == [(None,)]
    before = kept(folder)
    results = tournament.run(config, out=folder)
    assert (results.played, results.planned) == (96, 96)
    assert kept(folder) > before


@pytest.mark.needs_jit
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_like_ctrl_c_and_give_the_cursor_back(tmp_path, number):
    write(tmp_path / "c.yaml", LONG)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tournament", "run", "c.yaml"]
    heard = partial(signal.signal, number, signal.SIG_DFL)  # these tests may run under `nohup`
    process = subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=heard)
    os.close(theirs)
    told, is_sent = b"", False
    with suppress(OSError):  # the end of what a terminal is told
        while more := os.read(ours, 1 << 16):
            told += more
            if b"Standings so far" in told and not is_sent:
                process.send_signal(number)
                is_sent = True
    assert process.wait(timeout=60) == 128 + number
    assert told.rindex(b"\x1b[?25h") > told.rindex(b"\x1b[?25l"), "the cursor is back"
    said = " ".join(told.decode().split())
    assert re.search(r"tourney: stopped.* kept in reports/c: the same command goes on from there\.", said)


def test_ctrl_c_while_the_reports_are_made_says_that_the_games_are_kept(tmp_path):
    def draw(results):
        raise KeyboardInterrupt

    config = write(tmp_path / "c.yaml", SMALL)
    said = "stopped while the reports were made: all games are kept in .*, and `tourney report .*` makes the rest"
    with pytest.raises(Stopped, match=said):
        run(config, out=tmp_path / "out", draw=draw)
    assert query(tmp_path / "out", "SELECT count(*) FROM games") == [(12,)]
    assert not list((tmp_path / "out").glob("*.part"))


@pytest.mark.needs_jit
def test_a_second_run_into_the_same_folder_refuses_and_the_first_goes_on(tmp_path, tourney):
    write(tmp_path / "c.yaml", LONG)
    first = start("run", "c.yaml", "--jobs", "1", cwd=tmp_path)
    first.send_signal(signal.SIGSTOP)  # or it might be over before the second begins
    code, out, err = tourney("run", "c.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert err == "tourney: reports/c: another run is writing here: wait for it, or choose another --out.\n"
    code, out, err = tourney("run", "c.yaml", "--fresh")
    assert code == 2
    assert "another run is writing here" in err
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert query(tmp_path / "reports" / "c", "SELECT count(*) FROM games") == [(96,)]
    assert query(tmp_path / "reports" / "c", "SELECT count(*) FROM runs") == [(1,)]


def test_a_report_can_be_made_while_a_run_is_writing(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    with Store(tmp_path / "reports" / "c", write=True):
        assert tourney("report", "reports/c")[0] == 0


# ── faults ───────────────────────────────────────────────────────────────────────────────────────


def test_an_evaluator_that_raises_forfeits_its_games_and_the_run_goes_on(tmp_path, tourney):
    write(tmp_path / "mine" / "grump.py", RAISES)
    write(tmp_path / "c.yaml", "players: [windows, grump, squares]\ndepths: [2]\nevaluators: [mine]\n")
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    games = rows(tmp_path / "reports" / "c")
    assert len(games) == 6
    for game in games:
        if "grump" in (game["first"], game["second"]):
            winner = "first" if game["second"] == "grump" else "second"
            assert (game["reason"], game["result"], game["fault"]) == ("forfeit", winner, "raised")
            assert "no [opinion] on this" in game["fault_message"]
        else:
            assert game["reason"] in ("line", "full board")
            assert not game["fault"] + game["fault_message"]
    report = (tmp_path / "reports" / "c" / "report.md").read_text()
    assert "| windows (forfeit) |" in report
    assert re.search(r"^\| forfeits +\| 4 +\|$", report, flags=re.MULTILINE)
    forfeited = next(game for game in games if game["second"] == "grump")
    code, shown, _ = tourney("show", "reports/c", forfeited["game"])
    assert code == 0
    assert "wins (forfeit)" in shown
    assert "mine/grump.py:4: evaluate raised ValueError: no [opinion] on this." in squeezed(shown)
    code, told, _ = tourney("run", "c.yaml")
    assert told.startswith("6 games, 6 of them played before"), "a forfeit is a result like any other"


@pytest.mark.parametrize(
    "raised", ["SystemExit(3)", "GeneratorExit", "MemoryError", "RecursionError", "KeyboardInterrupt"]
)
def test_whatever_an_evaluator_raises_forfeits_the_game(tmp_path, raised):
    write(tmp_path / "odd.py", f"def evaluate(board):\n    raise {raised}\n")
    config = write(tmp_path / "c.yaml", "players: [windows, odd]\ndepths: [1]\nevaluators: [odd.py]\n")
    assert tournament.run(config, out=tmp_path / "out", jobs=2).forfeits == 2
    assert {game["reason"] for game in rows(tmp_path / "out")} == {"forfeit"}


def test_a_game_that_can_not_be_kept_whole_is_not_kept_at_all(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", SMALL), out=tmp_path / "out", jobs=1)
    with Store(tmp_path / "out", write=True) as store:
        (first, *_), before = store.games(), kept(tmp_path / "out")
        task = GameTask("a new id", first.first.key, first.second.key, "", "depth 1")
        found = SearchResult(3, 1.0, Counters(7, 1, 7, 0), seconds=0.1, cpu_seconds=0.1, saved=0, depth=1, deepest=1)
        broken = found._replace(counters=None)
        with pytest.raises(AttributeError):
            store.add(task, Game("", (found, broken), (3, 3), "first", "line"), STANDARD, 1)
        assert kept(tmp_path / "out") == before
        assert not query(tmp_path / "out", "SELECT * FROM games WHERE id = 'a new id'")


def test_an_interpreted_evaluator_is_told_so_in_the_report(tmp_path):
    write(
        tmp_path / "slow.py", "class Score(int):\n    pass\n\n\ndef evaluate(board):\n    return Score(board.sum())\n"
    )
    config = write(tmp_path / "c.yaml", "players: [windows, slow]\ndepths: [1]\nevaluators: [slow.py]\n")
    tournament.run(config, out=tmp_path / "out")
    assert re.search(r"\| slow +\| slow, alphabeta, interpreted \(.+\)", (tmp_path / "out/report.md").read_text())
