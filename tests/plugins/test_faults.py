"""Evaluators that fail when they are called: what is said of them, with file, line and position."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from folders import ROOT
from strategies import STANDARD
from test_evaluator import MIDDLE, WriteEvaluator

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.errors import EvaluatorFault
from tournament.plugins.compiled import Scorer
from tournament.text import shown

# ── evaluators that fail when they are called ────────────────────────────────────────────────────

# The file, and what the message says after the file's name. MIDDLE is the position they are asked about.
FAULTY = {
    "raises": ("def evaluate(board):\n    raise ValueError('no')\n", ":2: evaluate raised ValueError: no."),
    "raises in a helper": (
        "def help(x):\n    raise ValueError('no')\n\ndef evaluate(board):\n    return 1 + help(board)\n",
        ":2: evaluate raised ValueError: no.",
    ),
    "raises an exception of its own": (
        """
        class Oops(Exception):
            pass

        def evaluate(board):
            if board[0, 2] == 1:
                raise Oops("ouch")
            return 1
        """,
        ":6: evaluate raised Oops: ouch.",
    ),
    "asserts what is not so": (
        "def evaluate(board):\n    assert board[0, 2] == 0, 'not so'\n    return 1\n",
        ":2: evaluate raised AssertionError: not so.",
    ),
    "exits": ("import sys\ndef evaluate(board):\n    sys.exit(3)\n", ":3: evaluate raised SystemExit: 3."),
    "divides by zero": (
        "def evaluate(rules):\n    spare = rules.rows - 6\n    return 1 / spare\n",
        ":3: evaluate raised ZeroDivisionError: division by zero.",
    ),
    "leaves the board at the top": (
        """
        def evaluate(board):
            total = 0
            for row in range(7):
                total += board[row, 0]
            return total
        """,
        ":4: evaluate raised IndexError: index 6 is out of bounds for axis 0 with size 6.",
    ),
    "leaves a tuple": (
        "WEIGHTS = (1, 2, 3)\ndef evaluate(rules):\n    return WEIGHTS[rules.rows]\n",
        ":3: evaluate raised IndexError: tuple index out of range.",
    ),
    "leaves a list": (
        "def evaluate(rules):\n    weights = [1, 2, 3]\n    return weights[rules.rows]\n",
        ":3: evaluate raised IndexError: list index out of range.",
    ),
    "gives the toolkit too few weights": (
        """
        import numpy as np
        from tournament.toolkit import weigh_squares

        WEIGHTS = np.ones((2, 2), np.int64)

        def evaluate(position):
            return weigh_squares(position, WEIGHTS)
        """,
        ":7: evaluate raised IndexError: index 2 is out of bounds for axis 1 with size 2.",
    ),
    "gives the toolkit planes of another board": (
        """
        import numpy as np
        from tournament.toolkit import bit_planes, weigh_planes

        PLANES = bit_planes(np.ones((2, 2), np.int64))

        def evaluate(position):
            return weigh_planes(position, PLANES)
        """,
        ":7: evaluate raised IndexError: bit planes of a board with another number of rows.",
    ),
    "looks up what is not there": (
        "def evaluate(rules):\n    weights = {1: 5}\n    return weights[rules.rows]\n",
        ":3: evaluate raised KeyError: 6.",
    ),
    "never comes back": (
        "def evaluate(board):\n    return evaluate(board)\n",
        ":2: evaluate raised RecursionError: maximum recursion depth exceeded",
    ),
    "is not a number": (
        "import math\n\ndef evaluate(board):\n    return math.nan\n",
        ":3: evaluate returned nan, and a score is finite and below 999,999,744.",
    ),
    "is infinite": (
        "import math\n\ndef evaluate(board):\n    return -math.inf\n",
        ":3: evaluate returned -inf, and a score is finite and below 999,999,744.",
    ),
    "is above a win": (
        "def evaluate(board):\n    return 2e9\n",
        ":1: evaluate returned 2000000000.0, and a score is finite and below 999,999,744.",
    ),
    "is as good as a late win": (
        "def evaluate(board):\n    return -999_999_744\n",
        ":1: evaluate returned -999999744, and a score is finite and below 999,999,744.",
    ),
    "returns None": (
        "def evaluate(board):\n    board.sum()\n",
        ":1: evaluate returned None, and a score is a number.",
    ),
    "sometimes returns None": (
        "def evaluate(board):\n    if board[0, 2] != 1:\n        return 1\n",
        ":1: evaluate returned None, and a score is a number.",
    ),
    "returns text": (
        "def evaluate(board):\n    return 'good'\n",
        ":1: evaluate returned 'good' (str), and a score is a number.",
    ),
    "returns a complex number": (
        "def evaluate(board):\n    return 1j\n",
        ":1: evaluate returned 1j (complex), and a score is a number.",
    ),
    "returns a list": (
        "def evaluate(board):\n    return [1]\n",
        ":1: evaluate returned [1] (list), and a score is a number.",
    ),
    "returns the board": ("def evaluate(board):\n    return board\n", ":1: evaluate returned array("),
    "writes to the board": (
        "def evaluate(board):\n    board[0, 0] = 1\n    return 1\n",
        ":2: evaluate raised ValueError: assignment destination is read-only.",
    ),
    "writes to the board in a helper": (
        "def touch(board):\n    board[0, 0] = 1\n\ndef evaluate(board):\n    touch(board)\n    return 1\n",
        ":2: evaluate raised ValueError: assignment destination is read-only.",
    ),
    "writes to the board at a distance": (
        "def evaluate(board):\n    flat = board.ravel()\n    flat[0] = 1\n    return 1\n",
        ":3: evaluate raised ValueError: assignment destination is read-only.",
    ),
    "adds to the board": (
        "def evaluate(board):\n    board += 1\n    return 1\n",
        ":2: evaluate raised ValueError: output array is read-only.",
    ),
}


@pytest.mark.parametrize(("text", "sentence"), FAULTY.values(), ids=FAULTY)
def test_a_fault_gets_a_sentence_with_file_line_and_position(
    write_evaluator: WriteEvaluator, text: str, sentence: str
) -> None:
    evaluator = write_evaluator(text, "faulty")
    scorer = Scorer(evaluator, STANDARD)
    with pytest.raises(EvaluatorFault) as caught:
        scorer.score(MIDDLE, "first")
    assert str(caught.value).startswith(f"{shown(evaluator.path)}{sentence}")
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(f"Its discs are X in `{MIDDLE}`.")
    if scorer.compiled:
        scorer = Scorer(evaluator, STANDARD)  # now from the cache
    with pytest.raises(EvaluatorFault) as caught:
        Searcher(scorer, Settings(1)).search(MIDDLE)
    assert str(caught.value).startswith(f"{shown(evaluator.path)}{sentence}")


SCORE_EMPTY_BOARD = """
import sys
from pathlib import Path
from tournament.errors import EvaluatorFault
from tournament.plugins.evaluator import load_file
from tournament.plugins.compiled import Scorer
from tournament.games.connect4 import STANDARD, Position

