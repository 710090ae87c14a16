"""Kills every other process of its run that it can find, but for the first of a name space, which nobody there can."""

import contextlib
import os
import signal
from pathlib import Path

PREY = b""  # the test plays a copy of this file, with what only the commands of its own run have in them

hunted = []


def evaluate(board):
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if PREY and PREY in path.read_bytes() and path.parent.name not in ("1", str(os.getpid())):
                os.kill(int(path.parent.name), signal.SIGKILL)
                print("KILLED", path)
    if not hunted:
        hunted.append(True)
        print("TRIED everybody in /proc")
    return 0
