"""The solver beside a program that solves the same positions, and what is told of a wrong one."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from folders import REFERENCE, write

from tournament.bench import truth_speed
from tournament.bench.truth_speed import sample, solver_speeds
from tournament.errors import TourneyError
from tournament.games.connect4 import is_open, read_position

pytestmark = pytest.mark.needs_jit
FAKE = '#!/bin/sh\necho \'{{"wrong": {wrong}, "nodes": 100, "seconds": 0.5}}\'\n'


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Few positions, with little to search, once."""
    little = {
        "PLIES": range(20, 22),
        "POSITIONS": 1,
        "ROUNDS": 1,
        "OPENINGS": ("444444",),
        "DEPTH": 2,
        "EMPTY": ["4444443333"],
    }
    for name, value in little.items():
        monkeypatch.setattr(truth_speed, name, value)


def program(tmp_path: Path, text: str) -> Path:
    path = write(tmp_path / "program", text)
    path.chmod(0o755)
    return path


def test_positions_are_the_same_each_time_and_nobody_can_win_at_once():
    assert sample() == sample()
    assert [len(moves) for moves in sample()] == [20, 21]
    assert all(is_open(read_position(moves)) for moves in sample())


def test_nodes_and_speed_of_both_are_told(tmp_path, tourney):
    fake = program(tmp_path, FAKE.format(wrong=0))
    code, out, _ = tourney("bench", "--truth", "--against", str(fake), "--json")
    weak, exact, games, empty = json.loads(out)["solved"]
    assert code == 0
    for row in (weak, exact):
        assert (row["their_nodes"], row["their_seconds"]) == (100, 0.5)
        assert row["times_their_nodes"] == row["nodes"] / 100
        assert row["times_their_speed"] == row["nodes_per_second"] / 200
    assert (games["times_their_nodes"], empty["times_their_speed"]) == (None, None)
    assert weak["nodes"] <= exact["nodes"]


WRONG = {
    "finds other values than ours, of 1 of 2 positions": FAKE.format(wrong=1),
    "does not print wrong, seconds and nodes as JSON": "#!/bin/sh\necho fast\n",
    "could not be run": "#!/bin/sh\nexit 1\n",
}


@pytest.mark.parametrize("message", WRONG)
def test_a_program_that_is_no_measure_is_said_so(tmp_path, message):
    with pytest.raises(TourneyError, match=message):
        list(solver_speeds(program(tmp_path, WRONG[message])))


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_the_reference_in_cpp_finds_our_values(tmp_path):
    made = tmp_path / "solver"
    subprocess.run(["g++", "-O1", "-o", made, REFERENCE / "solver.cpp"], check=True)
    weak, exact, *_ = solver_speeds(made)
    assert weak.their_nodes
    assert exact.their_nodes
