"""Evaluators: the contract that every file in the folder keeps, what they may ask for, and how they may misbehave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pytest
from folders import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FEW, MANY, STANDARD, WIDE, WORD, positions

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.values import SCORE_LIMIT
from tournament.errors import EvaluatorError
from tournament.games.connect4 import Position, Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator, load_file

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
    "has no evaluate": ("def evaluat(): 0\n", ":1: has no function `evaluate`; it has `evaluat`: call it `evaluate`."),
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
