"""Evaluators that compile, however they are written, and machine code that is found again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from strategies import STANDARD
from test_evaluator import MIDDLE, WriteEvaluator

from tournament.errors import EvaluatorError, EvaluatorFault
from tournament.games.connect4 import Rules, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

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


@pytest.mark.needs_jit
@pytest.mark.parametrize("passing", [OSError(9, "Bad file descriptor"), MemoryError()], ids=["disk", "memory"])
def test_what_passes_is_not_remembered_as_a_refusal(
    write_evaluator: WriteEvaluator, monkeypatch: pytest.MonkeyPatch, passing: Exception
) -> None:
    evaluator = write_evaluator(
        f'"""Not when {type(passing).__name__} strikes."""\ndef evaluate(board):\n    return 3\n'
    )

    def fail(*_: object) -> None:
        raise passing

    with monkeypatch.context() as failing:
        failing.setattr(Scorer, "_adapt", fail)
        assert not Scorer(evaluator, STANDARD).compiled
    assert Scorer(evaluator, STANDARD).compiled


FROM_DISK = """
import sys
from pathlib import Path
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

scorer = Scorer(load_file(Path(sys.argv[1]), "test"), STANDARD)
found = Searcher(scorer, Settings(2)).search(Position())
is_whole = "numba.np.polynomial.polynomial_functions" in sys.modules
print(found.score, found.counters.generated, scorer.compiled, scorer.is_new, is_whole)
"""
USES_MUCH = """
import math
import random

def evaluate(board):
    names = {"one": 1.5}
    listed = [float(disc) for disc in board[0]]
    listed.sort()
    random.seed(1)
    drawn = random.random() + math.erf(names["one"]) + math.gamma(2.5)
    return listed[-1] + drawn
"""
OF_OTHERS = "import math\nimport beside\n\ndef evaluate(board):\n    return beside.weight(board[0, 3])\n"
HASHES = "def evaluate(board):\n    return hash('x' + str(board[0, 3])) % 7\n"


@pytest.mark.needs_jit
@pytest.mark.parametrize("text", [USES_MUCH, OF_OTHERS, HASHES], ids=["much", "of others", "data of numba"])
def test_machine_code_is_taken_from_disk_without_what_compiles(tmp_path: Path, text: str) -> None:
    """The same scores in a process that has compiled nothing, and so knows only the addresses that it was told."""
    (tmp_path / "beside.py").write_text(
        "import numba\n\n@numba.extending.register_jitable\ndef weight(disc):\n    return 3 * disc\n"
    )
    (tmp_path / "much.py").write_text(f"{text}# in {tmp_path}, so that no run before has compiled it\n")
    command = [sys.executable, "-c", FROM_DISK, str(tmp_path / "much.py")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": "1"}
    told = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert told[0][2:] == ["True", "True", "True"]
    assert told[1] == [*told[0][:2], "True", "False", "False"]
