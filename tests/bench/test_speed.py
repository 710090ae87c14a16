"""The benchmark: plain Python searches the engine's tree, and it measures what it says."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tournament.bench import speed as speed_module
from tournament.bench.plain_python import PlainSearch
from tournament.bench.speed import PLAIN_DEPTH, Speed, bench
from tournament.engine.result import Counters, SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.timing import nanoseconds_per_call
from tournament.errors import EvaluatorFault, TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules
from tournament.plugins.catalogue import BUNDLED, Catalogue
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file


@pytest.mark.parametrize(("rules", "depth"), [(STANDARD, 4), (Rules(4, 5, 3), 6), (Rules(2, 3, 3), 6)])
def test_plain_python_searches_the_tree_of_the_engine(rules, depth):
    plain = PlainSearch(rules)
    plain.search(depth)
    found = Searcher(Scorer(Catalogue().load("windows"), rules), Settings(depth)).search(Position(rules))
    counted = Counters(plain.generated, plain.expanded, plain.evaluated, plain.cutoffs)
    assert replace(found.counters, untried=0) == counted


@pytest.mark.needs_jit
def test_every_bundled_evaluator_is_measured_beside_plain_python(monkeypatch):
    monkeypatch.setattr(speed_module, "REPEATS", 1)
    monkeypatch.setattr(speed_module, "DEEP", 9)
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


def test_of_several_runs_the_best_counts(monkeypatch):
    times = iter([0.5, 0.25, 1.0, 0.5, 0.75])

    class Timed:
        """A search that takes as long as is said above."""

        def __init__(self, *_: object) -> None:
            pass

        def search(self, _: Position) -> SearchResult:
            return SearchResult(3, 0.0, Counters(generated=100), next(times), 9.0, 0, 2, 2)

    monkeypatch.setattr(speed_module, "Searcher", Timed)
    monkeypatch.setattr(speed_module, "Scorer", lambda *_: SimpleNamespace(compiled=True))
    monkeypatch.setattr(speed_module, "nanoseconds_per_call", lambda _: 7.0)
    timed = speed_module._timed(Catalogue().load("windows"), Rules(4, 5, 3), Settings(2))
    assert (timed.seconds, timed.nodes_per_second, timed.ns_per_evaluation) == (0.25, 400, 7.0)
    assert timed.name == "windows, depth 2, alphabeta, 4×5"


def test_plain_python_that_searches_another_tree_is_no_measure(monkeypatch):
    monkeypatch.setattr(speed_module, "PLAIN_DEPTH", 3)
    monkeypatch.setattr(PlainSearch, "evaluate", lambda self: 0)
    with pytest.raises(TourneyError, match="plain Python searched another tree than the engine"):
        next(bench(Catalogue()))


SPEEDS = [
    Speed("plain Python", str(STANDARD), "alphabeta", 6, False, 1_000, 0.5, None),
    Speed("windows", str(STANDARD), "alphabeta", 6, True, 1_000, 0.125, 12.0),
]


def test_the_command_tells_how_many_times_plain_python_each_search_is(monkeypatch, tourney):
    monkeypatch.setattr(speed_module, "bench", lambda _: iter(SPEEDS))
    code, out, _ = tourney("bench", "--json")
    told = json.loads(out)["searches"]
    assert (code, [row["times_plain_python"] for row in told]) == (0, [1, 4])
    assert [row["nodes_per_second"] for row in told] == [2_000, 8_000]
    code, out, _ = tourney("bench")
    cells = [line.strip("│ ").split() for line in out.splitlines() if "1,000" in line]
    assert code == 0
    assert [[cell for cell in row if cell != "│"][-5:] for row in cells] == [
        ["1,000", "0.5000", "0.00", "1", "–"],
        ["1,000", "0.1250", "0.01", "4", "12"],
    ]
