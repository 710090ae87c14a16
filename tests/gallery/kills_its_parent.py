"""Ends the process that started it."""

import os
import signal


def evaluate(board):
    os.kill(os.getppid(), signal.SIGKILL)
    return 0
