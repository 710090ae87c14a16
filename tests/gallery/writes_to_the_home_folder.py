"""Leaves a file in the home folder."""

from pathlib import Path

written = []


def evaluate(board):
    if not written:
        written.append(Path.home() / "tourney-gallery-was-here")
        written[0].write_text("hello")
        print("TRIED", written[0])
    return 0
