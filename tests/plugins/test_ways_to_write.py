"""Evaluators that work, however they are written."""

from __future__ import annotations

import pytest
from strategies import STANDARD
from test_evaluator import MIDDLE, WriteEvaluator

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.values import SCORE_LIMIT
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

# ── evaluators that work, however they are written ───────────────────────────────────────────────

COMPILED, INTERPRETED = True, False
# Whether numba takes it, the file, and the score of MIDDLE for X: two discs in the bottom row, O one beside them.
WORKING = {
    "a set": (
        COMPILED,
        """
        def evaluate(board):
            kinds = set()
            for column in range(7):
                kinds.add(board[0, column])
            return len(kinds)
        """,
        3,
    ),
    "a set comprehension": (INTERPRETED, "def evaluate(board):\n    return len({disc for disc in board[0]})\n", 3),
    "a generator": (INTERPRETED, "def evaluate(board):\n    return sum(board[0, c] for c in range(4))\n", 2),
    "a class": (
        INTERPRETED,
        """
        class Weights:
            def __init__(self):
                self.disc = 5

        def evaluate(board):
            return Weights().disc * board[0, 2]
        """,
        5,
    ),
    "a dataclass": (
        INTERPRETED,
        """
        from dataclasses import dataclass

        @dataclass
        class Weights:
            disc: int = 5

        def evaluate(board):
            return Weights().disc * board[0, 2]
        """,
        5,
    ),
    "a named tuple": (
        COMPILED,
        """
        from typing import NamedTuple

        class Weights(NamedTuple):
            disc: int

        WEIGHTS = Weights(5)

        def evaluate(board):
            return WEIGHTS.disc * board[0, 2]
        """,
        5,
    ),
    "a closure inside": (
        COMPILED,
        """
        def evaluate(board):
            weight = 3
            def worth(disc):
                return weight * disc
            return worth(board[0, 2])
        """,
        3,
    ),
    "a closure outside": (
        COMPILED,
        """
        def weighted(weight):
            def evaluate(board):
                return weight * board[0, 2]
            return evaluate

        evaluate = weighted(4)
        """,
        4,
    ),
    "a lambda": (COMPILED, "evaluate = lambda board: 7 * board[0, 2]\n", 7),
    "a helper that stands below": (
        COMPILED,
        "def evaluate(board):\n    return twice(board[0, 2])\n\ndef twice(x):\n    return 2 * x\n",
        2,
    ),
    "a function that nobody calls and numba would refuse": (
        COMPILED,
        "def unused():\n    yield open('x').readlines()\n\ndef evaluate(board):\n    return board[0, 2]\n",
        1,
    ),
    "names that the adapter uses too": (
        COMPILED,
        """
        View, BadScore, RULES = 1, 2, 3

        def make_board(x):
            return x

        def evaluate(board):
            return make_board(View + BadScore + RULES)
        """,
        6,
    ),
    "a global number": (COMPILED, "WEIGHT = 7\ndef evaluate(board):\n    return WEIGHT * board[0, 2]\n", 7),
    "a global list": (INTERPRETED, "WEIGHTS = [1, 2, 3]\ndef evaluate(board):\n    return WEIGHTS[2]\n", 3),
    "a global list that it changes": (
        INTERPRETED,
        "CALLS = []\ndef evaluate(board):\n    CALLS.append(1)\n    return len(CALLS)\n",
        1,
    ),
    "a global array that it changes": (
        INTERPRETED,
        "import numpy as np\nCALLS = np.zeros(1)\ndef evaluate(board):\n    CALLS[0] += 1\n    return CALLS[0]\n",
        1,
    ),
    "a global number that it changes": (
        INTERPRETED,
        "CALLS = 0\ndef evaluate(board):\n    global CALLS\n    CALLS += 1\n    return CALLS\n",
        1,
    ),
    "numpy": (
        COMPILED,
        """
        import numpy as np

        WEIGHTS = np.arange(42).reshape(6, 7)

        def evaluate(board):
            return np.sum(WEIGHTS * board) + np.abs(board).sum() + np.count_nonzero(board == 0)
        """,
        (2 + 3 - 4 - 10) + 4 + 38,
    ),
    "random": (COMPILED, "import random\ndef evaluate(board):\n    return 1 + int(random.random())\n", 1),
    "numpy's random": (COMPILED, "import numpy as np\ndef evaluate(board):\n    return np.random.randint(3, 4)\n", 3),
    "its own njit": (
        COMPILED,
        """
        from numba import njit

        @njit
        def twice(x):
            return 2 * x

        @njit
        def evaluate(board):
            return twice(board[0, 2])
        """,
        2,
    ),
    "types": (
        COMPILED,
        """
        from __future__ import annotations

        import numpy as np

        def evaluate(board: np.ndarray, my_turn: Unknown) -> float:
            return 1.5
        """,
        1.5,
    ),
    "a caught exception": (
        COMPILED,
        """
        def evaluate(board):
            try:
                return board[9, 0]
            except Exception:
                return 5
        """,
        5,
    ),
    "a fraction": (INTERPRETED, "from fractions import *\ndef evaluate(board):\n    return Fraction(1, 2)\n", 0.5),
    "truth": (COMPILED, "def evaluate(my_turn):\n    return my_turn\n", 1),
    "numpy's truth": (COMPILED, "def evaluate(board):\n    return board[0, 2] == 1\n", 1),
    "the greatest score": (COMPILED, f"def evaluate(my_turn):\n    return {int(SCORE_LIMIT) - 1}\n", SCORE_LIMIT - 1),
}


@pytest.mark.parametrize(("is_compiled", "text", "score"), WORKING.values(), ids=WORKING)
def test_an_evaluator_works_however_it_is_written(
    write_evaluator: WriteEvaluator, is_compiled: bool, text: str, score: float
) -> None:
    evaluator = write_evaluator(text)
    scorer = Scorer(evaluator, STANDARD)
    assert scorer.score(MIDDLE, "first") == score
    assert scorer.compiled is (is_compiled and not JIT_DISABLED), scorer.reason
    if scorer.compiled:
        assert Scorer(evaluator, STANDARD).score(MIDDLE, "first") == score  # now from the cache
    assert load_file(evaluator.path, "test").score(MIDDLE.seen_by("first")) == score
    assert Searcher(scorer, Settings(2)).search(MIDDLE).counters.evaluated > 0


@pytest.mark.needs_jit
def test_an_interpreted_evaluator_says_why_and_on_which_line(write_evaluator: WriteEvaluator) -> None:
    scorer = Scorer(write_evaluator("WEIGHTS = {1: 2}\n\n\ndef evaluate(board):\n    return WEIGHTS[1]\n"), STANDARD)
    assert scorer.reason is not None
    assert scorer.reason.startswith("line 5: ")
    assert "WEIGHTS" in scorer.reason
    assert "\n" not in scorer.reason


@pytest.mark.needs_jit
def test_one_that_returns_no_number_now_and_then_says_so_on_its_own_line(write_evaluator: WriteEvaluator) -> None:
    text = "\n" * 20 + "def evaluate(board):\n    if board[5, 6] == 0:\n        return 1\n"
    scorer = Scorer(write_evaluator("# a comment" + text), STANDARD)
    assert scorer.score(MIDDLE, "first") == 1
    if scorer.reason is not None:
        assert int(scorer.reason.removeprefix("line ").partition(":")[0]) in range(21, 24)
