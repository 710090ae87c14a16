"""Small tournaments, and what a run has left: what the tests of whole runs share."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

SMALL = "players: [windows, squares, runs]\ndepths: [1, 2]\n"  # 12 games


LONG = "players: [balanced, lines, points, room, runs, squares, windows]\ndepths: [1, 6]\n"  # 84 games, seconds


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
    """Every move of every game, with its row and its times: another one if it was played again."""
    return set(
        query(folder, "SELECT games.number, games.id, moves.* FROM games JOIN moves ON games.number = moves.game")
    )


def squeezed(text: str) -> str:
    """Without the line breaks that the width of a terminal makes."""
    return " ".join(text.split())


def typed(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
