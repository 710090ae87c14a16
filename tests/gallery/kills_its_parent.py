"""Ends the process that started it."""

import os
import signal

tried = []


def evaluate(board):
    os.kill(os.getppid(), signal.SIGKILL)
    if not tried:
        tried.append(True)
        print("TRIED its parent")
    return 0
