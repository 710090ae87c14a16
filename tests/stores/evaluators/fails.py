"""Fails: has no opinion once the middle column is two high."""


def evaluate(board):
    if board[1, 3] != 0:
        raise ValueError("no opinion on this")
    return 0