try:
    print(Scorer(load_file(Path(sys.argv[1]), "test"), STANDARD).score(Position(), "first"))
except EvaluatorFault as fault:
    print(fault)
"""


def score_in_a_process_of_its_own(path: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCORE_EMPTY_BOARD, path.name]
    ran = subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr or f"killed by signal {-ran.returncode}"
    return ran.stdout


def test_a_helper_that_calls_itself_works_in_later_processes_too(tmp_path: Path) -> None:
    path = tmp_path / "recursive.py"
    path.write_text(
        dedent("""
            def discs(board, column):
                if column == 7:
                    return 1
                return abs(board[0, column]) + discs(board, column + 1)

            def evaluate(board):
                return discs(board, 0)
        """)
    )
    assert [score_in_a_process_of_its_own(path) for _ in range(2)] == ["1.0\n", "1.0\n"]


def test_recursion_without_end_does_not_crash_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    path.write_text(
        dedent("""
            def deeper(n):
                if n < 0:
                    return 0
                return 1 + deeper(n + 1) * 3 % 7

            def evaluate(board):
                return deeper(1)
        """)
    )
    assert score_in_a_process_of_its_own(path).startswith("endless.py:5: evaluate raised RecursionError")


@pytest.mark.parametrize("refused", [False, True], ids=["compiled", "interpreted"])
def test_division_by_an_empty_cell_is_a_fault_compiled_or_not(write_evaluator: WriteEvaluator, refused: bool) -> None:
    weight = "WEIGHTS[1]" if refused else "1"
    text = f"WEIGHTS = {{1: 1}}\ndef evaluate(board):\n    return {weight} // board[0, 0]\n"
    scorer = Scorer(write_evaluator(text), STANDARD)
    assert scorer.compiled is (not refused and not JIT_DISABLED)
    with pytest.raises(EvaluatorFault, match=r"mine\.py:3: .*zero"):
        scorer.score(MIDDLE, "first")
