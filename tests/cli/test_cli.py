"""The commands: what they print, their JSON, and exit code 2 with one clear message. Most of them in this process."""

import json
import re
import subprocess
import sys

import pytest
from folders import ROOT
from played import typed


@pytest.fixture
def tourney_json(tourney):
    """What a command prints as JSON, in this process."""

    def call(*arguments: str):
        code, out, err = tourney(*arguments, "--json")
        assert code in (0, 1), err
        return json.loads(out)

    return call


def test_search_prints_the_board_the_move_and_the_counters(tmp_path):
    result = typed("search", "4435", "--evaluator", "windows", "--depth", "6", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "· · X X O · ·" in result.stdout
    assert "column 4, score 28" in result.stdout
    assert re.search(r"generated\s+│\s+5,573", result.stdout)


def test_search_as_json_has_the_promised_keys(tourney_json):
    found = tourney_json("search", "empty", "--evaluator", "windows", "--depth", "8")
    promised = (
        "position to_move evaluator compiled algorithm order depth move score "
        "generated expanded evaluated cutoffs seconds"
    )
    assert set(promised.split()) <= set(found)
    assert (found["move"], found["score"], found["to_move"], found["compiled"]) == (4, 25.0, "X", True)
    assert [found[key] for key in ("generated", "expanded", "evaluated", "cutoffs")] == [134622, 41612, 89216, 32921]


def test_search_takes_other_boards_orders_and_algorithms(tourney_json):
    options = "--evaluator windows --depth 3 --algorithm minimax --order centre --rows 10 --columns 11 --connect 5"
    found = tourney_json("search", "6b", *options.split())
    assert (found["algorithm"], found["order"], found["position"]) == ("minimax", "centre", "6b")
    assert found["generated"] == 11 + 11**2 + 11**3
    assert found["cutoffs"] == 0


def test_an_interpreted_evaluator_says_so_and_reports_the_calls_saved(tmp_path, tourney, tourney_json):
    (tmp_path / "slow.py").write_text(
        "class Score(int):\n    pass\n\n\ndef evaluate(board):\n    return Score(board.sum())\n"
    )
    found = tourney_json("search", "44", "--evaluator", "slow.py", "--depth", "4")
    assert found["compiled"] is False
    assert 0 < found["saved"] < found["evaluated"]
    _, shown, _ = tourney("search", "44", "--evaluator", "slow.py", "--depth", "4")
    assert "slow is interpreted (line 6:" in shown


MISTAKES = [
    (["search", "4435"], "Missing option '--evaluator'"),
    (["search", "448", "--evaluator", "windows", "--depth", "2"], "move 3 of `448` is column `8`"),
    (["search", "empty", "--evaluator", "widows", "--depth", "2"], "did you mean `windows`?"),
    (["search", "empty", "--evaluator", "windows", "--depth", "0"], "depth is 0"),
    (["search", "empty", "--evaluator", "windows", "--depth", "2", "--order", "center"], "did you mean `centre`?"),
    (["search", "empty", "--evaluator", "windows", "--depth", "2", "--algorithm", "minmax"], "did you mean `minimax`?"),
    (["search", "empty", "--evaluator", "windows", "--depth", "2", "--connect", "9"], "connect is 9"),
    (["search", "empty", "--evaluator", "windows", "--depth", "2", "--rows", "20"], "must be at most 128"),
    (["search", "1212121", "--evaluator", "windows", "--depth", "2"], "the game is over here (X has a line)"),
    (
        ["search", "empty", "--evaluator", "windows", "--depth", "2", "--evaluators", "nowhere"],
        "nowhere: does not exist",
    ),
    (["check", "alise"], "there is no evaluator `alise`"),
    (["new", "../alice"], "can't be a name"),
    (["perft", "--", "-1"], "greater than or equal to 0"),
    (["perft", "3", "--connect", "1"], "a line has at least 2 discs"),
    (["serch"], "No such command 'serch'"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), MISTAKES, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_a_mistake_is_one_message_and_exit_code_2(tmp_path, tourney, arguments, message):
    code, _, err = tourney(*arguments)
    assert code == 2
    assert message in re.sub(r"\s+", " ", err)
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_it_is_for_the_command_as_typed_too(tmp_path):
    result = typed("search", "448", "--evaluator", "windows", "--depth", "2", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"tourney: move 3 of `448` is column `8`.*\n", result.stderr)
    assert not list(tmp_path.iterdir())


def test_an_evaluator_that_raises_in_a_search_is_a_message_with_its_line(tmp_path, tourney):
    (tmp_path / "bad.py").write_text("def evaluate(board):\n    x = board[0, 0]\n    return 1 / x\n")
    code, _, err = tourney("search", "empty", "--evaluator", "bad.py", "--depth", "1")
    assert code == 2
    assert "bad.py:3: evaluate raised FloatingPointError: divide by zero" in err
    assert "Traceback" not in err


def test_new_writes_an_evaluator_that_works_and_never_overwrites(tmp_path, tourney, tourney_json):
    assert tourney("new", "alice")[0] == 0
    path = tmp_path / "evaluators" / "alice.py"
    text = path.read_text()
    assert text.startswith('"""Alice: ')
    for name in ("board", "mine", "theirs", "my_turn", "rules", "position"):
        assert re.search(rf"^ +{name} +\w", text, flags=re.MULTILINE), name
    code, _, err = tourney("new", "alice")
    assert (code, path.read_text()) == (2, text)
    assert "there is an evaluator `alice` already" in err
    listed = {row["name"]: row for row in tourney_json("evaluators")}
    assert listed["alice"]["compiled"] is True
    assert listed["alice"]["origin"] == "./evaluators"


def test_evaluators_lists_the_broken_and_the_interpreted_ones_too(tmp_path, tourney, tourney_json):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "broken.py").write_text("def evaluate(bord):\n    return 1\n")
    (folder / "plain.py").write_text("def evaluate(board):\n    return len({*board.ravel().tolist()})\n")
    rows = {row["name"]: row for row in tourney_json("evaluators", "--evaluators", "more")}
    assert "did you mean `board`?" in rows["broken"]["error"]
    assert rows["plain"]["compiled"] is False
    assert rows["plain"]["reason"].startswith("line 2: ")
    assert rows["windows"]["ns_per_call"] > 0
    _, shown, _ = tourney("evaluators", "--evaluators", "more")
    assert "interpreted" in shown
    assert "can't run, –, " in shown


def test_check_exits_with_0_or_1(tmp_path, tourney):
    (tmp_path / "bad.py").write_text("def evaluate(board):\n    return None\n")
    code, out, _ = tourney("check", "windows")
    assert (code, "ready to play" in out) == (0, True)
    code, out, _ = tourney("check", "bad.py", "--json")
    assert code == 1
    assert json.loads(out)["passed"] is False


def test_perft_prints_both_counts(tourney_json):
    assert tourney_json("perft", "3")[-1] == {"plies": 3, "sequences": 343, "positions": 238}


def test_every_command_has_help_and_stands_in_the_readme(tourney):
    _, listed, _ = tourney("--help")
    commands = re.findall(r"^│ (\w+) +\S", listed, flags=re.MULTILINE)
    assert len(commands) >= 6
    readme = (ROOT / "README.md").read_text()
    for command in commands:
        code, shown, _ = tourney(command, "--help")
        assert (code, f"Usage: tourney {command}" in shown) == (0, True)
        assert f"tourney {command}" in readme, command


def test_a_home_that_can_not_be_written_to_is_no_obstacle(tmp_path):
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/proc/nowhere",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    result = subprocess.run(
        [sys.executable, "-m", "tournament", "search", "44", "--evaluator", "windows", "--depth", "2"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert "column 4" in result.stdout
    assert not list(tmp_path.iterdir())
