"""Named like a bundled one."""


def evaluate(board):
    return 0
