"""Leaves a file in the home folder."""

from pathlib import Path


def evaluate(board):
    (Path.home() / "tourney-gallery-was-here").write_text("hello")
    return 0
