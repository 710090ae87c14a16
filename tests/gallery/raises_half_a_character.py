"""Raises, and prints, what no file can hold, and what would colour a terminal."""


def evaluate(board):
    print("half \ud800 of a character, \x1b[31mred")
    raise ValueError("half \ud800 of a character, \x1b[31mred")
