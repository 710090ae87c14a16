"""Kills every other process of its run that it can find, but for the first of a name space, which nobody there can."""

import contextlib
import os
import signal
from pathlib import Path

MARK = b"TOURNEY_GALLERY"

hunted = []


def evaluate(board):
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if MARK in path.read_bytes() and path.parent.name not in ("1", str(os.getpid())):
                os.kill(int(path.parent.name), signal.SIGKILL)
                print("KILLED", path)
    if not hunted:
        hunted.append(True)
        print("TRIED everybody in /proc")
    return 0
