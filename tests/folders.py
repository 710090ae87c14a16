"""Where things lie, and what a run has left in its folder: what tests in several rooms share."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
CONFIGS = ROOT / "configs"
BAD_CONFIGS = TESTS / "bad_configs"
GOLDEN = TESTS / "golden"
GALLERY = TESTS / "gallery"
STORES = TESTS / "stores"
REFERENCE = TESTS / "reference"

Row = dict[str, str]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, with the bytes of its files."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def rows(folder: Path, file: str = "games.csv") -> list[Row]:
    """What a run has written to games.csv, or searches.csv."""
    with (folder / file).open(newline="") as text:
        return list(csv.DictReader(text))


def without_seconds(games: list[Row]) -> list[Row]:
    """The same without what differs from run to run."""
    return [{name: cell for name, cell in game.items() if "seconds" not in name} for game in games]


def guides_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> None:
    """Makes this folder that of the guides, with these files in it."""
    for name, text in texts.items():
        (folder / f"{name}.md").write_bytes(text.encode("utf-8"))
    monkeypatch.setattr("tournament.guides.FOLDER", folder)
