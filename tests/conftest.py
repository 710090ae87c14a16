"""What all tests share: the Hypothesis profile, the mark for tests about machine code, evaluators made ready."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from folders import ROOT
from hypothesis import settings

from tournament.engine.jit.specialise import JIT_DISABLED, when_compiling
from tournament.games.connect4 import Rules
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator, load_file

pytest_plugins = ["browser"]

SECONDS = {  # roughly, of the files that take longest
    "test_gallery": 60,
    "test_pages": 45,
    "test_check": 40,
    "test_documents": 30,
    "test_report_page": 27,
    "test_macos": 25,
    "test_cluster": 25,
    "test_tournament": 23,
    "test_app": 21,
    "test_study": 19,
    "test_interrupted": 16,
    "test_kill": 14,
    "test_soak": 11,
}
BUNDLED = ROOT / "evaluators"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="kill a run twenty times in place of five, and soak it whole")
    parser.addoption("--update-golden", action="store_true", help="write tests/golden/ anew from what comes out now")


def pytest_configure(config: pytest.Config) -> None:
    long = config.getoption("--long", default=False)
    settings.register_profile(
        "tourney",
        deadline=None,  # the first example compiles
        derandomize="CI" in os.environ and not long,  # CI tries the same ones every time, so few of them
        max_examples=200 if long else 10 if JIT_DISABLED else 20,
    )
    settings.load_profile("tourney")
    config.addinivalue_line("markers", "needs_jit: about compiled code; left out with NUMBA_DISABLE_JIT=1")
    config.addinivalue_line("markers", "charts: of a whole file, whose reports are to have their charts")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: -SECONDS.get(item.path.stem, 0))  # so that no long file is begun when all else is done
    if JIT_DISABLED:
        for item in items:
            if item.get_closest_marker("needs_jit"):
                item.add_marker(pytest.mark.skip(reason="numba is switched off"))


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether tests that have a short form are to run whole, for minutes: `pytest --long`."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="module", autouse=True)
def _charts_only_where_they_are_the_matter(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drawing takes longer than the small tournaments of most tests: no charts but in files marked `charts`."""
    from tournament.report import drawing, write

    with pytest.MonkeyPatch.context() as patch:
        if not request.node.get_closest_marker("charts"):
            patch.setattr(write, "drawn", lambda _: [])
            patch.setattr(drawing, "warm_up", lambda: None)
        yield


@pytest.fixture
def tourney(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, str, str]]:
    """The command in this process and a folder of its own: its exit code, standard output and standard error."""
    from tournament.cli import main

    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["tourney", *arguments])
        when_compiling.clear()  # what an earlier command of this process has left there
        # Files 1 and 2 themselves, as in a process of its own: pytest's are closed in the processes that it starts.
        with open(1, "w", closefd=False) as out, open(2, "w", closefd=False) as err, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit) as ended:
                main()
        return ended.value.code or 0, *capfd.readouterr()

    return call


@cache
def _bundled(name: str, rules: Rules) -> Scorer:
    return Scorer(load_file(BUNDLED / f"{name}.py", "bundled"), rules)


@pytest.fixture(scope="session")
def bundled() -> Callable[[str, Rules], Scorer]:
    """The scorer of a bundled evaluator by name and rules, made once."""
    return _bundled


@pytest.fixture(scope="session")
def write_evaluator(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Evaluator]:
    """Writes a file with this text into a folder of its own and loads it as an evaluator."""

    def write(text: str, name: str = "mine") -> Evaluator:
        path = tmp_path_factory.mktemp("evaluator") / f"{name}.py"
        path.write_text(dedent(text).lstrip("\n"))
        return load_file(path, "test")

    return write
