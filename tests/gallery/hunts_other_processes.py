"""Kills every other process of its run that it can find."""

import contextlib
import os
import signal
from pathlib import Path

MARK = b"TOURNEY_GALLERY"


def evaluate(board):
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if MARK in path.read_bytes() and path.parent.name != str(os.getpid()):
                os.kill(int(path.parent.name), signal.SIGKILL)
                print("KILLED", path)
    return 0
