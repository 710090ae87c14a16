"""Leaves a thread behind that never ends, and plays on."""

import threading

started = []


def evaluate(board):
    if not started:
        started.append(threading.Thread(target=threading.Event().wait, daemon=True))
        started[0].start()
        print("TRIED a thread")
    return 0
