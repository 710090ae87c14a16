"""Help, completion, and output where only plain characters can be or a program reads it."""

import json
import os
import subprocess
import sys

import pytest
from folders import ROOT, write
from typer.main import get_command

from tournament.cli import app

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
PRINTS = "print('loud')\ndef evaluate(board):\n    print('loud')\n    return float(board[0, 3])\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_no_types_of_python(tourney, name):
    _, out, _ = tourney(name, "--help")
    assert not [word for word in ("<bool>", "<list", "{") if word in out]


@pytest.mark.parametrize(
    "command",
    [
        "search 4435 --evaluator loud --depth 2",
        "check loud",
        "evaluators",
        "duel loud windows --depth 1 --openings empty --max-pairs 1 --jobs 1",
        "duel loud windows --depth 1 --openings empty --max-pairs 1 --jobs 1 --isolation player",
        "run c.yaml --jobs 1",
        "run study.yaml --jobs 1",
    ],
)
def test_a_file_that_prints_does_not_break_json(tmp_path, command):
    write(tmp_path / "evaluators" / "loud.py", PRINTS)
    write(tmp_path / "c.yaml", "players: [loud, windows]\ndepths: [1]\n")
    study = "study: {algorithms: [minimax, alphabeta], depths: [1], evaluators: [loud], positions: {empty: empty}}\n"
    write(tmp_path / "study.yaml", study)
    words = [sys.executable, "-m", "tournament", *command.split(), "--json"]  # what its processes print is caught too
    told = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)


def test_a_run_prints_its_results_for_programs_and_nothing_else(tourney, tmp_path):
    write(tmp_path / "more" / "mine.py", "def evaluate(board):\n    return board[0, 3]\n")
    write(tmp_path / "c.yaml", "players: [mine, windows]\ndepths: [1]\n")
    code, out, _ = tourney("run", "c.yaml", "--evaluators", "more", "--json")
    assert code == 0
    assert json.loads(out) == json.loads((tmp_path / "reports" / "c" / "results.json").read_text())
    assert "--evaluators more" in out, "what is to be typed to repeat it"
    assert tourney("run", "c.yaml")[0] == 2, "nobody else knows of it"


def completed(words: str) -> list[str]:
    surroundings = os.environ | {"_TOURNEY_COMPLETE": "complete_bash", "COMP_WORDS": f"tourney {words}"}
    surroundings["COMP_CWORD"] = str(len(words.split(" ")))
    command = [sys.executable, "-c", "from tournament.cli import app; app(prog_name='tourney')"]
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("ev", "evaluators"),
        ("run --dry", "--dry-run"),
        ("run configs/le", "configs/league.yaml"),
        ("run ./configs/le", "./configs/league.yaml"),
        ("configs le", "league"),
        ("check wind", "windows"),
    ],
)
def test_a_shell_completes(words, told):
    assert completed(words) == [told]


def test_a_stream_of_ascii_gets_plain_characters(tmp_path):
    write(tmp_path / "c.yaml", "title: Böse\nplayers: [windows, runs]\ndepths: [1]\n")
    surroundings = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    command = [sys.executable, "-m", "tournament", "run", "c.yaml", "--full"]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"B?se" in done.stdout
    assert b"-----" in done.stdout


@pytest.mark.parametrize(("shell", "told"), [("zsh", "#compdef tourney"), ("fish", "complete --command tourney")])
def test_there_is_a_script_of_completion_for_other_shells(shell, told):
    surroundings = os.environ | {"_TOURNEY_COMPLETE": f"source_{shell}"}
    command = [sys.executable, "-c", "from tournament.cli import app; app(prog_name='tourney')"]
    script = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True).stdout
    assert told in script
    assert "_TOURNEY_COMPLETE=complete_" in script
