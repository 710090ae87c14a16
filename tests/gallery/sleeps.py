"""Sleeps over its move."""

import time


def evaluate(board):
    time.sleep(1000)
    return 0
