"""Scores six positions, and has no opinion on the seventh."""

calls = [0]


def evaluate(board):
    calls[0] = calls[0] + 1
    if calls[0] % 7 == 0:
        raise ValueError(f"call number {calls[0]:d}")
    return 0
