"""Starts ten processes that do nothing for ten minutes, one of them in a session of its own, and plays on."""

import os
import time

started = []


def evaluate(board):
    if len(started) < 10:
        child = os.fork()
        if not child:
            if not started:
                os.setsid()
            time.sleep(600)  # longer than any run of the gallery: who has ended is not left
            os._exit(0)
        started.append(child)
        if len(started) == 10:
            print("TRIED ten processes")
    return 0
