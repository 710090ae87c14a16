"""`tourney solve`, and the same from Python."""

import json
import os
import re
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from processes import wait_until

import tournament
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules
from tournament.isolation.procfs import children

pytestmark = pytest.mark.needs_jit
KEYS = ["position", "to_move", "value", "plies", "moves", "nodes", "seconds"]
BOARD = ("--rows", "4", "--columns", "4", "--connect", "3")


def test_it_draws_the_board_and_what_each_column_is_worth(tourney):
    code, out, _ = tourney("solve", "12", "--exact", *BOARD)
    shown = re.sub(r"\s+", " ", out)
    assert code == 0
    assert "X to move" in shown
    assert re.search(r"│ 1 │ win in 7 plies │", shown)
    assert re.search(r"win in 7 plies, best: 1 ", shown)
    assert "nodes" in shown


def test_json_says_the_same(tourney):
    code, out, _ = tourney("solve", "12", "--exact", *BOARD, "--json")
    told = json.loads(out)
    assert (code, list(told), told["position"], told["to_move"]) == (0, KEYS, "12", "X")
    assert told["value"] == "win"
    assert [list(move) for move in told["moves"]] == [["move", "value", "plies"]] * 4
    found = tournament.solve("12", rules=Rules(4, 4, 3), exact=True)
    assert [vars(move) for move in found.moves] == told["moves"]
    assert (found.value, found.plies) == (told["value"], told["plies"])


def test_the_empty_board_is_in_the_book(tourney):
    code, out, _ = tourney("solve", "empty", "--json")
    told = json.loads(out)
    assert (code, told["value"], told["plies"], told["nodes"]) == (0, "win", None, 0)
    assert [move["value"] for move in told["moves"]] == ["loss", "loss", "draw", "win", "draw", "loss", "loss"]


def test_a_file_is_answered_line_by_line_and_alike_with_any_number_of_jobs(tmp_path, tourney):
    texts = ["12", "11", "empty", "..../..../..../X.O. X", "123", "12"]
    (tmp_path / "positions.txt").write_text("\n".join(texts) + "\n")
    answers = []
    for jobs in ("1", "2"):
        code, out, err = tourney(
            "solve", "--file", "positions.txt", "--json", "--jobs", jobs, "--no-book", "--exact", *BOARD
        )
        assert code == 0, err
        told = [json.loads(line) for line in out.splitlines()]
        assert [one["position"] for one in told] == texts
        answers.append([{key: one[key] for key in KEYS[:5]} for one in told])
    assert answers[0] == answers[1]


def test_ctrl_c_ends_several_processes_with_one_line(tmp_path):
    (tmp_path / "positions.txt").write_text("12345671234567123456\n1\n2\n3\n")  # the first is solved in a moment
    command = [sys.executable, "-m", "tournament", "solve", "--file", "positions.txt", "--json"]
    with Popen(
        [*command, "--jobs", "2", "--no-book", "--exact"],
        cwd=tmp_path,
        stdout=PIPE,
        stderr=PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["value"] == "win"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        _, err = process.communicate()
    assert process.returncode == 128 + signal.SIGINT
    assert [line for line in err.splitlines() if "compiling" not in line] == ["tourney: stopped."]
    wait_until(lambda: not group_is_alive(process.pid))


def test_a_process_that_is_killed_ends_all_with_one_message(tmp_path):
    (tmp_path / "positions.txt").write_text("12345671234567123456\n1\n2\n3\n")
    command = [sys.executable, "-m", "tournament", "solve", "--file", "positions.txt", "--json"]
    command += ["--jobs", "2", "--no-book", "--exact"]
    with Popen(command, cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        solving = [pid for pid in children(process.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(solving[0], signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "was killed, maybe for want of memory" in re.sub(r"\s+", " ", err)
    assert "Traceback" not in err


def group_is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_budget_that_is_spent_leaves_columns_unproven(tourney):
    code, out, _ = tourney("solve", "123", "--nodes", "1", "--no-book", *BOARD)
    assert (code, "not proven" in out) == (0, True)
    code, out, _ = tourney("solve", "123", "--seconds", "10", "--no-book", "--json", *BOARD)
    assert (code, json.loads(out)["value"] == "unknown") == (0, False)


MISTAKES = [
    (["448"], "move 3 of `448` is column `8`"),
    (["1212121"], "the game is over here"),
    ([], "a position (moves like 4435, a diagram, or `empty`), or --file FILE: one of them"),
    (["44", "--file", "x"], "or --file FILE: one of them"),
    (["--file", "nowhere.txt", "--json"], "nowhere.txt can't be read"),
    (["--file", "bad.txt"], "add --json"),
    (["--file", "bad.txt", "--json"], "bad.txt:2: move 2 of `49` is column `9`"),
    (["44", "--nodes", "5", "--seconds", "1"], "give one of them"),
    (["44", "--rows", "9", "--columns", "9"], "it takes 90 bits, and the solver knows boards"),
    (["44", "--memory", "1"], "at least 32"),
    (["--file", "good.txt", "--json", "--jobs", "2", "--memory", "1"], "at least 32"),  # told by a process of several
    (["44", "--connect", "1"], "a line has at least 2 discs"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=lambda value: " ".join(value)[:30])
def test_a_mistake_is_one_message_and_exit_code_2(tmp_path, tourney, arguments, message):
    (tmp_path / "bad.txt").write_text("44\n49\n")
    (tmp_path / "good.txt").write_text("44\n45\n")
    code, _, err = tourney("solve", *arguments)
    assert code == 2
    assert message in re.sub(r"\s+", " ", err)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (((4,), {}), "4 is no position"),
        (((None,), {}), "None is no position"),
        ((("44",), {"rules": 8}), "8 is no rules"),
        ((("44",), {"nodes": -4}), "nodes is -4: expected a number from 1 on"),
        ((("44",), {"seconds": float("nan")}), "seconds is nan"),
        ((("44",), {"megabytes": "9"}), "megabytes is '9'"),
    ],
    ids=str,
)
def test_what_python_can_not_mean_is_a_mistake_in_a_sentence(given, told):
    positional, named = given
    with pytest.raises(TourneyError, match=told):
        tournament.solve(*positional, **named)
