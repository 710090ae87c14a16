"""Sends itself the signal that nobody can catch."""

import os
import signal


def evaluate(board):
    os.kill(os.getpid(), signal.SIGKILL)
    return 0
