"""Evaluators: the contract that every file in the folder keeps, what they may ask for, and how they may misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import naive
import numpy as np
import pytest
from folders import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FEW, MANY, STANDARD, WIDE, WORD, positions

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.values import SCORE_LIMIT
from tournament.errors import EvaluatorError, EvaluatorFault
from tournament.games.connect4 import Position, Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator, load_file
from tournament.text import shown

FILES = sorted((ROOT / "evaluators").glob("*.py"))
SEATS = st.sampled_from(["first", "second"])
DISC = {"first": "X", "second": "O"}

WriteEvaluator = Callable[..., Evaluator]

# X has two discs in the bottom row, O one beside them and one above; X is to move.
MIDDLE = read_position("......./......./......./......./...O.../..XXO..")


# ── the contract ─────────────────────────────────────────────────────────────────────────────────


def test_the_evaluators_of_the_reports_are_all_there() -> None:
    assert set(naive.EVALUATORS) <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_bundled_evaluator_says_in_one_line_what_it_is(path: Path) -> None:
    evaluator = load_file(path, "bundled")
    assert evaluator.name == path.stem
    assert evaluator.description.lower().startswith(f"{path.stem}: ")
    assert len(evaluator.description) <= 120


@pytest.mark.needs_jit
@pytest.mark.parametrize("rules", FEW, ids=str)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_bundled_evaluator_scores_the_same_compiled_as_in_plain_python(
    bundled: Callable[[str, Rules], Scorer], path: Path, rules: Rules
) -> None:
    scorer = bundled(path.stem, rules)
    assert scorer.compiled, scorer.reason

    @settings(max_examples=25)
    @given(position=positions((rules,)), seat=SEATS)
    def same(position: Position, seat: Any) -> None:
        assert scorer.score(position, seat) == scorer.evaluator.score(position.seen_by(seat))

    same()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@given(position=positions(MANY), seat=SEATS)
def test_a_bundled_evaluator_is_finite_repeatable_and_what_its_report_says(
    path: Path, position: Position, seat: Any
) -> None:
    evaluator = load_file(path, "bundled")
    view = position.seen_by(seat)
    score = evaluator.score(view)
    assert abs(score) < SCORE_LIMIT
    assert score == evaluator.score(view)
    if path.stem in naive.EVALUATORS:
        expected = naive.EVALUATORS[path.stem]
        board = naive.read(str(position))
        assert score == expected(board, DISC[seat], position.rules.connect, position.to_move == seat)


# ── what an evaluator may ask for ────────────────────────────────────────────────────────────────

# Each returns a number that tells whether it was given what DESIGN.md says. The bottom row of MIDDLE reads ..XXO..,
# with seven bits a column, so X has bits 14 and 21, O has 22 and 28.
ASKING = {
    "board": (
        "def evaluate(board):\n"
        "    return 100 * board.shape[0] + 10 * board.shape[1] + board[0, 2] + 2 * board[1, 3] + 4 * board[5, 3]\n",
        {"first": 670 + 1 - 2, "second": 670 - 1 + 2},
    ),
    "mine": ("def evaluate(mine):\n    return mine\n", {"first": 2**14 + 2**21, "second": 2**22 + 2**28}),
    "theirs": ("def evaluate(theirs):\n    return theirs\n", {"first": 2**22 + 2**28, "second": 2**14 + 2**21}),
    "my_turn": ("def evaluate(my_turn):\n    return 3 if my_turn else 4\n", {"first": 3, "second": 4}),
    "rules": (
        "def evaluate(rules):\n    return 100 * rules.rows + 10 * rules.columns + rules.connect\n",
        {"first": 674, "second": 674},
    ),
    "position": (
        "def evaluate(position):\n"
        "    mine, theirs, my_turn, rules = position\n"
        "    return position.mine - position.theirs + (3 if position.my_turn else 4) + position.rules.connect\n",
        {"first": 2**14 + 2**21 - 2**22 - 2**28 + 3 + 4, "second": 2**22 + 2**28 - 2**14 - 2**21 + 4 + 4},
    ),
    "all of them, in any order": (
        "def evaluate(rules, theirs, position, my_turn, mine, board):\n"
        "    assert position.mine == mine and position.theirs == theirs and position.my_turn == my_turn\n"
        "    assert position.rules.columns == rules.columns and board.shape[0] == rules.rows\n"
        "    return mine % 5 + theirs % 7 + board[0, 4]\n",
        {
            "first": (2**14 + 2**21) % 5 + (2**22 + 2**28) % 7 - 1,
            "second": (2**22 + 2**28) % 5 + (2**14 + 2**21) % 7 + 1,
        },
    ),
}


@pytest.mark.parametrize(("text", "expected"), ASKING.values(), ids=ASKING)
def test_an_evaluator_is_given_what_it_asks_for_by_name(
    write_evaluator: WriteEvaluator, text: str, expected: dict[str, float]
) -> None:
    scorer = Scorer(write_evaluator(text), STANDARD)
    assert scorer.compiled is not JIT_DISABLED
    for seat in ("first", "second"):
        assert scorer.score(MIDDLE, seat) == expected[seat]
        assert scorer.evaluator.score(MIDDLE.seen_by(seat)) == expected[seat]


def test_an_interpreted_evaluator_is_given_plain_python_values(write_evaluator: WriteEvaluator) -> None:
    evaluator = write_evaluator(
        """
        SEEN = []

        def evaluate(board, mine, theirs, my_turn, rules, position):
            SEEN.append((board, mine, theirs, my_turn, rules, position))
            return 0
        """
    )
    scorer = Scorer(evaluator, STANDARD)
    assert not scorer.compiled
    scorer.score(MIDDLE, "second")
    board, mine, theirs, my_turn, rules, position = evaluator.module.SEEN.pop()
    assert board.dtype == np.int64
    assert not board.flags.writeable
    assert board.tolist() == [[0, 0, -1, -1, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0], *[[0] * 7] * 4]
    assert type(mine) is type(theirs) is int
    assert (mine, theirs, my_turn) == (MIDDLE.second, MIDDLE.first, False)
    assert (rules.rows, rules.columns, rules.connect) == (6, 7, 4)
    assert position == MIDDLE.seen_by("second")


def test_remembered_scores_of_an_interpreted_evaluator_tell_whose_turn_it_was(write_evaluator: WriteEvaluator) -> None:
    text = "NUMBA_REFUSES = {}\ndef evaluate(my_turn):\n    return len(NUMBA_REFUSES) + (3 if my_turn else 4)\n"
    scorer = Scorer(write_evaluator(text), STANDARD)
    other_turn = read_position(str(MIDDLE).replace(" X", " O"))
    assert [scorer.score(position, "first") for position in (MIDDLE, other_turn, MIDDLE)] == [3, 4, 3]


WEIGH_BOARD = """
    def evaluate(board):
        total = 0
        for row in range(8):
            for column in range(8):
                total += board[row, column] * (1 + row * 8 + column) ** 2
        return total
