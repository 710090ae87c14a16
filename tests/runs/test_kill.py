"""Killed at random moments and started again: nothing is lost, nothing is played twice, nobody is left behind.

A few times each; with `pytest --long` a run is killed twenty times.
"""

import csv
import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from played import moves_of
from processes import adopt_orphans, leave_orphans

import tournament
from tournament.cli import main
from tournament.isolation.procfs import children

pytestmark = pytest.mark.needs_jit  # in plain Python these games would take hours

PLAYERS = ("balanced", "runs", "squares", "windows")
MORE_PLAYERS = (*PLAYERS, "lines", "points", "room")  # so that twenty kills come in the middle of play
CONFIG = "players: [{players}]\ndepths: [1, 9]\nbudget: {{nodes: 2000}}\n"

# Whole games and drifting discs: nothing that a killed search had begun may be seen in what is searched again.
STUDY = """\
study:
  - title: Games
    games: {balanced: balanced, runs: runs, squares: squares, windows: windows}
    algorithms: [minimax, {algorithm: pvs, order: killers, table: 16}]
    depths: [2, 3, 4]
  - title: Chance
    games: {runs: runs, windows: windows}
    algorithms: [expectiminimax, star2]
    depths: [2, 3]
    rules: {drift: {chosen: 0.6}}
"""
SEARCHES = 4 * 2 * 3 + 2 * 2 * 2

EVERYTHING_BUT_TIMES = {
    "games": (
        "SELECT id, first, second, rules, opening, seed, result, reason, fault, plies, moves FROM games ORDER BY id"
    ),
    "planned": "SELECT * FROM planned ORDER BY ordinal",
    "players": "SELECT key, name, settings, evaluator, source_hash, compiled, is_agent FROM players ORDER BY key",
    "integrity": "PRAGMA integrity_check",
}


class Run:
    """A `tourney run` as the leader of a session of its own, and so of a process group."""

    def __init__(self, config: Path, folder: Path, jobs: int, *, warm: bool) -> None:
        arguments = ["run", str(config), "--out", str(folder), "--jobs", str(jobs)]
        self.log = folder.with_suffix(".log")
        self._left = adopt_orphans()  # each worker is in a session of its own, so that theirs would tell nothing
        with self.log.open("w") as log:
            self.pid = _fork(arguments, log.fileno()) if warm else _spawn(arguments, log.fileno())
        while os.getsid(self.pid) != self.pid:
            time.sleep(0.001)

    def wait_until(self, reached: Callable[[], bool]) -> None:
        """Come back when that is so, or when the run has ended."""
        while not reached() and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.002)

    def wait_until_it_plays(self) -> None:
        self.wait_until(lambda: " before; " in self.log.read_text())

    def kill(self) -> bool:
        """Kill every process of the group; whether that came before its end."""
        os.killpg(self.pid, signal.SIGKILL)  # not waited for yet, so the group is there, dead or alive
        code = self.wait()
        assert code in (0, -signal.SIGKILL), self.log.read_text()
        return code != 0

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def assert_nobody_is_left(self) -> None:
        assert self._left() == []


