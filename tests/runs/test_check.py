"""What `tourney check` tells an author."""

from pathlib import Path

import pytest
from folders import GALLERY

from tournament.errors import EvaluatorError
from tournament.games.connect4 import STANDARD
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.compiled import warm_up
from tournament.runs.check import LARGE, SMALL, Checkup, check

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module", autouse=True)
def _compiled_here(bundled):
    """What each check would compile in a process of its own is compiled once in this one, and found on disk."""
    for rules in (STANDARD, SMALL, LARGE):
        warm_up(rules)
        for name in Catalogue().names():
            bundled(name, rules)


@pytest.fixture
def checked(tmp_path):
    """A function that checks an evaluator written as text."""

    def run(text: str) -> Checkup:
        path = tmp_path / "alice.py"
        path.write_text(text)
        return check(str(path), Catalogue())

    return run


def statuses(checkup: Checkup) -> dict[str, str]:
    return {finding.check: finding.status for finding in checkup.findings}


def detail(checkup: Checkup, what: str) -> str:
    return next(finding.detail for finding in checkup.findings if finding.check == what)


@pytest.mark.parametrize("name", Catalogue().names())
def test_every_bundled_evaluator_passes(name):
    checkup = check(name, Catalogue())
    assert checkup.passed, checkup.findings
    assert statuses(checkup)["compiles"] == "ok"
    assert statuses(checkup)["mirror images score the same"] == "ok"


def test_two_games_against_windows_are_played(checked):
    checkup = check("windows", Catalogue())
    assert detail(checkup, "against windows, depth 4, first") == "wins after 27 plies: 444423333362176466647671515"
    assert detail(checkup, "against windows, depth 4, second") == "loses after 27 plies: 444423333362176466647671515"


def test_a_file_with_the_opponents_name_does_not_fail_others(tmp_path):
    (tmp_path / "windows.py").write_text("def evaluate(board):\n    return 0\n")
    checkup = check("squares", Catalogue([tmp_path]))
    assert checkup.passed
    assert statuses(checkup)["against windows"] == "remark"
    assert "two evaluators are named `windows`" in detail(checkup, "against windows")


def test_it_is_played_in_both_seats():
    checkup = check("squares", Catalogue())
    assert (
        detail(checkup, "against windows, depth 4, first")
        == "wins after 37 plies: 4444433331346763666226211111222777555"
    )
    assert (
        detail(checkup, "against windows, depth 4, second")
        == "loses after 35 plies: 44442333321467636662242311126777511"
    )


def test_what_is_taken_from_one_and_given_to_the_other_is_told_so(checked):
    text = '"""Zero-sum."""\n\n\ndef evaluate(board):\n    return board[0, 3] - board[0, 0] - board[0, 6]\n'
    checkup = checked(text)
    assert statuses(checkup)["my gain is the opponent's loss"] == "ok"


def test_one_sided_and_lopsided_evaluators_get_a_remark_and_pass(checked):
    checkup = checked("def evaluate(board):\n    return board[0, 0] + 1\n")
    assert checkup.passed
    assert statuses(checkup)["mirror images score the same"] == "remark"
    assert statuses(checkup)["my gain is the opponent's loss"] == "remark"
    assert statuses(checkup)["describes itself"] == "remark"


def test_an_interpreted_evaluator_passes_and_is_told_why(checked):
    text = '"""D."""\nSEEN = {}\n\n\ndef evaluate(board):\n    SEEN["x"] = 1\n    return int(board.sum())\n'
    checkup = checked(text)
    assert checkup.passed
    assert statuses(checkup)["compiles"] == "remark"
    assert "line 6" in detail(checkup, "compiles")
    assert "same score compiled and in Python" not in statuses(checkup)


def test_writing_to_the_board_is_a_fault(checked):
    checkup = checked("def evaluate(board):\n    board[0, 0] = 1\n    return 0\n")
    assert not checkup.passed
    assert statuses(checkup)["leaves the board as it was"] == "fault"


