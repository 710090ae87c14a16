"""Ends its process before it has a function."""

import os

os._exit(7)


def evaluate(board):
    return 0