"""
WEIGH_POSITION = """
    from tournament.toolkit import discs_in_column, swap

    def evaluate(position):
        total = 0
        for column in range(8):
            total += (discs_in_column(position, column) - 2 * discs_in_column(swap(position), column)) << column
        return total
"""


def test_boards_of_two_words_are_given_whole(write_evaluator: WriteEvaluator) -> None:
    by_board = Scorer(write_evaluator(WEIGH_BOARD), WIDE)
    by_position = Scorer(write_evaluator(WEIGH_POSITION), WIDE)
    assert by_board.compiled is by_position.compiled is not JIT_DISABLED

    @given(position=positions((WIDE,)), seat=SEATS)
    def whole(position: Position, seat: Any) -> None:
        board = naive.read(str(position))
        mine, theirs = naive.cells_of(board, DISC[seat]), naive.cells_of(board, naive.OTHER[DISC[seat]])
        weights = {(row, column): (1 + row * 8 + column) ** 2 for row in range(8) for column in range(8)}
        assert by_board.score(position, seat) == sum(map(weights.get, mine)) - sum(map(weights.get, theirs))
        columns = sum(2**column for _, column in mine) - 2 * sum(2**column for _, column in theirs)
        assert by_position.score(position, seat) == columns

    whole()


@pytest.mark.parametrize("name", ["mine", "theirs"])
@pytest.mark.parametrize("rules", [WORD, WIDE], ids=str)
def test_bitboards_are_refused_where_they_are_no_plain_integers(
    write_evaluator: WriteEvaluator, name: str, rules: Rules
) -> None:
    evaluator = write_evaluator(f'"""A."""\ndef evaluate({name}):\n    return {name}\n')
    with pytest.raises(EvaluatorError) as caught:
        Scorer(evaluator, rules)
    assert str(caught.value) == (
        f"{evaluator.where}: evaluate asks for `{name}`, and a board of {rules} takes {rules.bits} bits, more than "
        "the 63 of a plain integer: ask for `position` and use the toolkit, or for `board`."
    )


def test_bitboards_are_given_up_to_the_last_bit_of_a_plain_integer(write_evaluator: WriteEvaluator) -> None:
    rules = Rules(6, 9, 4)  # 63 bits
    scorer = Scorer(write_evaluator("def evaluate(mine):\n    return mine >> 56\n"), rules)
    assert scorer.score(read_position("9", rules), "first") == 1


@pytest.mark.parametrize(
    ("parameter", "hint"),
    [("boards", "; did you mean `board`?"), ("my_trun", "; did you mean `my_turn`?"), ("zzz", ".")],
)
def test_an_unknown_parameter_gets_the_known_ones_and_the_nearest(
    write_evaluator: WriteEvaluator, parameter: str, hint: str
) -> None:
    with pytest.raises(EvaluatorError) as caught:
        write_evaluator(f"# one line more\n\ndef evaluate(rules, {parameter}):\n    return 0\n", "asking")
    file, line, sentence = str(caught.value).split(":", 2)
    assert file.endswith("asking.py")
    assert line == "3"
    assert sentence == (
        f" evaluate asks for `{parameter}`, which is not known{hint} "
        "It can ask for board, mine, theirs, my_turn, rules, position."
    )


@pytest.mark.parametrize(
    ("head", "is_compiled"),
    [
        ("board, weight=3", True),
        ("board, weight=3, other=4", True),
        ("board, *, weight=3", False),  # what stands after a `*` is left to Python
        ("*, board, weight=3", False),
    ],
)
def test_a_parameter_with_a_default_need_not_be_known(
    write_evaluator: WriteEvaluator, head: str, is_compiled: bool
) -> None:
    scorer = Scorer(write_evaluator(f"def evaluate({head}):\n    return weight * board[0, 2]\n"), STANDARD)
    assert scorer.score(MIDDLE, "first") == 3
    assert scorer.compiled is (is_compiled and not JIT_DISABLED), scorer.reason


def test_a_known_parameter_is_given_even_after_one_with_a_default(write_evaluator: WriteEvaluator) -> None:
    scorer = Scorer(write_evaluator("def evaluate(board, weight=3, rules=None):\n    return rules.rows\n"), STANDARD)
    assert scorer.score(MIDDLE, "first") == 6


# ── files that can't be loaded ───────────────────────────────────────────────────────────────────

# What is in the file, and what the message says after the file's name.
UNLOADABLE = {
    "raises": ("x = 1\nraise ValueError('no')\n", ":2: raised ValueError while being loaded: no."),
    "raises in a function": (
        "def look():\n    return {}['x']\n\nlook()\n",
        ":2: raised KeyError while being loaded: 'x'.",
    ),
    "exits": ("import sys\n\nsys.exit(3)\n", ":3: raised SystemExit while being loaded: 3."),
    "imports what is not there": (
        "import nowhere_at_all\n",
        ":1: raised ModuleNotFoundError while being loaded: No module named 'nowhere_at_all'.",
    ),
    "is not Python": ("def evaluate(board):\n    return (1 +\n", ":2: is not Python: '(' was never closed."),
    "is badly indented": ("def evaluate(board):\nreturn 1\n", ":2: is not Python: expected an indented block"),
    "is no text": ("x = 1\x00", ":1: is not Python: source code string cannot contain null bytes."),
    "is empty": ("", ":1: has no function `evaluate`."),
    "has no evaluate": ("def evaluat():\n    pass\n", ":1: has no function `evaluate`; did you mean `evaluat`?"),
    "has a number for evaluate": ("evaluate = 3\n", ":1: has no function `evaluate`."),
    "has a class for evaluate": ("class evaluate:\n    pass\n", ":1: has no function `evaluate`."),
}


@pytest.mark.parametrize(("text", "sentence"), UNLOADABLE.values(), ids=UNLOADABLE)
def test_a_file_that_can_not_be_loaded_gets_a_sentence_with_its_name_and_line(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(EvaluatorError) as caught:
        load_file(path, "test")
    assert str(caught.value).startswith(f"{path}{sentence}")


def test_a_file_that_is_not_there_or_badly_named_gets_a_sentence_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(EvaluatorError, match=r"nowhere\.py: can't be read \(No such file or directory\)"):
        load_file(tmp_path / "nowhere.py", "test")
    with pytest.raises(EvaluatorError, match=r"a b\.py: `a b` can't be a name: use up to 64 letters"):
        load_file(tmp_path / "a b.py", "test")


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
from tournament.evaluator import load_file
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


# ── edited files ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("more", ["", " + len(NUMBA_REFUSES)"], ids=["compiled", "interpreted"])
def test_an_edited_file_is_seen_even_with_the_same_size_and_time(tmp_path: Path, more: str) -> None:
    path = tmp_path / "edited.py"
    scores = []
    for number in (1, 2, 1):
        path.write_text(f"NUMBA_REFUSES = {{}}\ndef evaluate(my_turn):\n    return {number}{more}\n")
        os.utime(path, (1_000_000_000, 1_000_000_000))
        scores.append(Scorer(load_file(path, "test"), STANDARD).score(MIDDLE, "first"))
    assert scores == [1, 2, 1]


def test_an_edited_helper_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    scores = []
    for number in (1, 2):
        path.write_text(
            dedent(f"""
                def evaluate(my_turn):
                    return helper()

                def helper():
                    return {number}
            """)
        )
        scores.append(Scorer(load_file(path, "test"), STANDARD).score(MIDDLE, "first"))
    assert scores == [1, 2]


def test_two_evaluators_of_one_name_do_not_mix(write_evaluator: WriteEvaluator) -> None:
    one = Scorer(write_evaluator("def evaluate(my_turn):\n    return 1\n", "same"), STANDARD)
    two = Scorer(write_evaluator("def evaluate(my_turn):\n    return 2\n", "same"), STANDARD)
    assert (one.score(MIDDLE, "first"), two.score(MIDDLE, "first")) == (1, 2)


# ── what is compiled, and found in the cache ─────────────────────────────────────────────────────


def test_a_global_read_from_another_file_is_seen_when_that_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "weighted.py"
    path.write_text(
        "from pathlib import Path\n"
        "WEIGHT = int(Path(__file__).with_name('weight.txt').read_text())\n"
        "def evaluate(my_turn):\n"
        "    return WEIGHT\n"
    )
    scores = []
    for weight in (3, 4, 3):
        (tmp_path / "weight.txt").write_text(str(weight))
        scores.append(Scorer(load_file(path, "test"), STANDARD).score(MIDDLE, "first"))
    assert scores == [3, 4, 3]


UNSAFE = {
    "flat": "def evaluate(board):\n    return board.flat[100_000_000]\n",
    "flat, to write": "def evaluate(board):\n    board.flat[0] = 5\n    return 1\n",
    "fill_diagonal": "import numpy as np\ndef evaluate(board):\n    np.fill_diagonal(board, 3)\n    return 1\n",
}


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_what_numba_does_not_check_is_left_to_python(write_evaluator: WriteEvaluator, text: str) -> None:
    scorer = Scorer(write_evaluator(text), STANDARD)
    assert not scorer.compiled
    with pytest.raises(EvaluatorFault, match=r"IndexError|read-only"):
        scorer.score(MIDDLE, "first")


@pytest.mark.needs_jit
def test_a_missing_return_is_the_reason_and_not_numbas_pipeline(write_evaluator: WriteEvaluator) -> None:
    scorer = Scorer(write_evaluator("def evaluate(board):\n    if board[5, 6] == 0:\n        return 1\n"), STANDARD)
    assert scorer.reason is not None
    assert "evaluate does not return a number in every case" in scorer.reason


@pytest.mark.parametrize("rules", [Rules(63, 1, 4), Rules(127, 1, 4)], ids=str)
@pytest.mark.parametrize("name", ["balanced", "lines"])
def test_a_board_of_one_column_scores_the_same_compiled(
    bundled: Callable[[str, Rules], Scorer], name: str, rules: Rules
) -> None:
    position = read_position("111", rules)
    scorer = bundled(name, rules)
    assert scorer.score(position, "first") == scorer.evaluator.score(position.seen_by("first")) != 0


@pytest.mark.parametrize("head", ["board, /", "*board", "**rules"])
def test_only_ordinary_parameters_can_be_asked_for(write_evaluator: WriteEvaluator, head: str) -> None:
    with pytest.raises(EvaluatorError, match="only ordinary parameters"):
        write_evaluator(f"def evaluate({head}):\n    return 0\n")


def test_an_exception_that_is_no_exception_is_a_fault_too(write_evaluator: WriteEvaluator) -> None:
    text = "class Stop(BaseException):\n    pass\n\n\ndef evaluate(board):\n    raise Stop\n"
    with pytest.raises(EvaluatorFault, match=r"mine\.py:6: evaluate raised Stop\. Its discs"):
        Scorer(write_evaluator(text), STANDARD).score(MIDDLE, "first")