def test_chance_is_a_fault(checked):
    checkup = checked("import random\n\n\ndef evaluate(board):\n    return random.random()\n")
    assert statuses(checkup)["same score twice"] == "fault"


def test_arithmetic_beyond_64_bits_is_a_fault(checked):
    text = "def evaluate(mine):\n    x = mine + 3\n    for _ in range(9):\n        x = x * x + 1\n    return x % 1000\n"
    checkup = checked(text)
    assert statuses(checkup)["same score compiled and in Python"] == "fault"


@pytest.mark.parametrize("meant", [False, True])
def test_another_board_that_breaks_it_is_a_fault_of_what_is_meant_for_it(checked, meant):
    checkup = checked(f"def evaluate(board{', rules' if meant else ''}):\n    return board[5, 6]\n")
    assert checkup.passed is not meant
    assert statuses(checkup)["4×5 board, connect 3"] == ("fault" if meant else "remark")
    assert "alice.py:2" in detail(checkup, "4×5 board, connect 3")
    assert statuses(checkup)["10×11 board, connect 5"] == "ok"


def test_bitboards_are_remarked_on_for_the_large_board(checked):
    checkup = checked("def evaluate(mine, theirs):\n    return mine % 7 - theirs % 7\n")
    assert checkup.passed
    assert statuses(checkup)["10×11 board, connect 5"] == "remark"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("def evaluate(board):\n    return 1 / 0\n", "alice.py:2: evaluate raised ZeroDivisionError"),
        ("def evaluate(board):\n    return float('nan')\n", "alice.py:1: evaluate returned nan"),
        (
            "def evaluate(bord):\n    return 1\n",
            "alice.py:1: evaluate asks for `bord`, which is not known; did you mean",
        ),
        ("def evaluate(board)\n    return 1\n", "alice.py:1: is not Python"),
    ],
)
def test_what_stops_it_is_one_fault_with_its_line(checked, text, what):
    checkup = checked(text)
    assert not checkup.passed
    assert what in checkup.findings[-1].detail
    assert checkup.findings[-1].status == "fault"


def test_an_evaluator_that_is_not_there_is_an_error_and_not_a_finding():
    with pytest.raises(EvaluatorError, match="did you mean `windows`"):
        check("window", Catalogue())


def test_the_template_passes(tmp_path, monkeypatch):
    from tournament.plugins.new import write_new

    monkeypatch.chdir(tmp_path)
    checkup = check(str(write_new("alice")), Catalogue())
    assert checkup.passed
    assert Path(checkup.file) == Path("evaluators/alice.py")


def test_a_forfeit_in_a_quick_game_is_a_fault(checked):
    text = (
        "import numpy as np\n\n\ndef evaluate(board, rules):\n"
        "    if board[3, 0] != 0 and rules.columns == 7 and np.count_nonzero(board) < 10:\n"
        "        raise ValueError('late')\n    return 0\n"
    )
    checkup = checked(text)
    assert not checkup.passed
    assert statuses(checkup)["against windows, depth 4, first"] == "fault"
    assert "alice.py:6: evaluate raised ValueError: late" in detail(checkup, "against windows, depth 4, first")


def test_what_only_python_refuses_is_a_fault_and_no_traceback(checked):
    checkup = checked(
        "import math\n\n\ndef evaluate(board):\n    x = math.sqrt(board[0, 3])\n    return x if x == x else 0\n"
    )
    assert statuses(checkup)["same score compiled and in Python"] == "fault"
    assert "ValueError" in detail(checkup, "same score compiled and in Python")


@pytest.mark.parametrize(
    ("name", "told"),
    [("endless_in_python", "not for 2 seconds"), ("leaves_by_os_exit", "exit code 3"), ("crashes", "signal 11")],
)
def test_one_that_never_answers_or_ends_its_process_is_told_so(name, told, monkeypatch):
    monkeypatch.setattr("tournament.runs.check.MOST_SECONDS", 2.0)
    checkup = check(str(GALLERY / f"{name}.py"), Catalogue())
    assert not checkup.passed
    assert told in checkup.findings[-1].detail
