"""What all tests share: the Hypothesis profile, the mark for tests about machine code, evaluators made ready."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import settings

from tournament import jit
from tournament.evaluator import Evaluator, load_file
from tournament.rules import Rules
from tournament.scorer import Scorer

pytest_plugins = ["browser"]

BUNDLED = Path(__file__).parent.parent / "evaluators"

settings.register_profile(
    "tourney",
    deadline=None,  # the first example compiles
    derandomize="CI" in os.environ,
    max_examples=10 if jit.DISABLED else 40,
)
settings.load_profile("tourney")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden/ anew from what comes out now")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_jit: about compiled code; left out with NUMBA_DISABLE_JIT=1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if jit.DISABLED:
        for item in items:
            if item.get_closest_marker("needs_jit"):
                item.add_marker(pytest.mark.skip(reason="numba is switched off"))


@cache
def _bundled(name: str, rules: Rules) -> Scorer:
    return Scorer(load_file(BUNDLED / f"{name}.py", "bundled"), rules)


@pytest.fixture(scope="session")
def bundled() -> Callable[[str, Rules], Scorer]:
    """The scorer of a bundled evaluator by name and rules, made once."""
    return _bundled


@pytest.fixture(scope="session")
def write_evaluator(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Evaluator]:
    """Writes a file with this text into a folder of its own and loads it as an evaluator.

    The folder is the same for the same text in every run, so that its machine code is found again.
    """
    cache = getattr(request.config, "cache", None)
    root = Path(cache.mkdir("evaluators")) if cache else tmp_path_factory.mktemp("evaluators")

    def write(text: str, name: str = "mine") -> Evaluator:
        text = dedent(text).lstrip("\n")
        folder = root / hashlib.sha256(text.encode()).hexdigest()[:16]
        folder.mkdir(exist_ok=True)
        written = folder / f"{name}.{os.getpid()}"
        written.write_text(text)
        return load_file(written.replace(folder / f"{name}.py"), "test")

    return write
