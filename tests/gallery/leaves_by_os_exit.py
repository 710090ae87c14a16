"""Ends its process at once, without a word."""

import os


def evaluate(board):
    os._exit(3)
