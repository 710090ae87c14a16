"""Returns a number with more digits than Python prints."""

from fractions import Fraction


def evaluate(board):
    return int(Fraction(10) ** 5000)
