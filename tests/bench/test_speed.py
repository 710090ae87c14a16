"""The benchmark: plain Python searches the engine's tree, and it measures what it says."""

import pytest

from tournament.bench.plain_python import PlainSearch
from tournament.bench.speed import PLAIN_DEPTH, bench
from tournament.engine.result import Counters
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.timing import nanoseconds_per_call
from tournament.errors import EvaluatorFault
from tournament.games.connect4 import STANDARD, Position, Rules
from tournament.plugins.catalogue import BUNDLED, Catalogue
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file


@pytest.mark.parametrize(("rules", "depth"), [(STANDARD, 4), (Rules(4, 5, 3), 6), (Rules(2, 3, 3), 6)])
def test_plain_python_searches_the_tree_of_the_engine(rules, depth):
    plain = PlainSearch(rules)
    plain.search(depth)
    found = Searcher(Scorer(Catalogue().load("windows"), rules), Settings(depth)).search(Position(rules))
    assert found.counters == Counters(plain.generated, plain.expanded, plain.evaluated, plain.cutoffs)


@pytest.mark.needs_jit
def test_every_bundled_evaluator_is_measured_beside_plain_python():
    speeds = list(bench(Catalogue()))
    assert (speeds[0].evaluator, speeds[0].depth, speeds[0].compiled) == ("plain Python", PLAIN_DEPTH, False)
    assert speeds[0].generated == speeds[1].generated
    bundled = {path.stem for path in BUNDLED.glob("*.py")}
    assert bundled <= {speed.evaluator for speed in speeds}
    assert all(speed.compiled and speed.ns_per_evaluation for speed in speeds[1:])


def test_timing_an_evaluator_that_fails_is_its_fault(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("def evaluate(board):\n    return 1 // (board[0, 0] * 0)\n")
    with pytest.raises(EvaluatorFault, match=r"bad\.py:2"):
        nanoseconds_per_call(Scorer(load_file(path, "test"), STANDARD))
