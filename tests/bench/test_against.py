"""Our search beside a program of the same tree: who is held against whom, and what is told of a wrong program."""

import json
import shutil
import subprocess

import pytest
from folders import REFERENCE, write

from tournament.bench import against as against_module
from tournament.bench.against import Beside, against
from tournament.errors import TourneyError

FAKE = REFERENCE / "fake_limit.py"


@pytest.fixture(autouse=True)
def shallow(monkeypatch):
    """The same searches to depth 2, once."""
    searches = tuple((file, 2, told) for file, _, told in against_module.SEARCHES)
    monkeypatch.setattr(against_module, "SEARCHES", searches)
    monkeypatch.setattr(against_module, "ROUNDS", 1)


def test_both_speeds_and_their_ratio_are_told_of_each_search(tourney):
    one_sided, two_sided = against(FAKE)
    assert (one_sided.evaluator, one_sided.depth, one_sided.generated, one_sided.theirs) == ("windows", 2, 32, 1000)
    assert (two_sided.evaluator, two_sided.theirs) == ("two_sided", 500)
    assert one_sided.ratio == one_sided.ours / 1000
    code, out, _ = tourney("bench", "--against", str(FAKE), "--json")
    told = json.loads(out)["searches"]
    assert (code, [row["theirs"] for row in told]) == (0, [1000, 500])
    assert all(row["ratio"] == row["ours"] / row["theirs"] for row in told)


def test_the_table_names_the_program(monkeypatch, tourney):
    measured = Beside("windows", 11, 10_884_351, 120e6, 80e6)
    monkeypatch.setattr(against_module, "against", lambda _: iter([measured]))
    code, out, _ = tourney("bench", "--against", "some/limit")
    row = next(line for line in out.splitlines() if "10,884,351" in line)
    assert (code, "limit, million" in out) == (0, True)
    assert [cell.strip() for cell in row.strip("│").split("│")][1:] == ["10,884,351", "120.00", "80.00", "1.50"]


WRONG = {
    "does not print its search as JSON with generated, expanded": "#!/bin/sh\necho fast\n",
    "searched another tree than the engine": f"#!/bin/sh\n{FAKE} $* | sed 's/ted\": /ted\": 1/'\n",
    "could not be run": "#!/bin/sh\nexit 1\n",
}


@pytest.mark.parametrize("message", WRONG)
def test_a_program_that_is_no_measure_is_said_so(tmp_path, message):
    program = write(tmp_path / "program", WRONG[message])
    program.chmod(0o755)
    with pytest.raises(TourneyError, match=message):
        list(against(program))


def test_a_program_that_is_not_there_is_one_message(tourney):
    code, _, err = tourney("bench", "--against", "nowhere/limit")
    assert (code, "`nowhere/limit 2 2` could not be run" in " ".join(err.split())) == (2, True)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_the_reference_in_cpp_searches_our_tree(tmp_path):
    program = tmp_path / "limit"
    subprocess.run(["g++", "-O1", "-o", program, REFERENCE / "limit.cpp"], check=True)
    assert [one.generated for one in against(program)] == [32, 41]