def _spawn(arguments: list[str], output: int) -> int:
    """The command as it is typed."""
    command = [sys.executable, "-m", "tournament", *arguments]
    actions = [(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
    return os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)


def _fork(arguments: list[str], output: int) -> int:
    """The same without the second that it takes to import everything and to load machine code, which writes nothing."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115, left open to the end
        sys.argv = ["tourney", *arguments]
        main()
    except SystemExit as ended:
        sys.stdout.flush()
        os._exit(ended.code or 0)
    finally:
        os._exit(1)  # never back into the tests


def games_in(folder: Path) -> int:
    """How many games a store holds that a run has open."""
    connection = sqlite3.connect(folder / "games.db")
    try:
        return connection.execute("SELECT count(*) FROM games").fetchone()[0]
    finally:
        connection.close()


def stored(folder: Path) -> dict[str, list[tuple]]:
    connection = sqlite3.connect(folder / "games.db")
    try:
        found = {what: connection.execute(query).fetchall() for what, query in EVERYTHING_BUT_TIMES.items()}
    finally:
        connection.close()
    timeless = {"seconds": 0.0, "cpu_seconds": 0.0, "memory": None}
    found["moves"] = [(id, replace(move, **timeless)) for id, moves in moves_of(folder).items() for move in moves]
    return found


def listed(folder: Path, name: str = "games.csv") -> list[dict[str, str]]:
    """A report without what is measured."""
    with (folder / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [{name: cell for name, cell in row.items() if "seconds" not in name and name != "memory"} for row in rows]


@pytest.fixture(autouse=True)
def _orphans_are_ours_only_here():
    yield
    leave_orphans()


@pytest.fixture(scope="module")
def players(long):
    return MORE_PLAYERS if long else PLAYERS


@pytest.fixture(scope="module")
def config(tmp_path_factory, players):
    path = tmp_path_factory.mktemp("kill") / "config.yaml"
    path.write_text(CONFIG.format(players=", ".join(players)))
    return path


@pytest.fixture(scope="module")
def undisturbed(config):
    folder = config.parent / "undisturbed"
    tournament.run(config, out=folder, jobs=2)
    return folder


def test_a_run_killed_again_and_again_ends_with_the_store_of_an_undisturbed_one(config, undisturbed, players, long):
    wanted_kills = 20 if long else 5
    all_games = 3 * len(players) * (len(players) - 1)
    moments = random.Random(20)
    folder = config.parent / "killed"
    kills, games, half_done = 0, 0, set()
    while kills < wanted_kills:
        run = Run(config, folder, moments.choice((1, 2)), warm=kills % 5 != 0)
        if moments.random() < 0.8:
            run.wait_until_it_plays()
            wanted = min(all_games, games + moments.randrange(6))
            run.wait_until(lambda wanted=wanted: games_in(folder) >= wanted)
            games = games_in(folder)
        time.sleep(moments.uniform(0.0, 0.1))
        kills += run.kill()
        run.assert_nobody_is_left()
        half_done |= {games} - {0, all_games}
    assert len(half_done) >= (5 if long else 2), "kills should come in the middle of play"
    assert Run(config, folder, 2, warm=True).wait() == 0
    assert stored(folder) == stored(undisturbed)
    assert listed(folder) == listed(undisturbed)
    assert len(stored(undisturbed)["games"]) == all_games
    assert stored(undisturbed)["integrity"] == [("ok",)]


def test_a_run_killed_while_it_writes_its_reports_leaves_whole_files(config, undisturbed, long):
    moments = random.Random(21)
    games = (undisturbed / "games.csv").read_bytes()
    for _ in range(6 if long else 3):
        run = Run(config, undisturbed, 1, warm=True)
        run.wait_until_it_plays()  # nothing is left to play
        time.sleep(moments.uniform(0.0, 0.1))
        run.kill()
        run.assert_nobody_is_left()
        assert (undisturbed / "games.csv").read_bytes() == games
        assert "How it was made" in json.loads((undisturbed / "results.json").read_text())
        assert (undisturbed / "report.md").read_text().count("## How it was made") == 1
    assert Run(config, undisturbed, 1, warm=True).wait() == 0
    assert [path.name for path in undisturbed.glob("*.part")] == []


def test_workers_end_by_themselves_when_only_the_parent_is_killed_and_the_next_run_goes_on(config, undisturbed):
    folder = config.parent / "parent"
    run = Run(config, folder, 2, warm=False)
    run.wait_until_it_plays()
    run.wait_until(lambda: games_in(folder) > 0)
    workers = children(run.pid)
    os.kill(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    assert Run(config, folder, 2, warm=True).wait() == 0
    assert stored(folder) == stored(undisturbed)
    assert len(workers) == 2 + 1, "and the process that draws the charts"
    run.assert_nobody_is_left()


def test_a_study_killed_again_and_again_ends_with_the_store_of_an_undisturbed_one(tmp_path, long):
    kills = 10 if long else 4
    config = tmp_path / "study.yaml"
    config.write_text(STUDY)
    tournament.run(config, out=tmp_path / "undisturbed", jobs=2)
    moments = random.Random(22)
    folder = tmp_path / "killed"
    half_done = set()
    for kill in range(kills):
        run = Run(config, folder, moments.choice((1, 2)), warm=True)
        run.wait_until_it_plays()
        wanted = kill * SEARCHES // kills
        run.wait_until(lambda wanted=wanted: games_in(folder) > wanted)
        run.kill()
        half_done |= {games_in(folder)} - {0, SEARCHES}
        run.assert_nobody_is_left()
    assert len(half_done) >= (4 if long else 2), "kills should come in the middle of the searches"
    assert Run(config, folder, 2, warm=True).wait() == 0
    assert stored(folder) == stored(tmp_path / "undisturbed")
    assert len(stored(folder)["games"]) == SEARCHES
    assert listed(folder, "searches.csv") == listed(tmp_path / "undisturbed", "searches.csv")
