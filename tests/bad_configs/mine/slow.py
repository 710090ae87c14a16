"""Slow: in Python, since numba knows no such thing as a class."""


def evaluate(board):
    class Score:
        value = 0

    return Score().value
