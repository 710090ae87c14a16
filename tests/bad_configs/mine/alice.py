"""Nothing is wrong with it."""


def evaluate(board):
    return 0
