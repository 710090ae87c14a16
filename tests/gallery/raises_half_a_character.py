"""Raises, and prints, what no file can hold."""


def evaluate(board):
    print("half \ud800 of a character")
    raise ValueError("half \ud800 of a character")
