"""Asks for bitboards, which large boards have not."""


def evaluate(mine, theirs):
    return 0
