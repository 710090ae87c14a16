"""Small tournaments, and what a run has left: what the tests of whole runs share."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

from tournament.store import StoredMove
from tournament.store.packing import Moves, unpacked

SMALL = "players: [windows, squares, runs]\ndepths: [1, 2]\n"  # 12 games


LONG = "players: [balanced, runs, squares, windows]\ndepths: [1, 6]\nopenings: {plies: 1}\n"  # 96 games, seconds


REPORTS = ("report.md", "report.html", "games.csv", "results.json")
RAISES = """
def evaluate(board, rules):
    if board[1, 3] != 0:
        raise ValueError("no [opinion] on this")
    return 0
"""


def query(folder: Path, sql: str) -> list[tuple]:
    connection = sqlite3.connect(folder / "games.db")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def kept(folder: Path) -> set[tuple]:
    """Every game with its row, its moves and their times: another one if it was played again."""
    return set(query(folder, "SELECT number, id, begun, packed FROM games"))


def moves_of(folder: Path) -> dict[str, list[StoredMove]]:
    """The moves of every game or search that a store holds, by its id, in the order of ids."""
    layouts = dict(query(folder, "SELECT number, fields FROM layouts"))
    rows = query(folder, "SELECT id, layout, begun, packed FROM games ORDER BY id")
    return {id: unpacked(Moves(layouts[layout], *rest)) for id, layout, *rest in rows}


def squeezed(text: str) -> str:
    """Without the line breaks that the width of a terminal makes."""
    return " ".join(text.split())


def typed(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
