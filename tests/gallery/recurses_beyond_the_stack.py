"""Asks for a hash that takes more recursion than the stack has room for, where Python does not count."""


def evaluate(board):
    nested = ()
    for _ in range(300_000):
        nested = (nested,)
    return hash(nested)
