"""Catches every signal that can be caught, and goes on for ever."""

import contextlib
import signal


def evaluate(board):
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, lambda *_: None)
    while True:
        pass
