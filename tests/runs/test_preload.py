"""Files are loaded once before a run, and what many of them need is compiled once."""

from uuid import uuid4

import pytest
from folders import write

import tournament
from tournament.games.connect4 import STANDARD, Rules
from tournament.runs import preload

pytestmark = pytest.mark.needs_jit


def config(folder, players: int, board: str = "rules: {rows: 4, columns: 5, connect: 3}\n") -> str:
    new = uuid4()  # machine code is known by text, and an earlier run of these tests may have left some on disk
    for number in range(players):
        text = f'"""{new}"""\n\n\ndef evaluate(board):\n    return board[0, {number}]\n'
        write(folder / f"{folder.name}{number}.py", text)
    names = ", ".join(f"{folder.name}{number}" for number in range(players))
    write(folder / "c.yaml", f"players: [{names}]\nevaluators: [.]\ndepths: [1]\n{board}")
    return str(folder / "c.yaml")


@pytest.fixture
def warmed(monkeypatch) -> list[Rules]:
    """The boards that this process was warmed up for."""
    found: list[Rules] = []
    monkeypatch.setattr(preload, "warm_up", found.append)
    return found


def test_many_new_files_are_warmed_up_for_once(tmp_path, warmed):
    tournament.run(config(tmp_path, 5), out=tmp_path / "out", jobs=1)
    assert warmed == [Rules(4, 5, 3)]


def test_files_that_are_on_disk_are_not(tmp_path, warmed):
    path = config(tmp_path, 5)
    tournament.run(path, out=tmp_path / "out", jobs=1)
    warmed.clear()
    tournament.run(path, out=tmp_path / "again", jobs=1)
    assert warmed == []


def test_a_few_are_not(tmp_path, warmed):
    tournament.run(config(tmp_path, 3), out=tmp_path / "out", jobs=1)
    assert warmed == []


def test_warming_up_changes_no_game(tmp_path, monkeypatch):
    path = config(tmp_path, 5, "")
    cold = tournament.run(path, out=tmp_path / "out", jobs=1)
    preload.warm_up(STANDARD)
    warm = tournament.run(path, out=tmp_path / "again", jobs=1)
    assert cold.standings == warm.standings
