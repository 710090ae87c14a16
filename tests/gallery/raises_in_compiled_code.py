"""Looks beyond the edge of the board."""


def evaluate(board):
    return board[0, 0] + board[board.sum() + 90, 0]
