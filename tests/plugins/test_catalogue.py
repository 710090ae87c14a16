"""Where evaluators are found, and what is said when they are not."""

import sys
from pathlib import Path

import pytest

from tournament.errors import EvaluatorError
from tournament.plugins.catalogue import BUNDLED, Catalogue

CENTRE = '''"""Centre: discs near the middle."""


def evaluate(board):
    return int(board[:, 3].sum())
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str = CENTRE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_bundled_ones_are_found_from_anywhere(folder):
    assert {"balanced", "lines", "points", "room", "runs", "squares", "windows"} <= set(Catalogue().names())


def test_a_file_dropped_into_the_folder_is_found(folder):
    write(folder / "evaluators" / "alice.py")
    evaluator = Catalogue().load("alice")
    assert (evaluator.name, evaluator.description, evaluator.origin) == (
        "alice",
        "Centre: discs near the middle.",
        "./evaluators",
    )


def test_files_that_begin_with_an_underscore_are_not_evaluators(folder):
    write(folder / "evaluators" / "_helpers.py")
    write(folder / "evaluators" / "__init__.py")
    assert Catalogue().names() == sorted(path.stem for path in BUNDLED.glob("*.py"))


def test_further_folders_and_files_can_be_named(folder):
    write(folder / "mine" / "alice.py")
    bob = write(folder / "other" / "bob.py")
    assert {"alice", "bob"} <= set(Catalogue([folder / "mine", bob]).names())


def test_a_path_is_a_name_too(folder):
    write(folder / "elsewhere" / "carol.py")
    assert Catalogue().load("elsewhere/carol.py").name == "carol"


def test_two_files_with_one_name_are_an_error_of_who_means_one_that_names_both(folder):
    own = write(folder / "evaluators" / "windows.py")
    catalogue = Catalogue()
    assert catalogue.find("squares").name == "squares", "nobody else has to mind"
    with pytest.raises(EvaluatorError) as error:
        catalogue.find("windows")
    assert str(own.relative_to(folder)) in str(error.value)
    assert str(BUNDLED / "windows.py") in str(error.value)


def test_a_copy_of_the_same_file_is_the_same_evaluator(folder):
    write(folder / "evaluators" / "windows.py", (BUNDLED / "windows.py").read_text())
    assert "windows" in Catalogue().names()


def test_an_unknown_name_gets_the_nearest_one(folder):
    with pytest.raises(EvaluatorError, match="there is no evaluator `windws`; did you mean `windows`"):
        Catalogue().load("windws")


@pytest.mark.parametrize("name", ["missing.py", "no/such/file.py"])
def test_a_missing_file_is_said(folder, name):
    with pytest.raises(EvaluatorError, match="there is no such file"):
        Catalogue().load(name)


def test_a_missing_folder_is_said(folder):
    with pytest.raises(EvaluatorError, match="nowhere: does not exist"):
        Catalogue([Path("nowhere")])


def test_a_broken_neighbour_does_not_stop_the_others(folder):
    write(folder / "evaluators" / "broken.py", "def evaluate(board:\n")
    catalogue = Catalogue()
    assert catalogue.load("windows").name == "windows"
    with pytest.raises(EvaluatorError, match=r"broken\.py:1: is not Python"):
        catalogue.load("broken")


@pytest.fixture
def installed(folder, monkeypatch):
    """A function that makes an installed package with one evaluator."""

    def make(value: str, text: str = CENTRE) -> None:
        site = folder / "site"
        write(site / "heuristics" / "__init__.py", "")
        write(site / "heuristics" / "helpers.py", "WEIGHT = 2\n")
        write(site / "heuristics" / "centre.py", text)
        write(site / "heuristics-1.0.dist-info" / "METADATA", "Metadata-Version: 2.1\nName: heuristics\nVersion: 1.0\n")
        write(site / "heuristics-1.0.dist-info" / "entry_points.txt", f"[tourney.evaluators]\nmiddle = {value}\n")
        monkeypatch.syspath_prepend(str(site))
        for name in [name for name in sys.modules if name.startswith("heuristics")]:
            monkeypatch.delitem(sys.modules, name)

    return make


def test_installed_packages_bring_evaluators(installed):
    installed("heuristics.centre", CENTRE.replace("return", "from .helpers import WEIGHT\n    return WEIGHT *"))
    evaluator = Catalogue().load("middle")
    assert (evaluator.name, evaluator.origin) == ("middle", "package heuristics")


def test_a_wrong_entry_point_is_said_when_it_is_asked_for(installed):
    installed("heuristics.nothing")
    catalogue = Catalogue()
    assert catalogue.load("windows").name == "windows"
    with pytest.raises(EvaluatorError, match="package heuristics: evaluator `middle` raised ModuleNotFoundError"):
        catalogue.load("middle")
