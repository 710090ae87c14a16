"""Machine code on disk: what its folder is named after, and whose it is."""

import shutil

import pytest
from folders import ROOT

from tournament.engine.jit import cache
from tournament.engine.jit.cache import COMPILED, cache_folder, engine_code, hash_of_sources

ROOMS = sorted(path.parent.name for path in (ROOT / "tournament").glob("*/__init__.py"))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    copy = tmp_path_factory.mktemp("copy") / "tournament"
    shutil.copytree(ROOT / "tournament", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.mark.parametrize("room", ROOMS)
def test_an_edit_compiles_anew_where_it_is_in_a_room_that_holds_compiled_code_and_nowhere_else(package, room):
    before = hash_of_sources(package)
    assert before == hash_of_sources()
    for file in sorted((package / room).rglob("*.py")):
        text = file.read_bytes()
        file.write_bytes(text + b"# edited\n")
        assert (hash_of_sources(package) != before) is (room in COMPILED), file
        file.write_bytes(text)


def test_a_file_that_is_moved_or_added_compiles_anew(package):
    before = hash_of_sources(package)
    (package / "engine" / "new.py").touch()
    assert hash_of_sources(package) != before
    (package / "engine" / "new.py").unlink()
    assert hash_of_sources(package) == before


@pytest.mark.needs_jit
def test_the_code_of_the_engine_is_told_from_that_of_a_file_in_a_folder_of_its_name(bundled, write_evaluator, tmp_path):
    from tournament.engine.searcher import Searcher
    from tournament.engine.settings import Settings
    from tournament.games.connect4 import STANDARD, Position
    from tournament.plugins.compiled import Scorer
    from tournament.plugins.evaluator import load_file

    strange = tmp_path / "engine" / "mine.py"
    strange.parent.mkdir()
    strange.write_text("def evaluate(board):\n    return board[0, 0]\n")
    scorer = Scorer(load_file(strange, "test"), STANDARD)
    Searcher(scorer, Settings(1)).search(Position())
    folder = cache_folder()
    assert folder is not None
    own = [path.name for path in engine_code()]
    assert any(name.startswith("engine_") for name in own), "the search is among it"
    others = [path.name for path in folder.glob("engine_*") if path.name not in own]
    assert others, "and the stranger's is not"
    assert cache.PACKAGE.name == "tournament"
