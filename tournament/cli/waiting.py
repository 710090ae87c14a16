"""A line on a terminal that says what is being waited for, until there is something to see."""

from __future__ import annotations

import os
import shutil
import sys

ANEW = "\r\x1b[2K"  # the cursor to the left, and the line empty


class Waiting:
    """Call it with what is being waited for; used with `with`, the line is gone at the end."""

    def __init__(self, *, shown: bool = True) -> None:
        self._is_shown = shown and os.environ.get("TERM") != "dumb"

    @property
    def is_shown(self) -> bool:
        """Not where standard error is a file: nor in processes that were forked from this one, and print into one."""
        return self._is_shown and sys.stderr.isatty()

    def __call__(self, what: str) -> None:
        if self.is_shown:
            room = shutil.get_terminal_size().columns - 3
            print(f"{ANEW}{what[:room]} …", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Make room for a line that stays."""
        if self.is_shown:
            print(ANEW, end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Waiting:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Nothing is waited for any more."""
        self.clear()
        self._is_shown = False
