"""Machine code on disk: what its folder is named after, and whose it is."""

import hashlib
import os
import resource
import shutil
from pathlib import Path

import pytest
from folders import ROOT
from numba.core.registry import cpu_target
from ordinary import as_ordinary

from tournament.cli.options import announce_compiling
from tournament.engine.jit import cache, specialise
from tournament.engine.jit.cache import COMPILED, EVALUATORS, engine_code, hash_of_sources
from tournament.engine.jit.specialise import when_compiling
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, play_moves
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache folder of its own, empty."""
    monkeypatch.setattr(specialise, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


def compiled(text: str, path: Path) -> Scorer:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return Scorer(load_file(path, "test"), STANDARD)


ONE_CELL = "def evaluate(board):\n    return board[0, 3]\n"
POSITION = play_moves(Position(), "4")


@pytest.mark.needs_jit
def test_a_copy_of_a_file_in_another_folder_is_not_compiled_again_and_an_edited_one_is(folder, tmp_path):
    assert compiled(ONE_CELL, tmp_path / "a" / "mine.py").is_new
    copy = compiled(ONE_CELL, tmp_path / "b" / "yours.py")
    assert not copy.is_new
    assert copy.score(POSITION, "first") == 1
    edited = compiled(ONE_CELL.replace("3", "2"), tmp_path / "b" / "yours.py")
    assert edited.is_new
    assert edited.score(POSITION, "first") == 0


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    "damage",
    [
        lambda code: b"",
        lambda code: code[:40],
        lambda code: code[: len(code) // 2],
        lambda code: code[:-1] + bytes([code[-1] ^ 1]),
        lambda code: bytes(len(code)),
        lambda code: hashlib.sha256(b"garbage").digest() + b"garbage",  # whole, and nothing that we can use
        lambda code: hashlib.sha256(b"").digest(),
    ],
)
def test_machine_code_that_is_damaged_is_compiled_anew_and_replaced(folder, tmp_path, damage):
    compiled(ONE_CELL, tmp_path / "mine.py")
    (kept,) = (folder / EVALUATORS).iterdir()
    kept.write_bytes(damage(kept.read_bytes()))
    assert compiled(ONE_CELL, tmp_path / "mine.py").score(POSITION, "first") == 1
    assert cache.checked(kept)  # whatever its size: names inside are numbered as compiled
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


@pytest.mark.needs_jit
def test_machine_code_that_can_not_be_written_is_done_without(folder, tmp_path):
    (folder / EVALUATORS).write_text("a file where a folder should be")
    scorer = compiled(ONE_CELL, tmp_path / "mine.py")
    assert scorer.compiled
    assert scorer.score(POSITION, "first") == 1


@pytest.mark.needs_jit
def test_a_full_disk_is_done_without_and_said_once(folder, tmp_path, monkeypatch, capfd):
    """As `ulimit -f` has it: what is written beyond it fails, as on a disk without room."""
    announce_compiling()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        made = [compiled(ONE_CELL.replace("3", column), tmp_path / "mine.py") for column in "12"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        when_compiling.clear()
    assert all(scorer.compiled for scorer in made)
    assert capfd.readouterr().err.count("machine code can't be kept in") == 1
    assert list((folder / EVALUATORS).iterdir()) == []


@pytest.mark.needs_jit
@pytest.mark.parametrize("unknown", ["numba_unpickle", "nobody asks for this"])
def test_numba_is_loaded_whole_where_machine_code_asks_for_what_it_has_not_told_yet(
    folder, tmp_path, monkeypatch, unknown
):
    known, refreshed = cache.address_of_symbol, []
    compiled(ONE_CELL, tmp_path / "mine.py")
    monkeypatch.setattr(cache, "address_of_symbol", lambda name: None if name == unknown else known(name))
    monkeypatch.setattr(type(cpu_target.target_context), "refresh", lambda _: refreshed.append(True))
    again = compiled(ONE_CELL, tmp_path / "mine.py")
    assert again.score(POSITION, "first") == 1
    assert not again.is_new
    assert bool(refreshed) is (unknown == "numba_unpickle")


@pytest.mark.needs_jit
def test_the_code_of_the_engine_lies_apart_from_that_of_evaluators(tmp_path):
    scorer = compiled(ONE_CELL, tmp_path / "engine" / "nodes.py")
    Searcher(scorer, Settings(1)).search(Position())
    engine = engine_code()
    assert engine is not None
    names = [path.name for path in engine.iterdir()]
    assert [name for name in names if name.startswith("nodes.visit_")]
    assert not [name for name in names if ".evaluate_" in name]
    assert all(".evaluate_" in path.name for path in engine.with_name(EVALUATORS).iterdir())


def test_the_folder_of_another_user_is_done_without(tmp_path):
    """As `sudo tourney` leaves it."""
    if os.geteuid():
        pytest.skip("only root can leave a folder of root's")
    (tmp_path / "tourney").mkdir()
    told = as_ordinary(
        "-c",
        "from tournament.engine.jit.cache import cache_folder, write_checked; from pathlib import Path; "
        f"print(cache_folder()); write_checked(Path({str(tmp_path)!r}) / 'tourney' / 'x.code', b'code')",
        cwd=tmp_path,
        XDG_CACHE_HOME=str(tmp_path),
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "None\n", "")
    assert list((tmp_path / "tourney").iterdir()) == []
