"""Lines of JSON between two processes, one of which may write anything."""

from __future__ import annotations

import json
import os
import select
import time
from multiprocessing.connection import Connection
from typing import Any


def send_line(connection: Connection, told: dict[str, Any]) -> None:
    """Send a line of JSON, all of it."""
    rest = json.dumps(told).encode() + b"\n"
    while rest:
        rest = rest[os.write(connection.fileno(), rest) :]


class Lines:
    """What comes in through a connection, line by line; a line of more than `most` bytes is a ValueError."""

    def __init__(self, connection: Connection, most: int) -> None:
        self._file = connection.fileno()
        self._most = most
        self._unread = b""
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def next(self, deadline: float) -> bytes | None:
        """A whole line, or None where there is none in time: half a line is none. EOFError where there are no more."""
        while b"\n" not in self._unread:
            if len(self._unread) > self._most:
                raise ValueError("a line without an end")
            if not self._poll.poll(1000 * max(0.0, deadline - time.monotonic())):
                return None
            part = os.read(self._file, 1 << 16)
            if not part:
                raise EOFError
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line
